import type { ResultCollector } from '../text/result-collector';
import { located, present } from '../load/bench-json';
import { type LatencyMetric, type LoadRun, type Located, statName } from '../load/load-run';
import { JsonRecord, type JsonValue } from '../load/tolerant-json';

/** Metric of the report → our metric and the factor to milliseconds (guidellm/benchmark/schemas). */
const LATENCIES: readonly (readonly [key: string, metric: LatencyMetric, factor: number])[] = [
  ['time_to_first_token_ms', 'ttft', 1],
  ['inter_token_latency_ms', 'tpot', 1],
  ['request_latency', 'e2e', 1000],
];
/** Percentile keys write `p999` for 99.9 and `p001` for 0.1. */
const PERCENTILES: Readonly<Record<string, string>> = { p50: 'p50', p75: 'p75', p90: 'p90', p95: 'p95', p99: 'p99', p999: 'p99.9' };

/** The benchmarks of a guidellm report: schema 1 (`run_stats`, 0.1 to 0.3), 2 (`scheduler_metrics`, since 0.4). */
export function readGuidellmReport(documents: readonly JsonValue[], collector: ResultCollector): LoadRun[] {
  const reports = documents.filter((document) => document instanceof JsonRecord);
  for (const report of reports) {
    const version = report.record('metadata')?.text('guidellm_version');
    if (version !== undefined) collector.context['guidellmVersion'] = version;
  }
  return reports.flatMap((report) => {
    const benchmarks = report.get('benchmarks');
    return Array.isArray(benchmarks) ? benchmarks.flatMap((benchmark) => readBenchmark(benchmark, collector, report.line('benchmarks'))) : [];
  });
}

function readBenchmark(benchmark: JsonValue, collector: ResultCollector, line: number | undefined): LoadRun[] {
  const metrics = benchmark instanceof JsonRecord ? benchmark.record('metrics') : undefined;
  if (!(benchmark instanceof JsonRecord) || !metrics) {
    collector.doubt('load.incomplete-result', 'A benchmark of the report has no metrics.', line);
    return [];
  }
  const counts = metrics.record('request_totals') ?? benchmark.record('scheduler_metrics', 'requests_made') ?? benchmark.record('run_stats', 'requests_made') ?? benchmark.record('request_totals');
  const strategy = benchmark.record('config', 'strategy') ?? benchmark.record('args', 'strategy') ?? benchmark.record('scheduler', 'strategy');
  const name = strategy?.text('type_');
  return [
    {
      rounding: 0,
      latencies: LATENCIES.flatMap(([key, metric, factor]) => readLatency(metrics, key, metric, factor)),
      ...present('completed', counts && located(counts, 'successful')),
      ...present('failed', counts && located(counts, 'errored')),
      ...present('incomplete', counts && located(counts, 'incomplete')),
      ...present('requestThroughput', meanOf(metrics, 'requests_per_second')),
      ...present('outputThroughput', meanOf(metrics, 'output_tokens_per_second')),
      ...present('configuredRate', name === 'constant' || name === 'async' || name === 'poisson' ? located(strategy!, 'rate') : undefined),
      ...present('concurrencyLimit', name === 'concurrent' ? located(strategy!, 'streams', 'max_concurrency') : undefined),
      ...present('labels', name === undefined ? undefined : { strategy: name }),
    },
  ];
}

/** Groups of failed and cut requests are full of zeros; only the successful ones measure anything. */
const successful = (metrics: JsonRecord, key: string): JsonRecord | undefined => {
  const group = metrics.record(key, 'successful');
  return group && (group.number('count') ?? 0) > 0 ? group : undefined;
};

function meanOf(metrics: JsonRecord, key: string): Located | undefined {
  const group = successful(metrics, key);
  return group && located(group, 'mean');
}

function readLatency(metrics: JsonRecord, key: string, metric: LatencyMetric, factor: number): LoadRun['latencies'] {
  const group = successful(metrics, key);
  if (!group) return [];
  const percentiles = group.record('percentiles');
  const named: [string, Located | undefined][] = [
    ['mean', located(group, 'mean')],
    [statName('median')!, located(group, 'median')],
    ...Object.entries(PERCENTILES).filter(([name]) => name !== 'p50').map(([name, stat]): [string, Located | undefined] => [stat, percentiles && located(percentiles, name)]),
  ];
  return named.flatMap(([stat, found]) => (found ? [{ ...found, metric, stat, value: found.value * factor }] : []));
}
