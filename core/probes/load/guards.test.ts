import { describe, expect, it } from 'vitest';
import type { ParseResult } from '../contract';
import { ResultCollector } from '../text/result-collector';
import { type Latency, type LatencyMetric, type LoadRun, quantileOf, statName } from './load-run';
import { reportRuns } from './report';
import { codesOf, valueOf } from './testing/results';

const latencies = (metric: LatencyMetric, byStat: Readonly<Record<string, number>>): Latency[] => Object.entries(byStat).map(([stat, value]) => ({ metric, stat, value, line: 9 }));
const TTFT = latencies('ttft', { mean: 50, p50: 45, p99: 120 });
const E2E = latencies('e2e', { mean: 900, p50: 880, p99: 1500 });

/** Undefined: the tool does not say it. */
type Over = { [Key in keyof LoadRun]?: LoadRun[Key] | undefined };

/** 200 requests in 50 s. */
const run = (over: Over = {}): LoadRun => ({
  completed: { value: 200 }, failed: { value: 0 }, durationS: { value: 50 }, requestThroughput: { value: 4 }, outputTokens: { value: 20_000 }, outputThroughput: { value: 400 },
  latencies: [...TTFT, ...E2E], rounding: 0,
  ...over,
}) as LoadRun;

function report(...runs: readonly LoadRun[]): ParseResult {
  const collector = new ResultCollector({ id: 'demo', parser: 'demo/1' });
  reportRuns(runs, collector);
  return collector.result();
}

const judged = (over: Over): { outcome: string; codes: string[] } => {
  const result = report(run(over));
  return { outcome: result.outcome, codes: codesOf(result) };
};
const clean = { outcome: 'measured', codes: [] };
const warned = (...codes: string[]) => ({ outcome: 'measured', codes });
const doubted = (...codes: string[]) => ({ outcome: 'inconclusive', codes });
const bounds = (over: Over): string[] => report(run(over)).measurements.flatMap(({ labels, metric }) => (labels?.['bound'] === 'lower' ? [`${metric} ${labels['stat']}`] : []));

describe('names of statistics', () => {
  it('knows means and percentiles, and nothing else', () => {
    expect(['mean', 'avg', 'average', 'median', 'p50', '99.00', 'p99.9', 'P95', 'p100', '0'].map(statName)).toEqual(['mean', 'mean', 'mean', 'p50', 'p50', 'p99', 'p99.9', 'p95', 'p100', 'p0']);
    expect(['min', 'max', 'std', 'p999', 'p101', '', 'p', 'p-5', '9x'].map(statName)).toEqual(Array.from({ length: 9 }, () => undefined));
    expect(['p99.9', 'p100', 'mean'].map(quantileOf)).toEqual([0.9990000000000001, 1, undefined]);
  });
});

describe('guards: requests', () => {
  it('lets a run pass whose numbers agree', () => {
    expect(judged({})).toEqual(clean);
  });

  it.each<[string, Over, object]>([
    ['a few failed', { failed: { value: 2 } }, warned('load.requests-failed')],
    ['a tenth failed', { completed: { value: 180 }, failed: { value: 20 }, requestThroughput: { value: 3.6 } }, warned('load.requests-failed')],
    ['more than a tenth failed', { completed: { value: 178 }, failed: { value: 22 }, requestThroughput: { value: 3.56 } }, doubted('load.survivors-only')],
    ['failures are unknown', { failed: undefined }, warned('load.failures-unknown')],
    ['nothing is known of requests', { completed: undefined, failed: undefined }, warned('load.count-unknown')],
    ['each one is accounted for', { requested: { value: 203 }, failed: { value: 2 }, incomplete: { value: 1 } }, warned('load.requests-failed')],
    ['one is not accounted for', { requested: { value: 201 } }, doubted('load.requests-unaccounted')],
    ['one was not asked for', { requested: { value: 199 } }, doubted('load.requests-unaccounted')],
    ['some are missing and failures unknown', { requested: { value: 230 }, failed: undefined }, doubted('load.failures-unknown', 'load.requests-unaccounted')],
    ['few were cut off', { incomplete: { value: 10 } }, clean],
    ['many were cut off', { incomplete: { value: 11 } }, warned('load.incomplete')],
    ['none was completed', { completed: { value: 0 } }, doubted('load.none-completed')],
    ['none was completed, and failures are unknown', { completed: { value: 0 }, failed: undefined }, doubted('load.none-completed')],
    ['all failed', { completed: { value: 0 }, failed: { value: 200 } }, { outcome: 'failed', codes: ['load.all-failed'] }],
    ['a count is below 0', { failed: { value: -2 } }, doubted('load.impossible')],
    ['a count is too large to be exact', { completed: { value: 1e300 }, durationS: undefined, outputTokens: undefined }, doubted('load.impossible')],
  ])('judges that %s', (_, over, expected) => {
    expect(judged(over)).toEqual(expected);
  });

  it('measures the share of failures of what was attempted', () => {
    expect(valueOf(report(run({ failed: { value: 50 } })), 'load.failed_share')).toBe(0.2);
    expect(valueOf(report(run({ failed: undefined })), 'load.failed_share')).toBeUndefined();
  });

  it('calls what failures reach into a lower bound', () => {
    expect(bounds({})).toEqual([]);
    // 1 % of the answers is endless: p99 and the mean are theirs.
    expect(bounds({ completed: { value: 198 }, failed: { value: 2 }, requestThroughput: { value: 3.96 } })).toEqual(['load.ttft mean', 'load.ttft p99', 'load.e2e mean', 'load.e2e p99']);
    expect(bounds({ failed: { value: 1 } })).toEqual([]);
  });
});

describe('guards: throughput', () => {
  it.each<[string, Over, object]>([
    ['a request throughput does not follow', { requestThroughput: { value: 4.2 } }, doubted('load.inconsistent')],
    ['a token throughput does not follow', { outputThroughput: { value: 430 } }, doubted('load.inconsistent')],
    ['rounding explains the difference', { completed: { value: 1 }, requestThroughput: { value: 0.02 }, durationS: { value: 62 }, rounding: 0.005, outputTokens: undefined, outputThroughput: undefined, latencies: latencies('ttft', { mean: 50 }) }, clean],
    ['a throughput is below 0', { requestThroughput: { value: -4 } }, doubted('load.impossible', 'load.inconsistent')],
    ['a throughput of exact numbers is 0', { requestThroughput: { value: 0 }, durationS: undefined }, doubted('load.impossible')],
    ['a duration is 0', { durationS: { value: 0 } }, doubted('load.impossible', 'load.inconsistent')],
    ['a duration is below 0', { durationS: { value: -1 } }, doubted('load.impossible', 'load.inconsistent')],
    ['goodput is more than throughput', { goodput: { value: 5 } }, doubted('load.inconsistent')],
    ['goodput is the whole throughput', { goodput: { value: 4 } }, clean],
    ['there are fewer tokens than answers', { outputTokens: { value: 150 }, outputThroughput: { value: 3 } }, doubted('load.no-output')],
    ['tokens are others when counted again', { retokenizedTokens: { value: 100_000 } }, doubted('load.token-mismatch')],
    ['tokens are nearly the same when counted again', { retokenizedTokens: { value: 19_200 } }, clean],
    ['the load was not reached', { configuredRate: { value: 5, line: 3 } }, warned('load.not-delivered')],
    ['the load was reached', { configuredRate: { value: 4.1 } }, clean],
    ['requests were sent late', { meanScheduleDelayS: { value: 3 } }, warned('load.late')],
  ])('judges that %s', (_, over, expected) => {
    expect(judged(over)).toEqual(expected);
  });

  it('reports the share of good answers of those attempted, not of the survivors', () => {
    expect(valueOf(report(run({ goodput: { value: 4 }, failed: { value: 200 } })), 'load.goodput_share')).toBe(0.5);
    expect(valueOf(report(run({ goodput: { value: 4 }, failed: undefined })), 'load.goodput_share')).toBeUndefined();
  });

  it('calls latencies a lower bound when the client held requests back', () => {
    expect(bounds({ configuredRate: { value: 8 }, concurrencyLimit: { value: 16 }, latencies: [...TTFT, ...latencies('tpot', { mean: 9 })] })).toEqual(['load.ttft mean', 'load.ttft p50', 'load.ttft p99']);
    expect(bounds({ configuredRate: { value: 8 } })).toEqual([]);
    expect(bounds({ configuredRate: { value: 4 }, concurrencyLimit: { value: 16 } })).toEqual([]);
  });

  it('describes the load that was reached', () => {
    const { context } = report(run({ configuredRate: { value: 5 }, concurrencyLimit: { value: 8 }, inputTokens: { value: 100_000 } }));
    expect(context).toEqual({ configuredRequestRate: 5, requestRate: 4, concurrency: 8, loadMode: 'open loop', durationMs: 50_000, inputTokens: 500, outputTokens: 100 });
    expect(report(run(), run()).context).toEqual({});
  });
});

describe('guards: latencies', () => {
  const withTtft = (byStat: Readonly<Record<string, number>>): Over => ({ latencies: [...latencies('ttft', byStat), ...E2E] });

  it.each<[string, Over, object]>([
    ['there is none', { latencies: [] }, doubted('load.no-latency')],
    ['p99 is below the median', withTtft({ p50: 50, p99: 40 }), doubted('load.inconsistent')],
    ['one percentile has two values', { latencies: [...latencies('ttft', { p99: 50 }), ...latencies('ttft', { p99: 60 })] }, doubted('load.inconsistent')],
    ['percentiles differ by the last bit only', withTtft({ p50: 50, p90: 50 - 1e-12, p99: 50 }), clean],
    ['one is below 0', withTtft({ mean: -1_700_000, p50: 50 }), doubted('load.impossible')],
    ['one is endless', withTtft({ p50: 50, p99: Infinity }), doubted('load.impossible')],
    ['a first token came in no time', withTtft({ p50: 0, p99: 90 }), doubted('load.zero-latency')],
    ['an answer came in no time', { latencies: [...TTFT, ...latencies('e2e', { mean: 0 })] }, doubted('load.zero-latency')],
    ['chunks came together', { latencies: [...TTFT, ...latencies('itl', { p50: 0, p99: 30 })] }, warned('load.zero-latency')],
    ['one is longer than the run', { latencies: latencies('e2e', { mean: 900, p99: 60_000 }) }, doubted('load.inconsistent')],
    ['the first token came after the end', { latencies: [...latencies('ttft', { mean: 950 }), ...E2E] }, doubted('load.inconsistent')],
    ['one percentile of the first token is after the end', withTtft({ mean: 50, p99: 1600 }), doubted('load.inconsistent')],
    ['answers were not streamed', { latencies: [...latencies('ttft', { mean: 900 }), ...E2E] }, warned('load.not-streaming')],
    ['tokens came in bundles', { latencies: [...TTFT, ...latencies('itl', { mean: 30, p50: 5 })] }, warned('load.bundled-chunks')],
    ['the first ones were slow', withTtft({ p50: 40, p95: 60, p99: 700 }), warned('load.cold-start')],
  ])('judges that %s', (_, over, expected) => {
    expect(judged(over)).toEqual(expected);
  });

  it('reports nothing of a metric that cannot be, and no zeros', () => {
    const result = report(run({ latencies: [...latencies('ttft', { p50: 50, p99: 40 }), ...latencies('itl', { p50: 0, p99: 30 }), ...E2E] }));
    expect([valueOf(result, 'load.ttft'), valueOf(result, 'load.itl', { stat: 'p50' }), valueOf(result, 'load.itl', { stat: 'p99' }), valueOf(result, 'load.e2e', { stat: 'p99' })]).toEqual([undefined, undefined, 30, 1500]);
  });

  it.each([[20, 'p95', false], [19, 'p95', true], [100, 'p99', false], [99, 'p99', true], [999, 'p99.9', true], [3, 'p50', false], [3, 'p100', false]])('%s requests are too few for %s: %s', (count, stat, isFew) => {
    const few = run({ completed: { value: count }, durationS: undefined, latencies: latencies('ttft', { [stat]: 50 }) });
    expect(codesOf(report(few))).toEqual(isFew ? ['load.few-samples'] : []);
    expect(report(few).measurements.at(-1)).toMatchObject({ metric: 'load.ttft', samples: count });
  });

  it('numbers several runs and keeps their own labels', () => {
    const result = report(run({ labels: { strategy: 'constant' } }), run());
    expect(valueOf(result, 'load.completed', { run: '1', strategy: 'constant' })).toBe(200);
    expect(valueOf(result, 'load.ttft', { run: '2', stat: 'p99' })).toBe(120);
    expect(codesOf(result)).toEqual(['load.several-runs']);
  });
});
