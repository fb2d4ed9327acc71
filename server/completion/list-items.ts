import { CompletionItemKind } from 'vscode-languageserver/node';
import { allProbes } from '../../core/checks/knowledge';
import type { LocatedSchema } from '../../core/document/schema-walk';
import { describeSchema, describeValue } from '../schema-docs';
import { atColumn, type Suggestion } from './items';
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
  if (items.node.properties?.['with']) return [...probeEntries(items, cursor.column), plain];
  if (!isMapSchema(items)) return [plain];
  const whole = atColumn(new SnippetWriter(indentStep, false).wholeItem(items), cursor.column);
  return [plain, { ...plain, label: `${plain.label} (whole)`, kind: CompletionItemKind.Snippet, detail: 'With examples to type over', order: 901, snippet: whole, triggersNext: false }];
}

/** One item a probe that a card may name. A probe without a command of its own reads another entry's output. */
function probeEntries(items: LocatedSchema, column: number): Suggestion[] {
  const known = items.node.properties?.['id']?.enum ?? [];
  return allProbes()
    .filter(({ id }) => known.includes(id))
    .map(({ id, title, plan }, index) => ({
      label: `- id: ${id}`,
      kind: CompletionItemKind.Struct,
      detail: title,
      documentation: describeValue('probe', id)!,
      filter: `- id: ${id}`,
      order: index + (plan ? 0 : 100),
      snippet: atColumn([`- id: ${id}`, ...(plan ? [] : ['  from: $1'])], column),
      triggersNext: !plan,
    }));
}
