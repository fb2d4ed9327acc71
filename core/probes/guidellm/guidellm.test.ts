import { describe, expect, it } from 'vitest';
import { pythonJson } from '../load/testing/bench';
import { guidellmBenchmark, guidellmCsv, guidellmMetric, guidellmOldReport, type GuidellmOptions, guidellmReport } from '../load/testing/others';
import { codesOf, judged, valueOf } from '../load/testing/results';
import { parseText } from '../parse';
import { expectNeverCleaner } from '../testing/mutations';
import { probe } from './index';

const report = (...benchmarks: readonly GuidellmOptions[]): string => pythonJson(guidellmReport(...benchmarks.map((options) => guidellmBenchmark(options))), 2);
const judge = (text: string, end = {}) => judged(probe, text, end);

describe('guidellm: the report', () => {
  it('reads the successful requests, in milliseconds, and its inter-token latency as the time per output token', () => {
    const result = parseText(probe, report({}));
    expect(result).toMatchObject({ outcome: 'measured', reasons: [], context: { guidellmVersion: '0.7.1', configuredRequestRate: 6.5, loadMode: 'open loop', requestRate: 6.5 } });
    expect(['load.completed', 'load.failed', 'load.incomplete', 'load.request_throughput', 'load.output_throughput', 'load.itl'].map((metric) => valueOf(result, metric))).toEqual([1000, 0, 0, 6.5, 830, undefined]);
    expect(['mean', 'p50', 'p75', 'p90', 'p95', 'p99', 'p99.9'].map((stat) => valueOf(result, 'load.e2e', { stat }))).toEqual([1250, 1187.5, 1375, 1750, 2250, 2750, 3500]);
    expect([valueOf(result, 'load.tpot', { stat: 'mean' }), valueOf(result, 'load.ttft', { stat: 'p99' })]).toEqual([12.5, 158.4]);
    expect(result.measurements.find(({ metric }) => metric === 'load.ttft')).toMatchObject({ unit: 'ms', samples: 1000, labels: { strategy: 'constant' } });
  });

  it('reads the report of 0.1 to 0.3', () => {
    const result = parseText(probe, pythonJson(guidellmOldReport()));
    expect([result.outcome, codesOf(result)]).toEqual(['measured', ['load.requests-failed']]);
    expect([valueOf(result, 'load.completed'), valueOf(result, 'load.failed'), valueOf(result, 'load.e2e', { stat: 'mean' })]).toEqual([1000, 3, 1250]);
    expect(result.context).toMatchObject({ concurrency: 16 });
  });

  it('numbers the benchmarks of a sweep and names their strategy', () => {
    const result = parseText(probe, report({ strategy: { type_: 'synchronous' } }, { strategy: { type_: 'throughput' }, successful: 1900 }));
    expect(valueOf(result, 'load.completed', { run: '1', strategy: 'synchronous' })).toBe(1000);
    expect(valueOf(result, 'load.completed', { run: '2', strategy: 'throughput' })).toBe(1900);
  });

  it.each<[string, GuidellmOptions, { outcome: string; codes: string[] }]>([
    ['a few failed', { errored: 4 }, { outcome: 'measured', codes: ['load.requests-failed'] }],
    ['many failed', { errored: 200 }, { outcome: 'inconclusive', codes: ['load.survivors-only'] }],
    ['many were cut off', { incomplete: 160 }, { outcome: 'measured', codes: ['load.incomplete'] }],
    ['the rate was not reached', { strategy: { type_: 'poisson', rate: 20 } }, { outcome: 'measured', codes: ['load.not-delivered'] }],
    ['a time is below 0', { metrics: { time_to_first_token_ms: guidellmMetric(-1_700_000_000) } }, { outcome: 'inconclusive', codes: ['load.impossible'] }],
    ['no time was measured', { metrics: { time_to_first_token_ms: guidellmMetric(0) } }, { outcome: 'inconclusive', codes: ['load.zero-latency'] }],
    ['all failed', { successful: 0, errored: 90 }, { outcome: 'failed', codes: ['load.all-failed'] }],
    ['all were cut off', { successful: 0, incomplete: 90 }, { outcome: 'inconclusive', codes: ['load.none-completed'] }],
  ])('judges that %s', (_, options, expected) => {
    expect(judge(report(options))).toEqual(expected);
  });

  it('reports none of the zeros of empty groups', () => {
    const result = parseText(probe, report({ metrics: { time_to_first_token_ms: guidellmMetric(0, 0) } }));
    expect([result.outcome, valueOf(result, 'load.ttft'), valueOf(result, 'load.tpot', { stat: 'mean' })]).toEqual(['measured', undefined, 12.5]);
    expect(parseText(probe, report({ successful: 0, errored: 90 })).measurements.map(({ metric }) => metric)).toEqual(['load.completed', 'load.failed', 'load.incomplete', 'load.failed_share']);
  });

  it.each<[string, string, string]>([
    ['a benchmark has no metrics', pythonJson(guidellmReport(guidellmBenchmark(), { type_: 'generative_benchmark', metrics: null })), 'load.incomplete-result'],
    ['a benchmark is no object', pythonJson(guidellmReport(guidellmBenchmark(), null)), 'load.incomplete-result'],
    ['requests are not counted', pythonJson(guidellmOldReport({ successful: NaN })), 'load.incomplete-result'],
    ['it has no benchmark', '{"metadata": {"guidellm_version": "0.7.1"}, "benchmarks": []}', 'load.no-result'],
    ['it is cut', report({}).slice(0, -2), 'load.json'],
  ])('is inconclusive when %s', (_, text, code) => {
    expect(judge(text)).toMatchObject({ outcome: 'inconclusive', codes: expect.arrayContaining([code]) as string[] });
  });

  it('is never cleaner when cut or damaged', () => {
    const metrics = Object.fromEntries(['requests_per_second', 'request_latency', 'time_per_output_token_ms', 'inter_token_latency_ms', 'output_tokens_per_second'].map((name) => [name, undefined]));
    expect(expectNeverCleaner(probe, report({ successful: 0, errored: 90, metrics }), {}, { count: 150 })).toBeGreaterThan(250);
    expect(expectNeverCleaner(probe, report({ errored: 200, metrics }), {}, { count: 150 })).toBeGreaterThan(250);
  });
});

describe('guidellm: the CSV', () => {
  it('reads the same as from the report', () => {
    const csv = parseText(probe, guidellmCsv({}));
    expect(csv).toMatchObject({ outcome: 'measured', reasons: [] });
    const comparable = ({ measurements }: typeof csv) => measurements.map(({ line: _, ...rest }) => rest).filter(({ labels }) => labels?.['stat'] !== 'p99.9');
    expect(comparable(csv)).toEqual(comparable(parseText(probe, report({}))));
    expect(csv.measurements.every(({ line }) => line === 4)).toBe(true);
  });

  it('numbers the benchmarks of a sweep', () => {
    const result = parseText(probe, guidellmCsv({ strategy: 'synchronous' }, { strategy: 'throughput', counts: [1900, 0, 0] }));
    expect(result.outcome).toBe('measured');
    expect([valueOf(result, 'load.completed', { run: '1', strategy: 'synchronous' }), valueOf(result, 'load.completed', { run: '2', strategy: 'throughput' })]).toEqual([1000, 1900]);
  });

  const ERRORED = { counts: [800, 0, 200] } as const;
  it.each<[string, string, { outcome: string; codes: string[] }]>([
    ['many failed', guidellmCsv(ERRORED), { outcome: 'inconclusive', codes: ['load.survivors-only'] }],
    ['all failed', guidellmCsv({ counts: [0, 0, 90] }), { outcome: 'failed', codes: ['load.all-failed'] }],
    ['it was not streamed', guidellmCsv({ without: ['Time to First Token|Successful ms', 'Inter Token Latency|Successful ms'] }), { outcome: 'measured', codes: [] }],
    ['a time is below 0', guidellmCsv({ ttftMs: -1_700_000_000 }), { outcome: 'inconclusive', codes: ['load.impossible'] }],
    ['the second benchmark has other columns', guidellmCsv({}, ERRORED), { outcome: 'inconclusive', codes: ['load.unreadable'] }],
    ['the second benchmark has as many columns, but others', guidellmCsv({}, { ...ERRORED, without: ['Time to First Token|Successful ms'] }), { outcome: 'inconclusive', codes: ['load.unreadable'] }],
    ['it ends in a cell', guidellmCsv({}).trimEnd(), { outcome: 'inconclusive', codes: ['load.cut'] }],
    ['it has no benchmark', guidellmCsv({}).split('\r\n').slice(0, 3).join('\r\n'), { outcome: 'inconclusive', codes: ['load.cut'] }],
    ['a cell holds no number', guidellmCsv({}).replace(',1.25,', ',1.2.5,'), { outcome: 'inconclusive', codes: ['load.unreadable'] }],
    ['a list is not whole', guidellmCsv({}).replace(', 216]', ']'), { outcome: 'inconclusive', codes: ['load.unreadable'] }],
    ['a column stands twice', guidellmCsv({}).replace(',Median', ',Mean'), { outcome: 'inconclusive', codes: ['load.ambiguous-key'] }],
    ['only the terminal was saved', 'Run Summary Info\n|=====|=====|\n| Benchmark | Timings |\n| constant  | 12:00:01 |\n', { outcome: 'inconclusive', codes: ['load.no-result'] }],
  ])('judges that %s', (_, text, expected) => {
    expect(judge(text)).toEqual(expected);
  });

  it('is never cleaner when cut or damaged', () => {
    expect(expectNeverCleaner(probe, guidellmCsv({ counts: [0, 0, 90] }), {}, { count: 300 })).toBeGreaterThan(300);
    expect(expectNeverCleaner(probe, guidellmCsv(ERRORED), {}, { count: 300 })).toBeGreaterThan(300);
  });
});
