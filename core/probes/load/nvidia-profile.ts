import type { ProbeDefinition } from '../contract';
import type { ResultCollector } from '../text/result-collector';
import { located } from './bench-json';
import { loadProbe } from './load-probe';
import type { LatencyMetric, LoadRun } from './load-run';
import { type MetricRow, runOfRows, splitMetricName, toMilliseconds } from './metric-rows';
import { MetricTableReader } from './metric-table';
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
      createConsole: () => new MetricTableReader(),
      readJson: readProfiles,
      expected: `the console table, the profile export (JSON or JSON lines) or the CSV of ${tool}`,
      formulas: {
        'formula.tpot': `TPOT: inter_token_latency of ${tool}, (e2e − TTFT) ÷ (output tokens − 1) of a request`,
        'formula.itl': `ITL: inter_chunk_latency of ${tool}, gap between two chunks`,
      },
    },
  });
}

function readProfiles(documents: readonly JsonValue[], collector: ResultCollector): LoadRun[] {
  const records = documents.filter((document) => document instanceof JsonRecord);
  const requests = records.filter((record) => record.record('metadata') !== undefined && record.record('metrics') !== undefined);
  const profiles = records.filter((record) => !requests.includes(record)).flatMap((record) => readProfile(record, collector));
  return requests.length > 0 ? [...profiles, readRequests(requests)] : profiles;
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
  if (run.failed || !Array.isArray(record.get('error_summary'))) return;
  const counts = record.records('error_summary').map((entry) => entry.number('count') ?? 1);
  run.failed = { value: counts.reduce((sum, count) => sum + count, 0), line: record.line('error_summary')! };
}

const REQUEST_LATENCIES: Readonly<Record<string, LatencyMetric>> = { time_to_first_token: 'ttft', inter_token_latency: 'tpot', inter_chunk_latency: 'itl', request_latency: 'e2e' };

function readRequests(requests: readonly JsonRecord[]): LoadRun {
  const measured = requests.filter((request) => request.record('metadata')!.text('benchmark_phase') !== 'warmup');
  const good = measured.filter((request) => request.get('error') === null && request.record('metadata')!.get('was_cancelled') !== true);
  const latencies = Object.entries(REQUEST_LATENCIES).flatMap(([key, metric]) => percentileLatencies(metric, good.flatMap((request) => observations(request.record('metrics', key)))));
  return { rounding: 0, latencies, completed: { value: good.length }, failed: { value: measured.length - good.length } };
}

/** Milliseconds of a request's metric; the gaps between its chunks are a list. */
function observations(metric: JsonRecord | undefined): number[] {
  const value = metric?.get('value');
  const unit = metric?.text('unit') ?? '';
  const all = Array.isArray(value) ? value : [value];
  return all.flatMap((item) => (typeof item === 'number' ? (toMilliseconds(item, unit) ?? []) : []));
}
