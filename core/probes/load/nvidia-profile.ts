import type { ProbeDefinition } from '../contract';
import type { ResultCollector } from '../text/result-collector';
import { located } from './bench-json';
import { loadProbe } from './load-probe';
import type { LatencyMetric, LoadRun } from './load-run';
import { type MetricRow, runOfRows, splitMetricName, toMilliseconds } from './metric-rows';
import { expectTool, MetricTableReader } from './metric-table';
import { percentileLatencies } from './percentiles';
import { LOAD_METRICS } from './report';
import { JsonRecord, type JsonValue } from './tolerant-json';

/** The probe of AIPerf or of its forerunner GenAI-Perf: aggregated JSON, one JSON line a request, console table, CSV. */
export function nvidiaProbe(id: string, tool: string): ProbeDefinition {
  return loadProbe({
    id,
    tool,
    metrics: Object.values(LOAD_METRICS).filter((metric) => metric !== LOAD_METRICS.incomplete),
    format: {
      createConsole: () => new MetricTableReader(tool),
      // Older releases of GenAI-Perf print no count.
      requires: tool === 'AIPerf' ? ['completed'] : [],
      readJson: (documents, collector) => readProfiles(documents, collector, tool),
      expected: `the console table, the profile export (JSON or JSON lines) or the CSV of ${tool}`,
      formulas: {
        'formula.tpot': `TPOT: inter_token_latency of ${tool}, (e2e − TTFT) ÷ (output tokens − 1) of a request`,
        'formula.itl': `ITL: inter_chunk_latency of ${tool}, gap between two chunks`,
      },
    },
  });
}

/** Keys that only AIPerf writes: into its profile, and into the lines of single requests. */
const AIPERF_KEYS = ['was_cancelled', 'error_summary', 'metadata'] as const;

function readProfiles(documents: readonly JsonValue[], collector: ResultCollector, tool: string): LoadRun[] {
  const records = documents.filter((document) => document instanceof JsonRecord);
  const foreign = tool === 'AIPerf' ? undefined : records.flatMap((record) => AIPERF_KEYS.flatMap((key) => record.line(key) ?? []))[0];
  if (foreign !== undefined) expectTool('AIPerf', tool, collector, foreign);
  const requests = records.filter((record) => record.record('metadata') !== undefined && (record.has('metrics') || record.has('error')));
  const profiles = records.filter((record) => !requests.includes(record)).flatMap((record) => readProfile(record, collector));
  return requests.length > 0 ? [...profiles, readRequests(requests, collector)] : profiles;
}

function readProfile(record: JsonRecord, collector: ResultCollector): LoadRun[] {
  const rows = record.keys().flatMap((key): MetricRow[] => {
    const metric = record.record(key);
    if (!metric || !(metric.has('avg') || metric.has('value'))) return [];
    const values = metric.keys().flatMap((column) => {
      const found = located(metric, column);
      return found ? [[column, found] as const] : [];
    });
    return [{ name: splitMetricName(key).name, unit: metric.text('unit') ?? '', values: new Map(values) }];
  });
  const run = runOfRows(rows, 0);
  if (!run) return [];
  if (record.get('was_cancelled') === true) collector.doubt('load.cancelled', 'The run was cancelled before its end.', record.line('was_cancelled'));
  addErrorSummary(run, record);
  return [run];
}

/** Counts that are 0 are left out of the report, but the list of errors is always there. */
function addErrorSummary(run: LoadRun, record: JsonRecord): void {
  const entries = record.get('error_summary');
  if (run.failed || !Array.isArray(entries)) return;
  const counts = entries.map((entry) => (entry instanceof JsonRecord ? entry.number('count') : undefined) ?? 1);
  run.failed = { value: counts.reduce((sum, count) => sum + count, 0), line: record.line('error_summary')! };
}

const REQUEST_LATENCIES: readonly (readonly [key: string, metric: LatencyMetric])[] = [
  ['time_to_first_token', 'ttft'],
  ['inter_token_latency', 'tpot'],
  ['inter_chunk_latency', 'itl'],
  ['request_latency', 'e2e'],
];

const isGood = (request: JsonRecord): boolean => request.get('error') === null && request.record('metadata')!.get('was_cancelled') !== true;

function readRequests(requests: readonly JsonRecord[], collector: ResultCollector): LoadRun {
  const measured = requests.filter((request) => request.record('metadata')!.text('benchmark_phase') !== 'warmup');
  const unclear = measured.filter((request) => request.get('error') === undefined).length;
  if (unclear > 0) collector.doubt('load.incomplete-result', `${unclear} requests do not say whether they failed.`);
  const good = measured.filter(isGood);
  const endless = good.filter((request) => !request.record('metrics', 'request_latency')).length;
  if (endless > 0) collector.doubt('load.incomplete-result', `${endless} requests count as completed, but have no latency.`);
  const latencies = REQUEST_LATENCIES.flatMap(([key, metric]) => percentileLatencies(metric, good.flatMap((request) => observations(request.record('metrics', key))), collector));
  return { rounding: 0, latencies, completed: { value: good.length }, failed: { value: measured.length - good.length - unclear } };
}

/** Milliseconds of a request's metric; the gaps between its chunks are a list. What is no time is NaN. */
function observations(metric: JsonRecord | undefined): number[] {
  if (!metric) return [];
  const value = metric.get('value');
  const unit = metric.text('unit') ?? '';
  return (Array.isArray(value) ? value : [value]).map((item) => (typeof item === 'number' ? toMilliseconds(item, unit) : undefined) ?? NaN);
}
