import type { ResultCollector } from '../text/result-collector';
import { type BenchDialect, dialectOfKeys, expectDialect } from './bench-dialect';
import { guardDetails } from './bench-details';
import { type LatencyMetric, type LoadRun, type Located, statName } from './load-run';
import { JsonRecord, type JsonValue } from './tolerant-json';

const LATENCY_KEY = /^(mean|median|p\d+(?:\.\d+)?)_(ttft|tpot|itl|e2el|e2e_latency|e2el_including_client_queue)_ms$/;
const METRICS: Readonly<Record<string, LatencyMetric>> = { ttft: 'ttft', tpot: 'tpot', itl: 'itl', e2el: 'e2e', e2e_latency: 'e2e' };
/** Present only in results of a client that counts its own queue: then it is what a user waited. */
const WITH_QUEUE = 'e2el_including_client_queue';

/** The number of a key, under the first of its names that the record has. */
export function located(record: JsonRecord, ...names: readonly string[]): Located | undefined {
  for (const name of names) {
    const value = record.number(name);
    const line = record.line(name);
    if (value !== undefined) return { value, ...(line === undefined ? {} : { line }) };
  }
  return undefined;
}

/** Adds `key: value` only when there is a value. */
export function present<K extends string, V>(key: K, value: V | undefined): Partial<Record<K, V>> {
  return value === undefined ? {} : ({ [key]: value } as Record<K, V>);
}

/** Result objects of `vllm bench serve` and sglang.bench_serving; others are left out. */
export function readBenchResults(documents: readonly JsonValue[], collector: ResultCollector, dialect: BenchDialect): LoadRun[] {
  const records = documents.flat().filter((document) => document instanceof JsonRecord);
  return records.filter((record) => record.has('completed') || record.has('request_throughput')).map((record) => {
    const run = readResult(record);
    expectDialect(dialectOfKeys(record.keys()), dialect, collector, run.completed?.line);
    guardDetails(record, run, collector);
    return run;
  });
}

function readResult(record: JsonRecord): LoadRun {
  const completed = located(record, 'completed');
  const requested = located(record, 'num_prompts');
  return {
    rounding: 0,
    latencies: readLatencies(record),
    ...present('completed', completed),
    ...present('failed', located(record, 'failed') ?? derivedFailures(record, requested, completed)),
    ...present('requested', requested),
    ...present('durationS', located(record, 'duration')),
    ...present('inputTokens', located(record, 'total_input_tokens')),
    ...present('outputTokens', located(record, 'total_output_tokens')),
    ...present('retokenizedTokens', located(record, 'total_output_tokens_retokenized')),
    ...present('requestThroughput', located(record, 'request_throughput')),
    ...present('outputThroughput', record.has('total_output_tokens') ? located(record, 'output_throughput') : undefined),
    // One release line wrote the key with a colon.
    ...present('goodput', located(record, 'request_goodput', 'request_goodput:')),
    ...present('configuredRate', configuredRate(record)),
    ...present('concurrencyLimit', located(record, 'max_concurrency')),
  };
}

/** Results of embedding models never had a count of failures; what was asked for and not completed failed. */
function derivedFailures(record: JsonRecord, requested: Located | undefined, completed: Located | undefined): Located | undefined {
  if (record.has('failed') || !requested || !completed || completed.value > requested.value) return undefined;
  return { value: requested.value - completed.value, ...present('line', requested.line) };
}

function configuredRate(record: JsonRecord): Located | undefined {
  const value = record.get('request_rate');
  if (value === 'inf' || value === Infinity) return { value: Infinity, ...present('line', record.line('request_rate')) };
  return located(record, 'request_rate');
}

function readLatencies(record: JsonRecord): LoadRun['latencies'] {
  const matches = record.keys().flatMap((key) => {
    const match = LATENCY_KEY.exec(key);
    const value = match ? record.number(key) : undefined;
    const stat = match ? statName(match[1]!) : undefined;
    return match && stat !== undefined && value !== undefined ? [{ key, stat, isMedian: match[1] === 'median', source: match[2]!, value }] : [];
  });
  const countsQueue = matches.some(({ source }) => source === WITH_QUEUE);
  const hasMedian = new Set(matches.filter(({ isMedian }) => isMedian).map(({ source }) => source));
  return matches
    .filter(({ source }) => !(countsQueue && source === 'e2el'))
    // The median and p50 are the same statistic; some results hold both.
    .filter(({ source, stat, isMedian }) => stat !== 'p50' || isMedian || !hasMedian.has(source))
    .map(({ key, stat, source, value }) => ({ metric: source === WITH_QUEUE ? 'e2e' : METRICS[source]!, stat, value, ...present('line', record.line(key)) }));
}
