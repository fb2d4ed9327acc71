import { describe, expect, it } from 'vitest';
import { type MlperfOptions, mlperfSummary } from '../load/testing/others';
import { codesOf, judged, valueOf } from '../load/testing/results';
import { parseText } from '../parse';
import { expectNeverCleaner, truncations } from '../testing/mutations';
import { probe } from './index';

const judge = (text: string, end = {}) => judged(probe, text, end);

describe('MLPerf: the summary of the load generator', () => {
  it('reads the result, and nanoseconds as milliseconds', () => {
    const result = parseText(probe, mlperfSummary());
    expect(result).toMatchObject({ outcome: 'measured', context: { scenario: 'Server', mode: 'PerformanceOnly', requestRate: 27.5 } });
    expect(codesOf(result)).toEqual(['load.count-unknown']);
    expect(result.measurements).toContainEqual({ metric: 'mlperf.result', value: 'VALID', line: 9 });
    expect([valueOf(result, 'load.request_throughput'), valueOf(result, 'load.output_throughput')]).toEqual([27.5, 8120.25]);
    expect(['mean', 'p50', 'p90', 'p99', 'p99.9'].map((stat) => valueOf(result, 'load.ttft', { stat }))).toEqual([400, 380, 600, 800, 1000]);
    expect([valueOf(result, 'load.e2e', { stat: 'p99' }), valueOf(result, 'load.tpot', { stat: 'p99' }), valueOf(result, 'load.itl')]).toEqual([24_000, 120, undefined]);
  });

  it('reads the scenario Offline, whose rates have other names', () => {
    const result = parseText(probe, mlperfSummary({ scenario: 'Offline' }));
    expect([result.outcome, result.context['scenario'], valueOf(result, 'load.request_throughput'), valueOf(result, 'load.output_throughput')]).toEqual(['measured', 'Offline', 27.5, 8120.25]);
  });

  it('does not take scheduled or wanted rates for results', () => {
    const text = mlperfSummary().replace(/Completed .*\n/g, '');
    expect(valueOf(parseText(probe, text), 'load.request_throughput')).toBeUndefined();
  });

  it.each<[string, MlperfOptions, string, string[]]>([
    ['INVALID without a reason', { result: 'INVALID' }, 'inconclusive', ['mlperf.invalid']],
    ['missed limits', { result: 'INVALID', unmet: ['Performance constraints'] }, 'failed', ['mlperf.limits-missed']],
    ['missed limits under a VALID', { unmet: ['Performance constraints'] }, 'failed', ['mlperf.limits-missed']],
    ['too short a run', { result: 'INVALID', unmet: ['Min duration'] }, 'inconclusive', ['mlperf.rule-missed']],
    ['too few queries', { result: 'INVALID', unmet: ['Min queries', 'Early stopping'] }, 'inconclusive', ['mlperf.rule-missed', 'mlperf.rule-missed']],
    ['a rule missed under a VALID', { unmet: ['Early stopping'] }, 'inconclusive', ['mlperf.rule-missed']],
    ['a run for accuracy', { mode: 'AccuracyOnly' }, 'inconclusive', ['mlperf.not-performance']],
    ['a search for the peak', { mode: 'FindPeakPerformance' }, 'measured', []],
    ['an unknown result', { result: 'MAYBE' }, 'inconclusive', ['mlperf.unreadable']],
    ['warnings', { end: ['2 warnings encountered. See detailed log.', '', 'No errors encountered during test.'] }, 'measured', []],
    ['errors', { end: ['No warnings encountered during test.', '', '1 ERROR encountered. See detailed log.'] }, 'inconclusive', ['mlperf.errors']],
    ['no count of errors at its end', { end: ['No warnings encountered during test.'] }, 'inconclusive', ['mlperf.cut']],
  ])('judges %s', (_, options, outcome, codes) => {
    expect(judge(mlperfSummary(options))).toEqual({ outcome, codes: [...codes, 'load.count-unknown'] });
  });

  it('says INVALID as a value too, so that a card can judge it', () => {
    expect(valueOf(parseText(probe, mlperfSummary({ result: 'INVALID', unmet: ['Min duration'] })), 'mlperf.result')).toBe('INVALID');
  });

  it.each<[string, string, string]>([
    ['a rule is neither met nor missed', mlperfSummary().replace('constraints satisfied : Yes', 'constraints satisfied : Ye'), 'mlperf.unreadable'],
    ['a percentile is no number', mlperfSummary().replace(/(99.00 percentile latency.*: ).*/, '$1oops'), 'mlperf.unreadable'],
    ['the rate is nan', mlperfSummary().replace('27.50', 'nan'), 'mlperf.unreadable'],
    ['a first token came in no time', mlperfSummary().replace(/(50.00 percentile first token latency.*: ).*/, '$10'), 'load.zero-latency'],
    ['a percentile is below a lower one', mlperfSummary().replace(/(99.00 percentile latency.*: ).*/, '$15000000'), 'load.inconsistent'],
    ['it names two results', mlperfSummary().replace('Result is : VALID', 'Result is : VALID\nResult is : INVALID'), 'mlperf.contradiction'],
    ['it holds two summaries', mlperfSummary() + mlperfSummary(), 'mlperf.several-runs'],
    ['the second of two is INVALID', mlperfSummary() + mlperfSummary({ result: 'INVALID' }), 'mlperf.several-runs'],
    ['it has no result', mlperfSummary().replace(/Result is.*\n/, ''), 'mlperf.no-result'],
    ['it is other text', 'hello\nlatency (ns) : 5\n', 'mlperf.no-result'],
    ['it is empty', '', 'mlperf.no-result'],
  ])('is inconclusive when %s', (_, text, code) => {
    expect(judge(text)).toMatchObject({ outcome: 'inconclusive', codes: expect.arrayContaining([code]) as string[] });
  });

  it('looks at how the process ended', () => {
    expect(judge(mlperfSummary(), { exitCode: 0 }).outcome).toBe('measured');
    expect(judge(mlperfSummary(), { exitCode: 3 })).toMatchObject({ outcome: 'inconclusive', codes: expect.arrayContaining(['mlperf.exit-code']) as string[] });
    expect(judge(mlperfSummary(), { exitCode: null }).outcome).toBe('inconclusive');
  });

  it('neither measures nor fails a VALID whose end was cut off', () => {
    const whole = mlperfSummary();
    // Without the last line break it is whole.
    const outcomes = [...truncations(whole)].filter(({ text }) => text.length < whole.length - 1).map(({ text }) => judge(text).outcome);
    expect(new Set(outcomes)).toEqual(new Set(['inconclusive']));
  });

  it('is never cleaner when cut or damaged', () => {
    expect(expectNeverCleaner(probe, mlperfSummary({ result: 'INVALID', unmet: ['Performance constraints'] }), {}, { count: 150 })).toBeGreaterThan(250);
    expect(expectNeverCleaner(probe, mlperfSummary({ end: [] }), {}, { count: 150 })).toBeGreaterThan(250);
  });
});
