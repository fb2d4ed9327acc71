import type { ResultCollector } from '../text/result-collector';
import { located, present } from '../load/bench-json';
import { type LatencyMetric, type LoadRun, statName } from '../load/load-run';
import { percentileLatencies } from '../load/percentiles';
import { JsonRecord, type JsonValue } from '../load/tolerant-json';

const MS_PER_S = 1000;
const SECONDS_PER_MINUTE = 60;
const SUMMARY_KEY = /^results_(ttft_s|end_to_end_latency_s)_(?:quantiles_)?(mean|p\d+)$/;
const METRICS: Readonly<Record<string, LatencyMetric>> = { ttft_s: 'ttft', end_to_end_latency_s: 'e2e' };

/** Summary objects with flat keys, and arrays of single responses (llmperf token_benchmark_ray.py). */
export function readLlmperf(documents: readonly JsonValue[], collector: ResultCollector): LoadRun[] {
  return documents.flatMap((document) => {
    if (Array.isArray(document)) return readResponses(document, collector);
    return document instanceof JsonRecord && document.keys().some((key) => key.startsWith('results_')) ? [readSummary(document)] : [];
  });
}

function readSummary(record: JsonRecord): LoadRun {
  const perMinute = located(record, 'results_num_completed_requests_per_min');
  return {
    rounding: 0,
    latencies: record.keys().flatMap((key) => {
      const match = SUMMARY_KEY.exec(key);
      const found = match ? located(record, key) : undefined;
      const stat = match ? statName(match[2]!) : undefined;
      return match && found && stat !== undefined ? [{ ...found, metric: METRICS[match[1]!]!, stat, value: found.value * MS_PER_S }] : [];
    }),
    ...present('completed', located(record, 'results_num_completed_requests')),
    ...present('failed', located(record, 'results_number_errors')),
    ...present('requested', located(record, 'results_num_requests_started')),
    ...present('requestThroughput', perMinute && { ...perMinute, value: perMinute.value / SECONDS_PER_MINUTE }),
    ...present('outputThroughput', located(record, 'results_mean_output_throughput_token_per_s')),
    ...present('concurrencyLimit', located(record, 'num_concurrent_requests')),
  };
}

/** Rows of failed responses carry 0 for every time. */
function readResponses(items: readonly JsonValue[], collector: ResultCollector): LoadRun[] {
  const rows = items.filter((item) => item instanceof JsonRecord && item.has('error_code')) as JsonRecord[];
  if (rows.length === 0) return [];
  if (rows.length < items.length) collector.doubt('load.incomplete-result', `${items.length - rows.length} responses do not say whether they failed.`);
  const good = rows.filter((row) => row.get('error_code') === null);
  const values = (key: string): number[] => good.map((row) => row.number(key) ?? NaN);
  const latencies = ['ttft_s', 'end_to_end_latency_s'].flatMap((key) => percentileLatencies(METRICS[key]!, values(key).map((seconds) => seconds * MS_PER_S), collector));
  const outputTokens = values('number_output_tokens').reduce((sum, tokens) => sum + tokens, 0);
  return [{ rounding: 0, latencies, completed: { value: good.length }, failed: { value: rows.length - good.length }, ...(Number.isFinite(outputTokens) ? { outputTokens: { value: outputTokens } } : {}) }];
}
