import type { Comparator } from '../../schemas';
import { convert, parseQuantity } from '../document/quantity';
import type { Measurement } from '../probes/contract';

/** A criterion's value, brought into the unit of one measurement. */
export type Threshold = { kind: 'number'; value: number } | { kind: 'text'; values: string[] } | { kind: 'numbers'; values: number[] };

/** The comparison cannot be made; `message` says why and what to change. */
export interface Unreadable {
  problem: string;
}

type RawValue = string | number | (string | number)[];

export function resolveThreshold(raw: RawValue, measurement: Measurement): Threshold | Unreadable {
  if (typeof measurement.value === 'string') {
    return { kind: 'text', values: (Array.isArray(raw) ? raw : [raw]).map(String) };
  }
  if (!Array.isArray(raw)) {
    const value = numberInUnit(raw, measurement);
    return typeof value === 'number' ? { kind: 'number', value } : value;
  }
  const values = raw.map((item) => numberInUnit(item, measurement));
  const problem = values.find((value) => typeof value !== 'number');
  return problem ?? { kind: 'numbers', values: values as number[] };
}

function numberInUnit(raw: string | number, measurement: Measurement): number | Unreadable {
  const bare = typeof raw === 'number' ? raw : /^[-+]?\d+(\.\d+)?$/.test(raw.trim()) ? Number(raw) : undefined;
  if (bare !== undefined) {
    if (measurement.unit === undefined) return bare;
    return { problem: `The threshold ${raw} has no unit, but ${measurement.metric} is measured in ${measurement.unit}. Write the unit.` };
  }
  const quantity = parseQuantity(String(raw));
  if (!quantity) return { problem: `The threshold "${raw}" is not a number with a known unit.` };
  const value = convert(quantity, measurement.unit ?? '1');
  if (value !== undefined) return value;
  const unit = measurement.unit === undefined ? 'a number without unit' : `measured in ${measurement.unit}`;
  return { problem: `The threshold "${raw}" cannot be compared: ${measurement.metric} is ${unit}.` };
}

/**
 * Whether one value meets the bound. Undefined when that cannot be decided: a measurement labelled `bound=lower` (the true
 * value is at least this) or `bound=upper` proves a comparison in one direction only.
 */
export function meets(measurement: Measurement, comparator: Comparator, threshold: Threshold): boolean | undefined {
  const { value } = measurement;
  if (threshold.kind === 'text' || typeof value === 'string') {
    if (threshold.kind !== 'text' || typeof value !== 'string') return undefined;
    return meetsText(value, comparator, threshold.values);
  }
  if (!Number.isFinite(value)) return undefined;
  if (threshold.kind === 'numbers') return comparator === 'in' ? threshold.values.includes(value) : undefined;
  if (measurement.interval) return meetsInterval(measurement.interval, comparator, threshold.value);
  const result = compareNumbers(value, comparator, threshold.value);
  return oneSided(measurement, comparator, result);
}

function meetsText(value: string, comparator: Comparator, wanted: readonly string[]): boolean | undefined {
  const same = wanted.some((text) => text.trim().toLowerCase() === value.trim().toLowerCase());
  if (comparator === '==' || comparator === 'in') return same;
  return comparator === '!=' ? !same : undefined;
}

function compareNumbers(value: number, comparator: Comparator, threshold: number): boolean | undefined {
  switch (comparator) {
    case '>=':
      return value >= threshold;
    case '<=':
      return value <= threshold;
    case '>':
      return value > threshold;
    case '<':
      return value < threshold;
    case '==':
      return value === threshold;
    case '!=':
      return value !== threshold;
    default:
      return undefined;
  }
}

/** The true value lies above `low` and at or below `high`; a missing end is not known. Decided only when every such value agrees. */
function meetsInterval({ low = Number.NEGATIVE_INFINITY, high = Number.POSITIVE_INFINITY }: { low?: number; high?: number }, comparator: Comparator, threshold: number): boolean | undefined {
  switch (comparator) {
    case '<=':
    case '<':
      return compareNumbers(high, comparator, threshold) ? true : low >= threshold ? false : undefined;
    case '>=':
    case '>':
      return low >= threshold ? true : high < threshold ? false : undefined;
    default:
      return low >= threshold || high < threshold ? comparator === '!=' : undefined;
  }
}

function oneSided(measurement: Measurement, comparator: Comparator, result: boolean | undefined): boolean | undefined {
  const bound = measurement.labels?.['bound'];
  if (bound !== 'lower' && bound !== 'upper') return result;
  const wantsHigh = comparator === '>=' || comparator === '>';
  const wantsLow = comparator === '<=' || comparator === '<';
  // "At least x" proves "enough" upwards and "too much" downwards; "at most x" the other way round.
  if (wantsHigh) return result === (bound === 'lower') ? result : undefined;
  if (wantsLow) return result === (bound === 'upper') ? result : undefined;
  return undefined;
}

const SIGNS: Record<Comparator, string> = { '>=': '≥', '<=': '≤', '>': '>', '<': '<', '==': '=', '!=': '≠', in: 'one of' };

export function showExpected(comparator: Comparator, raw: RawValue): string {
  return `${SIGNS[comparator]} ${Array.isArray(raw) ? raw.join(', ') : raw}`;
}

const SHOWN_DIGITS = 6;
/** What a conversion leaves of a number's 17 digits. */
const EXACT_DIGITS = 15;

/** The value in the unit of what is expected, where that has one: `238.6 ms` beside `≤ 500 ms`, whatever the tool wrote. */
export function showMeasured(value: number | string, unit: string | undefined, expected?: RawValue): string {
  if (typeof value === 'string') return unit === undefined ? value : `${value} ${unit}`;
  const wanted = typeof expected === 'string' ? parseQuantity(expected) : undefined;
  const converted = wanted && unit !== undefined ? convert({ value, unit, dimension: wanted.dimension }, wanted.unit) : undefined;
  const [shown, shownUnit, limit] = converted === undefined ? [value, unit, Number(expected)] : [converted, wanted!.unit, wanted!.value];
  const rounded = Number(shown.toPrecision(SHOWN_DIGITS));
  // A value that misses its bound by little must not look as if it met it.
  const text = String(rounded === limit ? Number(shown.toPrecision(EXACT_DIGITS)) : rounded);
  return shownUnit === undefined ? text : `${text} ${shownUnit}`;
}

export function showInterval({ low, high }: { low?: number; high?: number }, unit: string | undefined, expected: RawValue): string {
  const show = (value: number): string => showMeasured(value, unit, expected);
  if (low === undefined) return high === undefined ? 'anywhere' : `at or below ${show(high)}`;
  return high === undefined ? `above ${show(low)}` : `between ${show(low)} and ${show(high)}`;
}
