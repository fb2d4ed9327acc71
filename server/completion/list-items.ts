import { CompletionItemKind } from 'vscode-languageserver/node';
import { allProbes } from '../../core/checks/knowledge';
import type { LocatedSchema } from '../../core/document/schema-walk';
import { describeSchema, describeValue } from '../schema-docs';
import { atColumn, escapeSnippet, type Suggestion } from './items';
import type { CompletionRequest } from './request';
import { isMapSchema, itemsOf, SnippetWriter } from './snippets';

/** New items of the list at the cursor, each with its dash. */
export function listItemSuggestions(request: CompletionRequest, list: LocatedSchema): Suggestion[] {
  const items = itemsOf(list);
  if (!items) return [];
  const { cursor, indentStep } = request;
  const name = items.node.title ?? 'item';
  const documentation = describeSchema(items.node, '');
  const short = new SnippetWriter(indentStep, false).item(items);
  const plain: Suggestion = {
    label: `- ${name.toLowerCase()}`,
    kind: CompletionItemKind.Struct,
    detail: 'New item',
    documentation,
    filter: '-',
    order: 900,
    snippet: atColumn(short, cursor.column),
    triggersNext: true,
  };
  if (items.node.properties?.['with']) return [...probeEntries(), plain];
  if (!isMapSchema(items)) return [plain];
  const whole = atColumn(new SnippetWriter(indentStep, false).wholeItem(items), cursor.column);
  return [plain, { ...plain, label: `${plain.label} (whole)`, kind: CompletionItemKind.Snippet, detail: 'With examples to type over', order: 901, snippet: whole, triggersNext: false }];
}

function probeEntries(): Suggestion[] {
  return allProbes()
    .filter(({ plan }) => plan !== undefined)
    .map(({ id, title }, order) => ({
      label: `- id: ${id}`,
      kind: CompletionItemKind.Struct,
      detail: title,
      documentation: describeValue('probe', id)!,
      filter: `- id: ${id}`,
      order,
      snippet: escapeSnippet(`- id: ${id}`),
    }));
}
