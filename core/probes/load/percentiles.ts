import type { LatencyMetric, LoadRun } from './load-run';

const STATS: readonly (readonly [stat: string, quantile: number])[] = [['p50', 0.5], ['p90', 0.9], ['p95', 0.95], ['p99', 0.99]];

/** Mean and percentiles of single observations in milliseconds, interpolated linearly between ranks as numpy does. */
export function percentileLatencies(metric: LatencyMetric, values: readonly number[]): LoadRun['latencies'] {
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
