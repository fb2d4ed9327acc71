import { CompletionItemKind } from 'vscode-languageserver/node';
import { inline } from '../../core/checks/edits';
import { findMetric } from '../../core/checks/knowledge';
import { type Dimension, dimensionOf, unitsOf } from '../../core/document/quantity';
import type { SchemaNode } from '../../core/document/schema-walk';
import { describeValue } from '../schema-docs';
import { escapeSnippet, type Suggestion } from './items';
import { holderOf } from './keys';
import { referenceSuggestions } from './reference-values';
import type { CompletionRequest } from './request';

/** Scalars that may stand at the cursor: allowed values first, then names that are known, units, and examples. */
export function valueSuggestions(request: CompletionRequest, node: SchemaNode): Suggestion[] {
  return [
    ...allowedValues(request, node),
    ...referenceSuggestions(request, node),
    ...quantities(request, node),
    ...labelValues(request),
    ...examples(request, node),
  ];
}

function allowedValues({ cursor }: CompletionRequest, node: SchemaNode): Suggestion[] {
  const isBoolean = [node.type].flat().includes('boolean');
  const values = node.const !== undefined ? [node.const] : (node.enum ?? (isBoolean ? [true, false] : []));
  return values.map((value, order) => ({
    label: String(value),
    kind: CompletionItemKind.EnumMember,
    order,
    snippet: escapeSnippet(inline(value, cursor.inFlow)),
    ...(node.default === value ? { detail: 'default' } : {}),
    ...documented(node['x-enumDescriptions']?.[String(value)] ?? describeValue(node['x-reference'], String(value))),
  }));
}

const documented = (documentation: string | undefined): Pick<Suggestion, 'documentation'> => (documentation === undefined ? {} : { documentation });

/** A number that has been typed, in every unit that fits. */
function quantities({ cursor }: CompletionRequest, node: SchemaNode): Suggestion[] {
  const quantity = node['x-quantity'];
  const number = /^(-?\d+(?:\.\d+)?)(\s*)/.exec(cursor.typed);
  if (quantity === undefined || !number) return [];
  const [, amount, gap] = number;
  return unitsFor(quantity, cursor.data, cursor.path).map((unit, order) => ({
    label: `${amount} ${unit}`,
    kind: CompletionItemKind.Unit,
    filter: `${amount}${gap}${unit}`,
    order: 100 + order,
    snippet: escapeSnippet(inline(`${amount} ${unit}`, cursor.inFlow)),
  }));
}

/** The metric's own unit first. Bare counts and ratios need none. */
function unitsFor(quantity: string, data: unknown, path: CompletionRequest['cursor']['path']): string[] {
  if (quantity !== 'any' && quantity !== 'metric') return unitsOf(quantity as Dimension);
  const metric = findMetric(String(holderOf(data, path.slice(0, -1))?.['metric'] ?? ''));
  if (!metric) return quantity === 'any' ? COMMON_UNITS : [];
  const own = metric.unit;
  const dimension = own === undefined ? undefined : dimensionOf(own);
  return own === undefined || dimension === undefined ? [] : [own, ...unitsOf(dimension).filter((unit) => unit !== own)];
}

const COMMON_UNITS = ['ms', 's', 'us', 'GB/s', 'GiB', 'MiB', 'tok/s', 'req/s', 'W', 'Cel', '%'];

/** Values of a criterion's labels that are the same everywhere. */
const LABEL_VALUES: Readonly<Record<string, readonly string[]>> = {
  stat: ['p50', 'p90', 'p95', 'p99', 'mean'],
  place: ['out', 'in'],
  collective: ['all_reduce', 'all_gather', 'reduce_scatter', 'broadcast', 'reduce', 'alltoall', 'sendrecv', 'scatter', 'gather'],
};

function labelValues({ cursor }: CompletionRequest): Suggestion[] {
  const label = cursor.path.at(-2) === 'labels' ? String(cursor.path.at(-1)) : '';
  const values = Object.hasOwn(LABEL_VALUES, label) ? LABEL_VALUES[label]! : [];
  return values.map((value, order) => ({ label: value, kind: CompletionItemKind.Value, order, snippet: value }));
}

function examples({ cursor }: CompletionRequest, node: SchemaNode): Suggestion[] {
  if (node.enum || node.const !== undefined || node['x-reference'] !== undefined) return [];
  return (node.examples ?? [])
    .filter((example) => typeof example === 'string' || typeof example === 'number')
    .filter((example) => example !== '')
    .map((example, index) => ({
      label: String(example),
      kind: CompletionItemKind.Text,
      detail: 'example',
      order: 800 + index,
      snippet: escapeSnippet(inline(example, cursor.inFlow)),
    }));
}
