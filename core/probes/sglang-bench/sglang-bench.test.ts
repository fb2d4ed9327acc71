import { describe, expect, it } from 'vitest';
import { pythonJson, sglangBlock, sglangResult, vllmBlock, vllmResult } from '../load/testing/bench';
import { codesOf, judged, valueOf } from '../load/testing/results';
import { parseText } from '../parse';
import { expectNeverCleaner } from '../testing/mutations';
import { probe } from './index';

const judge = (text: string, end = {}) => judged(probe, text, end);
const lines = (...results: readonly object[]): string => results.map((result) => `${pythonJson(result)}\n`).join('');
const NOTHING = Object.fromEntries(Object.keys(sglangResult()).filter((key) => key.endsWith('_ms')).map((key) => [key, NaN]));

describe('sglang.bench_serving: the block', () => {
  it('reads counts, throughputs and latencies, and says that failures are not known', () => {
    const result = parseText(probe, sglangBlock({ rate: '4.0' }));
    expect(result.outcome).toBe('measured');
    expect(codesOf(result)).toEqual(['load.failures-unknown']);
    expect(['load.completed', 'load.failed', 'load.request_throughput', 'load.output_throughput'].map((metric) => valueOf(result, metric))).toEqual([240, undefined, 4, 800]);
    expect(['ttft', 'tpot', 'itl', 'e2e'].map((name) => valueOf(result, `load.${name}`, { stat: 'p99' }))).toEqual([253.5, 33.6, 34.2, 6930]);
    expect(result.context).toMatchObject({ configuredRequestRate: 4, loadMode: 'open loop', 'formula.itl': expect.stringContaining('acceptance length') as string });
  });

  it.each([['inf', 'burst'], ['trace', undefined]])('takes a request rate of %s for no fault', (rate, mode) => {
    const result = parseText(probe, sglangBlock({ rate }));
    expect([result.outcome, result.context['loadMode']]).toEqual(['measured', mode]);
  });

  it.each<[string, string, string]>([
    ['tokens are others when counted again', sglangBlock({ retokenized: 9_000 }), 'load.token-mismatch'],
    ['a section is cut', sglangBlock().slice(0, sglangBlock().indexOf('Mean E2E')), 'load.empty-section'],
    ['it has no end', sglangBlock({ end: false }), 'load.cut'],
    ['it is a block of vLLM', vllmBlock(), 'load.other-tool'],
    ['it is a JSON result of vLLM', pythonJson(vllmResult()), 'load.other-tool'],
  ])('is inconclusive when %s', (_, text, code) => {
    expect(judge(text)).toMatchObject({ outcome: 'inconclusive', codes: expect.arrayContaining([code]) as string[] });
  });

  it('fails when the tool says that all requests failed', () => {
    expect(judge('#Input tokens: 900\nbench_serving.py:1400: UserWarning: All requests failed. This is likely due to a misconfiguration\n')).toEqual({ outcome: 'failed', codes: ['load.all-failed'] });
  });

  it('is never cleaner when cut or damaged', () => {
    expect(expectNeverCleaner(probe, sglangBlock({ end: false }), {}, { count: 150 })).toBeGreaterThan(250);
  });
});

describe('sglang.bench_serving: JSON lines', () => {
  it('reads each line as a run', () => {
    const result = parseText(probe, lines(sglangResult(), sglangResult({ request_rate: 'trace' }, { ttftMs: 70 })));
    expect(result.outcome).toBe('measured');
    expect([valueOf(result, 'load.ttft', { run: '1', stat: 'mean' }), valueOf(result, 'load.ttft', { run: '2', stat: 'mean' }), valueOf(result, 'load.e2e', { run: '2', stat: 'p50' })]).toEqual([84.5, 70, 2079]);
    expect(result.measurements.find(({ labels }) => labels?.['run'] === '2')?.line).toBe(2);
  });

  it('is inconclusive when nothing was completed and every latency is NaN', () => {
    const text = lines(sglangResult({ ...NOTHING, output_throughput: 0 }, { completed: 0, outputTokens: 0 }));
    expect(judge(text)).toEqual({ outcome: 'inconclusive', codes: ['load.none-completed'] });
    expect(parseText(probe, text).measurements).toEqual([{ metric: 'load.completed', value: 0, line: 1 }]);
  });

  it.each<[string, string, string]>([
    ['each latency is NaN', lines(sglangResult(NOTHING)), 'load.no-latency'],
    ['an answer had no first token', lines(sglangResult({ ttfts: [0.07, 0] })), 'load.hidden-failures'],
    ['the last line is cut', lines(sglangResult(), sglangResult()).slice(0, -9), 'load.json'],
    ['one line has no throughput', lines(sglangResult(), sglangResult({ request_throughput: NaN })), 'load.incomplete-result'],
  ])('is inconclusive when %s', (_, text, code) => {
    expect(judge(text)).toMatchObject({ outcome: 'inconclusive', codes: expect.arrayContaining([code]) as string[] });
  });

  it('is never cleaner when cut or damaged', () => {
    expect(expectNeverCleaner(probe, lines(sglangResult(NOTHING)), {}, { count: 150 })).toBeGreaterThan(250);
  });
});
