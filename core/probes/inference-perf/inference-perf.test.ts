import { describe, expect, it } from 'vitest';
import { pythonJson } from '../load/testing/bench';
import { lifecycle, type LifecycleOptions } from '../load/testing/others';
import { codesOf, judged, valueOf } from '../load/testing/results';
import { parseText } from '../parse';
import { expectNeverCleaner } from '../testing/mutations';
import { probe } from './index';

const file = (options: LifecycleOptions = {}): string => pythonJson(lifecycle(options), 1);
const judge = (text: string, end = {}) => judged(probe, text, end);
/** The summary beside it, which holds the server's view. */
const SERVER_SIDE = pythonJson({ load_summary: {}, successes: { count: 500, rate: 10, request_latency: { mean: 2.1, p99: 4 }, time_to_first_token: { mean: 0.07 }, kv_cache_usage_percentage: { mean: 0 } }, failures: {} });

describe('inference-perf: lifecycle metrics', () => {
  it('turns seconds into milliseconds', () => {
    const result = parseText(probe, file());
    expect(result).toMatchObject({ outcome: 'measured', reasons: [], context: { configuredRequestRate: 10, requestRate: 10, loadMode: 'open loop' } });
    expect(['load.completed', 'load.failed', 'load.request_throughput', 'load.output_throughput'].map((metric) => valueOf(result, metric))).toEqual([1000, 0, 10, 1600]);
    expect(['mean', 'p50', 'p75', 'p90', 'p95', 'p99', 'p99.9'].map((stat) => valueOf(result, 'load.ttft', { stat }))).toEqual([80, 76, 96, 120, 136, 160, 192]);
    expect(['tpot', 'itl', 'e2e'].map((name) => valueOf(result, `load.${name}`, { stat: 'mean' }))).toEqual([12.5, 12.8, 2100]);
    expect(result.measurements.some(({ labels }) => labels?.['stat'] === 'p25' || labels?.['stat'] === 'p0.1')).toBe(false);
  });

  it('leaves out what is null or NaN', () => {
    const result = parseText(probe, file({ successes: { latency: { request_latency: { mean: 2.1, p99: NaN }, time_to_first_token: null } } }));
    expect([result.outcome, valueOf(result, 'load.e2e', { stat: 'p99' }), valueOf(result, 'load.ttft')]).toEqual(['measured', undefined, undefined]);
  });

  it.each<[string, LifecycleOptions, { outcome: string; codes: string[] }]>([
    ['a few failed', { failed: 5 }, { outcome: 'measured', codes: ['load.requests-failed'] }],
    ['many failed', { failed: 200 }, { outcome: 'inconclusive', codes: ['load.survivors-only'] }],
    ['all failed', { count: 0, failed: 500 }, { outcome: 'failed', codes: ['load.all-failed'] }],
    ['all failed, and no latency is given', { count: 0, failed: 500, successes: { latency: undefined } }, { outcome: 'failed', codes: ['load.all-failed'] }],
    ['the client was late', { load: { schedule_delay: { mean: 41.5 } } }, { outcome: 'measured', codes: ['load.late'] }],
    ['the rate was not reached', { load: { requested_rate: 40 } }, { outcome: 'measured', codes: ['load.not-delivered'] }],
    ['some requests are missing', { load: { count: 1020 } }, { outcome: 'inconclusive', codes: ['load.requests-unaccounted'] }],
    ['failures are not counted', { over: { failures: {} }, load: { count: 1000 } }, { outcome: 'inconclusive', codes: ['load.incomplete-result', 'load.failures-unknown'] }],
    ['there is no latency', { successes: { latency: {} } }, { outcome: 'inconclusive', codes: ['load.no-latency'] }],
    ['successes are null', { over: { successes: null } }, { outcome: 'inconclusive', codes: ['load.incomplete-result'] }],
  ])('judges that %s', (_, options, expected) => {
    expect(judge(file(options))).toEqual(expected);
  });

  it('does not take the values of the server for those of the client', () => {
    const result = parseText(probe, SERVER_SIDE);
    expect([result.outcome, codesOf(result), result.measurements]).toEqual(['inconclusive', ['load.server-side'], []]);
  });

  it('reads several stages behind each other', () => {
    const result = parseText(probe, file() + file({ count: 1900, successes: { throughput: { requests_per_sec: 18 } } }));
    expect([valueOf(result, 'load.completed', { run: '1' }), valueOf(result, 'load.request_throughput', { run: '2' })]).toEqual([1000, 18]);
  });

  it('is never cleaner when cut or damaged', () => {
    expect(expectNeverCleaner(probe, file({ count: 0, failed: 500 }), {}, { count: 150 })).toBeGreaterThan(250);
    expect(expectNeverCleaner(probe, SERVER_SIDE, {}, { count: 150 })).toBeGreaterThan(250);
  });
});
