import { describe, expect, it } from 'vitest';
import { pythonJson } from '../load/testing/bench';
import { LLMPERF_REFUSED, llmperfResponse, llmperfResponses, llmperfSummary } from '../load/testing/others';
import { codesOf, judged, valueOf } from '../load/testing/results';
import { parseText } from '../parse';
import { expectNeverCleaner } from '../testing/mutations';
import { probe } from './index';

const judge = (text: string, end = {}) => judged(probe, text, end);
const summary = (over = {}): string => pythonJson(llmperfSummary(over), 4);
const array = (items: readonly unknown[]): string => pythonJson(items, 4);
const BROKEN = { ...LLMPERF_REFUSED, error_code: -1, error_msg: 'Connection reset' };

describe('llmperf: the summary', () => {
  it('turns seconds into milliseconds and does not use its inter-token latency', () => {
    const result = parseText(probe, summary());
    expect(result).toMatchObject({ outcome: 'measured', reasons: [], context: { concurrency: 8, requestRate: 1.6, 'formula.itl': expect.stringContaining('neither ITL nor TPOT') as string } });
    expect(['load.completed', 'load.failed', 'load.request_throughput', 'load.output_throughput', 'load.itl', 'load.tpot'].map((metric) => valueOf(result, metric))).toEqual([130, 0, 1.6, 610, undefined, undefined]);
    expect(['mean', 'p25', 'p90', 'p99'].map((stat) => valueOf(result, 'load.ttft', { stat }))).toEqual([210, 147, 294, 420]);
    expect(valueOf(result, 'load.ttft', { stat: 'p50' })).toBeCloseTo(199.5, 9);
    expect(valueOf(result, 'load.e2e', { stat: 'p99' })).toBe(3800);
  });

  it('reads numbers that are written as text, and leaves NaN out', () => {
    const result = parseText(probe, summary({ results_number_errors: '4', results_num_requests_started: '134', results_ttft_s_quantiles_p99: NaN, results_ttft_s_quantiles_p999: 9 }));
    expect([result.outcome, valueOf(result, 'load.failed'), valueOf(result, 'load.ttft', { stat: 'p99' }), valueOf(result, 'load.ttft', { stat: 'p90' })]).toEqual(['measured', 4, undefined, 294]);
  });

  it.each<[string, string, { outcome: string; codes: string[] }]>([
    ['a few failed', summary({ results_number_errors: 2, results_num_requests_started: 132 }), { outcome: 'measured', codes: ['load.requests-failed'] }],
    ['many failed', summary({ results_number_errors: 120, results_num_requests_started: 250 }), { outcome: 'inconclusive', codes: ['load.survivors-only'] }],
    ['some are not accounted for', summary({ results_num_requests_started: 140 }), { outcome: 'inconclusive', codes: ['load.requests-unaccounted'] }],
    ['all failed', summary({ results_num_completed_requests: 0, results_number_errors: 130 }), { outcome: 'failed', codes: ['load.all-failed'] }],
    ['errors are not counted', summary({ results_number_errors: null }), { outcome: 'inconclusive', codes: ['load.incomplete-result', 'load.failures-unknown'] }],
    ['completed ones are not counted', summary({ results_num_completed_requests: NaN, results_num_requests_started: undefined }), { outcome: 'inconclusive', codes: ['load.incomplete-result', 'load.count-unknown'] }],
  ])('judges that %s', (_, text, expected) => {
    expect(judge(text)).toEqual(expected);
  });

  it('is never cleaner when cut or damaged', () => {
    expect(expectNeverCleaner(probe, summary({ results_num_completed_requests: 0, results_number_errors: 130 }), {}, { count: 150 })).toBeGreaterThan(250);
    expect(expectNeverCleaner(probe, summary({ results_num_requests_started: 140 }), {}, { count: 150 })).toBeGreaterThan(250);
  });
});

describe('llmperf: the individual responses', () => {
  it('computes mean and percentiles of those that succeeded', () => {
    const result = parseText(probe, array(llmperfResponses(101, LLMPERF_REFUSED, BROKEN)));
    expect([result.outcome, codesOf(result), valueOf(result, 'load.completed'), valueOf(result, 'load.failed')]).toEqual(['measured', ['load.requests-failed'], 101, 2]);
    expect(['mean', 'p50', 'p90', 'p99'].map((stat) => Math.round(10 * Number(valueOf(result, 'load.ttft', { stat }))) / 10)).toEqual([250, 250, 290, 299]);
    expect(valueOf(result, 'load.e2e', { stat: 'p50' })).toBe(2000);
    expect(result.context).toMatchObject({ outputTokens: 128 });
  });

  it.each<[string, readonly unknown[], { outcome: string; codes: string[] }]>([
    ['all failed', [LLMPERF_REFUSED, BROKEN], { outcome: 'failed', codes: ['load.all-failed'] }],
    ['a first token came in no time', llmperfResponses(100, llmperfResponse(0, { ttft_s: 0 })), { outcome: 'inconclusive', codes: ['load.impossible'] }],
    ['a latency is NaN', llmperfResponses(100, llmperfResponse(0, { end_to_end_latency_s: NaN })), { outcome: 'inconclusive', codes: ['load.impossible'] }],
    ['a latency is missing', llmperfResponses(100, llmperfResponse(0, { ttft_s: undefined })), { outcome: 'inconclusive', codes: ['load.impossible'] }],
    ['a time is below 0', llmperfResponses(100, llmperfResponse(0, { ttft_s: -0.1 })), { outcome: 'inconclusive', codes: ['load.impossible'] }],
    ['one does not say whether it failed', [...llmperfResponses(100), { ttft_s: 0.2 }], { outcome: 'inconclusive', codes: ['load.incomplete-result'] }],
    ['answers are empty', Array.from({ length: 100 }, (_, index) => llmperfResponse(index, { number_output_tokens: 0 })), { outcome: 'inconclusive', codes: ['load.no-output'] }],
    ['it is an array of other things', [{ hello: 1 }], { outcome: 'inconclusive', codes: ['load.no-result'] }],
    ['it is empty', [], { outcome: 'inconclusive', codes: ['load.no-result'] }],
  ])('judges that %s', (_, items, expected) => {
    expect(judge(array(items))).toEqual(expected);
  });

  it('is never cleaner when cut or damaged', () => {
    expect(expectNeverCleaner(probe, array([LLMPERF_REFUSED, BROKEN]), {}, { count: 150 })).toBeGreaterThan(250);
    expect(expectNeverCleaner(probe, array(llmperfResponses(3, llmperfResponse(0, { ttft_s: 0 }))), {}, { count: 150 })).toBeGreaterThan(250);
  });
});
