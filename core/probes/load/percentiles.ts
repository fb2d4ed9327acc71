import type { ResultCollector } from '../text/result-collector';
import type { LatencyMetric, LoadRun } from './load-run';

const STATS: readonly (readonly [stat: string, quantile: number])[] = [['p50', 0.5], ['p90', 0.9], ['p95', 0.95], ['p99', 0.99]];

/**
 * Mean and percentiles of single observations in milliseconds, interpolated linearly between ranks as numpy does. One observation
 * that cannot be (NaN, negative, an answer in no time) hides in a mean, so all of the metric's are refused.
 */
export function percentileLatencies(metric: LatencyMetric, values: readonly number[], collector: ResultCollector): LoadRun['latencies'] {
  const mayBeZero = metric === 'tpot' || metric === 'itl';
  const impossible = values.find((value) => !Number.isFinite(value) || value < 0 || (value === 0 && !mayBeZero));
  if (impossible !== undefined) {
    collector.doubt('load.impossible', `A request counts as completed with a ${metric} of ${impossible} ms.`);
    return [];
  }
  if (values.length === 0) return [];
  const sorted = [...values].sort((a, b) => a - b);
  const mean = sorted.reduce((sum, value) => sum + value, 0) / sorted.length;
  return [{ metric, stat: 'mean', value: mean }, ...STATS.map(([stat, quantile]) => ({ metric, stat, value: interpolated(sorted, quantile) }))];
}

function interpolated(sorted: readonly number[], quantile: number): number {
  const rank = quantile * (sorted.length - 1);
  const low = Math.floor(rank);
  const below = sorted[low]!;
  return below + ((sorted[low + 1] ?? below) - below) * (rank - low);
}
