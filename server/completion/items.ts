import type { CompletionItemKind} from 'vscode-languageserver/node';
import { type CompletionItem, InsertTextFormat, InsertTextMode, MarkupKind } from 'vscode-languageserver/node';
import { toRange } from '../position';
import type { CompletionRequest } from './request';
import { withoutStops } from './snippets';

export interface Suggestion {
  label: string;
  kind: CompletionItemKind;
  /** Snippet text; lines after the first are indented as they must stand in the document. */
  snippet: string;
  detail?: string;
  documentation?: string;
  /** What typing is matched with; absent: the label. */
  filter?: string;
  /** Place in the list. */
  order: number;
  /** Ask for completion again behind the inserted text. */
  triggersNext?: boolean;
}

export function toItem(suggestion: Suggestion, { document, cursor, hasSnippets, eol }: CompletionRequest): CompletionItem {
  const isOpenQuote = cursor.typed.startsWith('"') || cursor.typed.startsWith("'");
  const text = `${cursor.needsSpace ? ' ' : ''}${hasSnippets ? suggestion.snippet : withoutStops(suggestion.snippet)}`;
  const filter = suggestion.filter ?? suggestion.label;
  return {
    label: suggestion.label,
    kind: suggestion.kind,
    ...(suggestion.detail === undefined ? {} : { detail: suggestion.detail }),
    ...(suggestion.documentation === undefined ? {} : { documentation: { kind: MarkupKind.Markdown, value: suggestion.documentation } }),
    sortText: String(suggestion.order).padStart(5, '0'),
    filterText: isOpenQuote ? cursor.typed[0]! + filter : filter,
    insertTextFormat: hasSnippets ? InsertTextFormat.Snippet : InsertTextFormat.PlainText,
    insertTextMode: InsertTextMode.asIs,
    textEdit: { range: toRange(document, cursor.replace), newText: text.replaceAll('\n', eol) },
    ...(suggestion.triggersNext ? { command: { title: 'Suggest', command: 'editor.action.triggerSuggest' } } : {}),
  };
}

/** Lines at a column: the first one stands where the cursor is. */
export const atColumn = (lines: readonly string[], column: number): string => lines.join(`\n${' '.repeat(column)}`);

export const escapeSnippet = (text: string): string => text.replace(/[\\$}]/g, '\\$&');
