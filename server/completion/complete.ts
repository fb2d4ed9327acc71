import { type CompletionItem, CompletionItemKind, type CompletionList } from 'vscode-languageserver/node';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { type LocatedSchema, locateSchema, rootSchema } from '../../core/document/schema-walk';
import type { DocumentKind } from '../../core/document/source';
import type { Session } from '../session';
import { atColumn, type Suggestion, toItem } from './items';
import { keySuggestions } from './keys';
import { listItemSuggestions } from './list-items';
import { type CompletionRequest, requestAt } from './request';
import { firstType, isMapSchema, itemsOf, SnippetWriter } from './snippets';
import { valueSuggestions } from './values';

/** What can be typed at an offset, in any state of the document. */
export function complete(session: Session, document: TextDocument, offset: number): CompletionList | CompletionItem[] {
  const request = requestAt(session, document, offset);
  if (!request) return [];
  const items = suggestionsAt(request).map((suggestion) => toItem(suggestion, request));
  // Units follow the number that is being typed, so the list changes with it.
  return { isIncomplete: /^\d/.test(request.cursor.typed), items };
}

function suggestionsAt(request: CompletionRequest): Suggestion[] {
  const { cursor, kind, schema } = request;
  if (!kind) return cursor.path.length === 0 ? wholeDocuments(request) : kindValues(request);
  const list = cursor.list && locateSchema(kind, cursor.list, cursor.data);
  const more = list ? listItemSuggestions(request, list) : [];
  if (!schema) return more;
  const own = cursor.place === 'entry' ? entrySuggestions(request, schema) : behindColon(request, schema);
  const start = cursor.path.length === 0 && cursor.siblings.size === 0 ? wholeDocuments(request) : [];
  return cursor.list && sameList(cursor.list, cursor.path) ? more : [...start, ...own, ...more];
}

const sameList = (a: readonly unknown[], b: readonly unknown[]): boolean => a.join('\0') === b.join('\0');

function entrySuggestions(request: CompletionRequest, schema: LocatedSchema): Suggestion[] {
  const type = firstType(schema.node);
  if (type === 'object') return keySuggestions(request, schema);
  if (type === 'array') return listItemSuggestions(request, schema);
  return typeof request.cursor.path.at(-1) === 'number' ? valueSuggestions(request, schema.node) : [];
}

/** Behind a colon a map or a list can also begin on the next line. */
function behindColon(request: CompletionRequest, schema: LocatedSchema): Suggestion[] {
  const type = firstType(schema.node);
  if (type !== 'object' && type !== 'array') return valueSuggestions(request, schema.node);
  const { cursor, indentStep } = request;
  if (cursor.typed !== '') return [];
  const inner = type === 'array' ? itemsOf(schema) : schema;
  const flow: Suggestion = { label: type === 'array' ? '[ ]' : '{ }', kind: CompletionItemKind.Struct, detail: 'On this line', order: 5, snippet: type === 'array' ? '[$1]' : '{ $1 }', triggersNext: true };
  if (cursor.inFlow || !isMapSchema(inner)) return [flow];
  const writer = new SnippetWriter(indentStep, false);
  const [, ...lines] = writer.pair('', schema);
  const [, ...whole] = new SnippetWriter(indentStep, false).section('', schema);
  const below = (nested: readonly string[]): string => atColumn(['', ...nested], cursor.column);
  return [
    { label: 'on the next lines', kind: CompletionItemKind.Struct, detail: schema.node.title ?? '', order: 1, snippet: below(lines), triggersNext: true },
    { label: 'whole section', kind: CompletionItemKind.Snippet, detail: 'With examples to type over', order: 2, snippet: below(whole) },
    flow,
  ];
}

const KINDS: readonly { kind: DocumentKind; label: string }[] = [
  { kind: 'WorkloadBrief', label: 'Workload brief' },
  { kind: 'AcceptanceCard', label: 'Acceptance card' },
];

/** A new document with the keys that it must have. */
function wholeDocuments(request: CompletionRequest): Suggestion[] {
  if (request.cursor.inFlow || request.cursor.hasColon) return [];
  return KINDS.filter(({ kind }) => request.kind === undefined || request.kind === kind).map(({ kind, label }, order) => {
    const root = rootSchema(kind);
    const [, ...nested] = new SnippetWriter(request.indentStep, false).pair('', root);
    const lines = nested.map((line) => line.slice(request.indentStep));
    return { label, kind: CompletionItemKind.Snippet, detail: 'New document', documentation: root.node.description ?? '', filter: `kind ${label}`, order, snippet: lines.join('\n') };
  });
}

function kindValues({ cursor }: CompletionRequest): Suggestion[] {
  if (cursor.path.length !== 1 || cursor.path[0] !== 'kind') return [];
  return KINDS.map(({ kind, label }, order) => ({ label: kind, kind: CompletionItemKind.EnumMember, detail: label, order, snippet: kind }));
}
