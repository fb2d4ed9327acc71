/** Statistics over several measurements of one criterion. */

export type Statistic = 'every' | 'min' | 'max' | 'mean' | 'median' | 'p50' | 'p90' | 'p95' | 'p99' | 'last' | 'sum' | 'count';

const QUANTILES: Partial<Record<Statistic, number>> = { median: 0.5, p50: 0.5, p90: 0.9, p95: 0.95, p99: 0.99 };

/**
 * Reduces values to one. `every` has no single value and is judged per measurement, so it is not accepted here.
 * A quantile is the nearest-rank one: the smallest value that at least that share of the values does not pass. It is a value
 * that was really measured, never an interpolation.
 */
export function reduceValues(values: readonly number[], statistic: Exclude<Statistic, 'every'>): number | undefined {
  if (statistic === 'count') return values.length;
  if (values.length === 0) return undefined;
  const quantile = QUANTILES[statistic];
  if (quantile !== undefined) return nearestRank(values, quantile);
  switch (statistic) {
    case 'min':
      return values.reduce((a, b) => Math.min(a, b));
    case 'max':
      return values.reduce((a, b) => Math.max(a, b));
    case 'sum':
      return values.reduce((a, b) => a + b, 0);
    case 'mean':
      return values.reduce((a, b) => a + b, 0) / values.length;
    default:
      return values.at(-1);
  }
}

function nearestRank(values: readonly number[], quantile: number): number | undefined {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(quantile * sorted.length) - 1)];
}
