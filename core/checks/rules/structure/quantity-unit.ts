import { type Dimension, dimensionOf, parseQuantity, unitsOf } from '../../../document/quantity';
import type { CheckContext, Finding, Fix, Rule } from '../../contract';
import { fix, inline, replaceValue } from '../../edits';
import { findMetric } from '../../knowledge';
import { schemaValues, type VisitedValue } from '../../schema-visit';

export const rule: Rule = {
  id: 'quantity-unit',
  title: 'Quantity without a unit that fits',
  severity: 'error',
  appliesTo: ['brief', 'card'],
  docs: {
    why: 'A number without its unit, or in a unit of something else, cannot be compared: 80 GB and 80 GiB differ by 7 %, and nothing is guessed.',
    advice: 'Write a number, a space and a unit: `350 ms`, `40 GiB`, `480 GB/s`.',
  },
  check: (context) => schemaValues(context).flatMap((visited) => checkValue(visited, context)),
};

/** What a value must be: of a dimension, free of units (counts and ratios), or any quantity. */
type Wanted = { dimension: Dimension; unit?: string } | 'no-unit' | 'any';

function checkValue({ path, value, schema, parent }: VisitedValue, context: CheckContext): Finding[] {
  const wanted = wantedBy(schema['x-quantity'], parent['metric']);
  if (wanted === undefined || (typeof value !== 'string' && typeof value !== 'number')) return [];
  // Where only text is allowed, a bare number is already a wrong type.
  if (typeof value === 'number' && schema.type === 'string') return [];
  const problem = problemOf(value, wanted);
  return problem === undefined ? [] : [{ message: problem, ...context.at(path), fixes: fixesFor(String(value), wanted).flatMap((text) => asFix(text, path, context)) }];
}

function wantedBy(quantity: string | undefined, metricId: unknown): Wanted | undefined {
  if (quantity === undefined) return undefined;
  if (quantity !== 'any' && quantity !== 'metric') return { dimension: quantity as Dimension };
  const metric = typeof metricId === 'string' ? findMetric(metricId) : undefined;
  if (!metric) return quantity === 'any' ? 'any' : undefined;
  if (metric.valueType === 'text' || metric.metric.endsWith('*')) return undefined;
  if (metric.unit === undefined) return 'no-unit';
  const dimension = dimensionOf(metric.unit);
  return dimension && { dimension, unit: metric.unit };
}

const isBareNumber = (value: string | number): boolean => typeof value === 'number' || /^\s*[-+]?\d+(\.\d+)?\s*$/.test(value);

function problemOf(value: string | number, wanted: Wanted): string | undefined {
  if (isBareNumber(value)) return typeof wanted === 'object' ? `${value} needs a unit of ${wanted.dimension}: ${someUnits(wanted)}.` : undefined;
  const quantity = parseQuantity(String(value));
  if (!quantity) return `"${value}" is not a number with a known unit.${typeof wanted === 'object' ? ` Units of ${wanted.dimension}: ${someUnits(wanted)}.` : ''}`;
  if (wanted === 'any' || (wanted === 'no-unit' && quantity.dimension === 'ratio')) return undefined;
  if (wanted === 'no-unit') return `"${value}" has a unit, but this metric is a count or a ratio.`;
  return quantity.dimension === wanted.dimension ? undefined : `"${value}" is a ${quantity.dimension.replace('-', ' ')}; a ${wanted.dimension.replace('-', ' ')} is wanted: ${someUnits(wanted)}.`;
}

function someUnits({ dimension, unit }: { dimension: Dimension; unit?: string }): string {
  const units = unitsOf(dimension);
  return [...(unit === undefined ? [] : [unit]), ...units.filter((other) => other !== unit)].slice(0, 8).join(', ');
}

/** Units that differ in capitals only, and the metric's own unit for a bare number. None is chosen for the user. */
function fixesFor(value: string, wanted: Wanted): string[] {
  const match = /^\s*([-+]?\d+(?:\.\d+)?)\s*(\S*)\s*$/.exec(value);
  if (!match || typeof wanted !== 'object') return [];
  const [, amount, unit] = match;
  if (unit === '') return wanted.unit === undefined ? [] : [`${amount} ${wanted.unit}`];
  return unitsOf(wanted.dimension)
    .filter((known) => known.toLowerCase() === unit!.toLowerCase() && known !== unit)
    .map((known) => `${amount} ${known}`);
}

const asFix = (text: string, path: VisitedValue['path'], { document }: CheckContext): Fix[] => fix(`Write ${text}`, replaceValue(document, path, inline(text)));
