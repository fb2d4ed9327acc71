import { CompletionItemKind } from 'vscode-languageserver/node';
import { findMetric } from '../../core/checks/knowledge';
import { type LocatedSchema, stepInto } from '../../core/document/schema-walk';
import { describeSchema } from '../schema-docs';
import { atColumn, type Suggestion } from './items';
import type { CompletionRequest } from './request';
import { firstType, isMapSchema, itemsOf, SnippetWriter } from './snippets';

/** Keys that the map at the cursor may still have, in the schema's order. */
export function keySuggestions(request: CompletionRequest, schema: LocatedSchema): Suggestion[] {
  const { cursor } = request;
  if (schema.node.properties === undefined) return labelKeys(request);
  const missing = Object.keys(schema.node.properties).filter((key) => !cursor.siblings.has(key) || key === cursor.typed);
  return missing.flatMap((key, index) => {
    const property = stepInto(schema, key, holderOf(cursor.data, cursor.path));
    return property ? suggestionsFor(key, property, index * 2, request, schema.node.required?.includes(key) === true) : [];
  });
}

function suggestionsFor(key: string, property: LocatedSchema, order: number, request: CompletionRequest, isRequired: boolean): Suggestion[] {
  const { cursor, indentStep } = request;
  const common = { documentation: describeSchema(property.node, key), filter: key };
  const detail = `${property.node.title ?? key}${isRequired ? ' (required)' : ''}`;
  if (cursor.hasColon) return [{ ...common, label: key, kind: CompletionItemKind.Property, detail, order, snippet: key }];
  const lines = new SnippetWriter(indentStep, cursor.inFlow).pair(key, property);
  const plain: Suggestion = {
    ...common,
    label: key,
    kind: CompletionItemKind.Property,
    detail,
    order,
    snippet: atColumn(lines, cursor.column),
    triggersNext: property.node.const === undefined,
  };
  if (cursor.inFlow || !hasWholeSection(property)) return [plain];
  const whole = new SnippetWriter(indentStep, false).section(key, property);
  return [
    plain,
    { ...common, label: `${key} (whole section)`, kind: CompletionItemKind.Snippet, detail: 'With examples to type over', order: order + 1, snippet: atColumn(whole, cursor.column) },
  ];
}

function hasWholeSection(property: LocatedSchema): boolean {
  return isMapSchema(property) || (firstType(property.node) === 'array' && isMapSchema(itemsOf(property)));
}

/** A criterion's labels: what its metric is told apart by. */
function labelKeys({ cursor }: CompletionRequest): Suggestion[] {
  const criterion = holderOf(cursor.data, cursor.path.slice(0, -1));
  const metric = cursor.path.at(-1) === 'labels' ? findMetric(String(criterion?.['metric'] ?? '')) : undefined;
  return (metric?.labels ?? [])
    .filter((label) => !cursor.siblings.has(label))
    .map((label, order) => ({
      label,
      kind: CompletionItemKind.Property,
      detail: `Label of ${metric!.metric}`,
      order,
      snippet: cursor.hasColon ? label : `${label}: $1`,
      triggersNext: !cursor.hasColon,
    }));
}

/** The map at a path of the scanned data. */
export function holderOf(data: unknown, path: readonly (string | number)[]): Record<string, unknown> | undefined {
  const found = path.reduce<unknown>((node, step) => (node as Record<string | number, unknown> | null | undefined)?.[step], data);
  return typeof found === 'object' && found !== null ? (found as Record<string, unknown>) : undefined;
}
