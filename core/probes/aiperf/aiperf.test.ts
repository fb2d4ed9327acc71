import { describe, expect, it } from 'vitest';
import { pythonJson } from '../load/testing/bench';
import { aiperfProfile, aiperfRequest, aiperfRequests, CONSOLE_METRICS, errorTable, metricCsv, metricTable } from '../load/testing/nvidia';
import { codesOf, judged, valueOf } from '../load/testing/results';
import { parseText } from '../parse';
import { expectNeverCleaner } from '../testing/mutations';
import { probe } from './index';

const judge = (text: string, end = {}) => judged(probe, text, end);
const profile = (over = {}): string => pythonJson(aiperfProfile(over), 2);
const FAILED = { error: { code: 503, type: 'Overload', message: 'try again' }, metrics: {} };

describe('AIPerf: the profile', () => {
  it('reads its words as those of other tools: its inter-token latency is the time per output token', () => {
    const result = parseText(probe, profile());
    expect(result).toMatchObject({ outcome: 'measured', reasons: [] });
    expect(['load.completed', 'load.failed', 'load.request_throughput', 'load.output_throughput'].map((metric) => valueOf(result, metric))).toEqual([180, 0, 4, 760]);
    expect(['ttft', 'tpot', 'itl', 'e2e'].map((name) => valueOf(result, `load.${name}`, { stat: 'p99' }))).toEqual([127, 18.2, 18.8, 3460]);
    expect(result.context).toMatchObject({ inputTokens: 512, outputTokens: 190, durationMs: 45_000, requestRate: 4, 'formula.tpot': expect.stringContaining('inter_token_latency') as string });
  });

  it('keeps to the unit that stands beside the value', () => {
    const result = parseText(probe, profile({ time_to_first_token: { unit: 'sec', avg: 0.0635, p99: 0.127 }, request_latency: { unit: 'us', avg: 1_730_000 }, inter_token_latency: { unit: 'ns', avg: 9_100_000 }, inter_chunk_latency: { unit: 'requests', avg: 9 } }));
    expect(['ttft', 'tpot', 'itl', 'e2e'].map((name) => valueOf(result, `load.${name}`, { stat: 'mean' }))).toEqual([63.5, 9.1, undefined, 1730]);
  });

  it('counts errors by their list when the count is left out', () => {
    const summary = parseText(probe, profile({ error_summary: [{ error_details: { code: 503 }, count: 12 }, { error_details: { code: 400 } }, 'timeout'] }));
    expect([valueOf(summary, 'load.failed'), codesOf(summary)]).toEqual([14, ['load.requests-failed']]);
    expect(valueOf(parseText(probe, profile({ error_request_count: { unit: 'requests', avg: 7 } })), 'load.failed')).toBe(7);
    expect(valueOf(parseText(probe, profile({ error_summary: undefined })), 'load.failed')).toBeUndefined();
  });

  it('reads goodput, and leaves out what is missing or NaN', () => {
    const result = parseText(probe, profile({ goodput: { unit: 'requests/sec', avg: 3 }, inter_chunk_latency: undefined, time_to_first_token: { unit: 'ms', avg: NaN, p99: 127 } }));
    expect(['load.goodput', 'load.goodput_share', 'load.itl'].map((metric) => valueOf(result, metric))).toEqual([3, 0.75, undefined]);
    expect([valueOf(result, 'load.ttft', { stat: 'mean' }), valueOf(result, 'load.ttft', { stat: 'p99' })]).toEqual([undefined, 127]);
  });

  it.each<[string, string, string]>([
    ['the run was cancelled', profile({ was_cancelled: true }), 'load.cancelled'],
    ['requests are not counted', profile({ request_count: undefined }), 'load.incomplete-result'],
    ['only errors are in it', pythonJson({ error_request_count: { unit: 'requests', avg: 40 }, was_cancelled: false, error_summary: [] }), 'load.no-latency'],
    ['a first token came in no time', profile({ time_to_first_token: { unit: 'ms', avg: 40, p50: 0 } }), 'load.zero-latency'],
    ['the throughput does not follow from count and duration', profile({ request_throughput: { unit: 'requests/sec', avg: 9 } }), 'load.inconsistent'],
    ['seconds are called milliseconds and back', profile({ request_latency: { unit: 's', avg: 1730 } }), 'load.inconsistent'],
    ['it is cut', profile().slice(0, -4), 'load.json'],
    ['it holds settings only', '{"input_config": {"endpoint": "x"}, "constructor": {"avg": 3}}', 'load.no-result'],
  ])('is inconclusive when %s', (_, text, code) => {
    expect(judge(text)).toMatchObject({ outcome: 'inconclusive', codes: expect.arrayContaining([code]) as string[] });
  });

  it('is never cleaner when cut or damaged', () => {
    expect(expectNeverCleaner(probe, profile({ was_cancelled: true }), {}, { count: 150 })).toBeGreaterThan(250);
    expect(expectNeverCleaner(probe, profile({ request_count: { unit: 'requests', avg: 0 }, error_request_count: { unit: 'requests', avg: 180 } }), {}, { count: 150 })).toBeGreaterThan(250);
  });
});

describe('AIPerf: one line a request', () => {
  it('computes mean and percentiles of the requests that succeeded, as numpy does', () => {
    const result = parseText(probe, aiperfRequests(101, aiperfRequest(0, FAILED)));
    expect([result.outcome, codesOf(result)]).toEqual(['measured', ['load.requests-failed']]);
    expect([valueOf(result, 'load.completed'), valueOf(result, 'load.failed')]).toEqual([101, 1]);
    expect(['mean', 'p50', 'p90', 'p95', 'p99'].map((stat) => valueOf(result, 'load.ttft', { stat }))).toEqual([100, 100, 140, 145, 149]);
    expect(valueOf(result, 'load.e2e', { stat: 'p99' })).toBeCloseTo(2490, 6);
    expect(valueOf(result, 'load.tpot', { stat: 'mean' })).toBeCloseTo(9.05, 6);
    expect(valueOf(result, 'load.itl', { stat: 'mean' })).toBeCloseTo(9.5, 6);
  });

  it('leaves the warm-up out', () => {
    const warmUp = aiperfRequest(0, { metadata: { benchmark_phase: 'warmup' }, metrics: { time_to_first_token: { value: 9000, unit: 'ms' } } });
    const result = parseText(probe, aiperfRequests(100, warmUp));
    expect([valueOf(result, 'load.completed'), valueOf(result, 'load.failed'), valueOf(result, 'load.ttft', { stat: 'p99' })]).toEqual([100, 0, 148.01]);
  });

  it('counts cancelled requests and those without metrics as failed', () => {
    const text = aiperfRequests(100, aiperfRequest(0, { metadata: { was_cancelled: true } }), aiperfRequest(1, { ...FAILED, metrics: null }), aiperfRequest(2, { ...FAILED, metrics: undefined }));
    expect([valueOf(parseText(probe, text), 'load.completed'), valueOf(parseText(probe, text), 'load.failed')]).toEqual([100, 3]);
  });

  it('fails when each one failed', () => {
    expect(judge(aiperfRequests(0, aiperfRequest(0, FAILED), aiperfRequest(1, FAILED)))).toEqual({ outcome: 'failed', codes: ['load.all-failed'] });
  });

  it.each<[string, Record<string, unknown>, string]>([
    ['does not say whether it failed', { error: undefined }, 'load.incomplete-result'],
    ['has no latency', { metrics: { time_to_first_token: { value: 50, unit: 'ms' } } }, 'load.incomplete-result'],
    ['has a latency that is NaN', { metrics: { request_latency: { value: NaN, unit: 'ms' } } }, 'load.impossible'],
    ['has a latency of 0', { metrics: { request_latency: { value: 0, unit: 'ms' } } }, 'load.impossible'],
    ['has a latency below 0', { metrics: { request_latency: { value: 100, unit: 'ms' }, time_to_first_token: { value: -3, unit: 'ms' } } }, 'load.impossible'],
    ['has a latency without a unit', { metrics: { request_latency: { value: 100 } } }, 'load.impossible'],
  ])('is inconclusive when one request %s', (_, over, code) => {
    const text = aiperfRequests(100) + pythonJson(aiperfRequest(0, over));
    expect(judge(text)).toMatchObject({ outcome: 'inconclusive', codes: expect.arrayContaining([code]) as string[] });
  });

  it('is never cleaner when cut or damaged', () => {
    expect(expectNeverCleaner(probe, aiperfRequests(0, aiperfRequest(0, FAILED), aiperfRequest(1, FAILED)), {}, { count: 150 })).toBeGreaterThan(250);
  });
});

describe('AIPerf: tables', () => {
  const table = metricTable({ tool: 'AIPerf' });

  it('adds the errors of the table below', () => {
    const result = parseText(probe, table + errorTable(4));
    expect([result.outcome, valueOf(result, 'load.completed'), valueOf(result, 'load.failed'), codesOf(result)]).toEqual(['measured', 310, 4, ['load.requests-failed']]);
  });

  it('tells runs apart', () => {
    const slow = metricTable({ tool: 'AIPerf', metrics: CONSOLE_METRICS.map(([name, ...cells]) => (name.startsWith('Time to') ? [name, '700.00', '40.00', '1,900.00', '1,600.00', '1,100.00', '660.00'] : [name, ...cells])) });
    const result = parseText(probe, table + errorTable(2) + slow + errorTable(9));
    expect(['1', '2'].map((run) => [valueOf(result, 'load.ttft', { run, stat: 'p99' }), valueOf(result, 'load.failed', { run })])).toEqual([[160.35, 2], [1600, 9]]);
  });

  it('reads the comma-separated export, and doubts one that ends in a row', () => {
    const result = parseText(probe, metricCsv());
    expect([result.outcome, valueOf(result, 'load.e2e', { stat: 'mean' }), valueOf(result, 'load.request_throughput')]).toEqual(['measured', 1904.12, 6.2]);
    expect(judge(metricCsv().trimEnd())).toMatchObject({ outcome: 'inconclusive', codes: expect.arrayContaining(['load.cut']) as string[] });
    expect(judge(metricCsv().split('\n').slice(0, 6).join('\n') + '\n')).toMatchObject({ outcome: 'inconclusive', codes: expect.arrayContaining(['load.cut']) as string[] });
  });

  it('is inconclusive with a table of GenAI-Perf', () => {
    expect(judge(metricTable())).toMatchObject({ outcome: 'inconclusive', codes: expect.arrayContaining(['load.other-tool']) as string[] });
  });
});
