/**
 * Quantities with units, as briefs, cards and measurements write them. Nothing is guessed: `GB` is 10^9 bytes, `GiB` is 2^30,
 * and a conversion between dimensions does not exist.
 */

export type Dimension =
  | 'memory'
  | 'time'
  | 'bandwidth'
  | 'power'
  | 'temperature'
  | 'frequency'
  | 'request-rate'
  | 'token-rate'
  | 'ratio'
  | 'compute-rate';

export interface Quantity {
  value: number;
  unit: string;
  dimension: Dimension;
}

interface Unit {
  dimension: Dimension;
  /** Value of one unit in the dimension's base unit (B, s, B/s, W, Cel, Hz, 1/s, tok/s, 1, FLOP/s). */
  factor: number;
}

const decimal = { '': 1, k: 1e3, M: 1e6, G: 1e9, T: 1e12, P: 1e15 };
const binary = { Ki: 2 ** 10, Mi: 2 ** 20, Gi: 2 ** 30, Ti: 2 ** 40, Pi: 2 ** 50 };

const UNITS = new Map<string, Unit>();
const define = (dimension: Dimension, units: Record<string, number>): void => {
  for (const [unit, factor] of Object.entries(units)) UNITS.set(unit, { dimension, factor });
};
const prefixed = (prefixes: Record<string, number>, symbol: string, factor = 1): Record<string, number> =>
  Object.fromEntries(Object.entries(prefixes).map(([prefix, power]) => [prefix + symbol, power * factor]));

define('memory', { ...prefixed(decimal, 'B'), ...prefixed(binary, 'B') });
define('bandwidth', { ...prefixed(decimal, 'B/s'), ...prefixed(binary, 'B/s'), ...prefixed(decimal, 'bit/s', 1 / 8), Gbps: 1e9 / 8, Mbps: 1e6 / 8 });
define('time', { ns: 1e-9, us: 1e-6, 'µs': 1e-6, ms: 1e-3, s: 1, min: 60, h: 3600, d: 86_400 });
define('power', { mW: 1e-3, W: 1, kW: 1e3 });
define('temperature', { Cel: 1, C: 1, '°C': 1 });
define('frequency', { Hz: 1, kHz: 1e3, MHz: 1e6, GHz: 1e9 });
define('request-rate', { 'req/s': 1, 'req/min': 1 / 60 });
define('token-rate', { 'tok/s': 1, 'tok/min': 1 / 60 });
define('ratio', { '%': 0.01, '1': 1 });
define('compute-rate', { 'FLOP/s': 1, 'GFLOP/s': 1e9, 'TFLOP/s': 1e12, GFLOPS: 1e9, TFLOPS: 1e12 });

/** Undefined when the text is not a number followed by a known unit. */
export function parseQuantity(text: string): Quantity | undefined {
  const match = /^\s*([-+]?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?)\s*(\S+)\s*$/.exec(text);
  const unit = match?.[2];
  const known = unit === undefined ? undefined : UNITS.get(unit);
  return known && { value: Number(match![1]), unit: unit!, dimension: known.dimension };
}

/** The value in another unit; undefined when that unit is unknown or measures something else. */
export function convert(quantity: Quantity, unit: string): number | undefined {
  const from = UNITS.get(quantity.unit);
  const to = UNITS.get(unit);
  if (!from || !to || from.dimension !== to.dimension) return undefined;
  return quantity.unit === unit ? quantity.value : (quantity.value * from.factor) / to.factor;
}

export function dimensionOf(unit: string): Dimension | undefined {
  return UNITS.get(unit)?.dimension;
}

export function unitsOf(dimension: Dimension): string[] {
  return [...UNITS].filter(([, unit]) => unit.dimension === dimension).map(([name]) => name);
}
