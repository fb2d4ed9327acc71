import { describe, expect, it } from 'vitest';
import type { Measurement, ParseResult } from '../contract';
import { histogramLines, type LabelTexts, sampleLine, scrapes } from '../exposition/testing';
import { parseText } from '../parse';
import { expectNeverCleaner } from '../testing/mutations';
import { probe } from './index';

const parse = (text: string, previous?: string): ParseResult => parseText(probe, text, {}, previous === undefined ? {} : { previous });
const values = ({ measurements }: ParseResult, metric: string): (number | string)[] => measurements.filter((item) => item.metric === metric).map(({ value }) => value);
const stat = ({ measurements }: ParseResult, metric: string, name: string): Measurement | undefined => measurements.find((item) => item.metric === metric && item.labels?.['stat'] === name);
const codes = ({ reasons }: ParseResult): string[] => reasons.map(({ code }) => code);
const text = (...lines: string[]): string => `${lines.join('\n')}\n`;

const MODEL = { model_name: 'acme/coder-3b', engine_type: 'unified' };
/** What each tensor-parallel rank says of the same engine. */
const ranks = (name: string, value: number, dpRank = '0'): string[] => ['0', '1'].map((rank) => sampleLine(`sglang:${name}`, value, { ...MODEL, tp_rank: rank, pp_rank: '0', dp_rank: dpRank }));

function server(finished: number, prefix = 'sglang:', labels: LabelTexts = MODEL): string {
  const lines = [
    '# TYPE sglang:num_running_reqs gauge',
    sampleLine('sglang:num_running_reqs', 4, labels),
    sampleLine('sglang:num_queue_reqs', 1, labels),
    sampleLine('sglang:token_usage', 0.375, labels),
    sampleLine('sglang:num_retracted_requests_total', 2, labels),
    sampleLine('sglang:prompt_tokens_total', 100 * finished, labels),
    sampleLine('sglang:cached_tokens_total', 10 * finished, { ...labels, cache_source: 'device' }),
    sampleLine('sglang:cached_tokens_total', 30 * finished, { ...labels, cache_source: 'host' }),
    sampleLine('sglang:num_requests_total', finished, labels),
    ...histogramLines('sglang:time_to_first_token_seconds', { labels, inside: [0, 0, finished / 2, finished / 2, 0] }),
    ...histogramLines('sglang:inter_token_latency_seconds', { labels, inside: [9 * finished, finished, 0, 0, 0] }),
    ...histogramLines('sglang:e2e_request_latency_seconds', { labels, inside: [0, 0, 0, finished / 4, (3 * finished) / 4] }),
    ...histogramLines('sglang:queue_time_seconds', { labels, bounds: [0, 0.001, 0.5], inside: [0, finished, 0, 0], sum: finished / 10_000 }),
  ];
  return text(...lines).replaceAll('sglang:', prefix);
}

describe('sglang-metrics', () => {
  const result = parse(server(200));

  it('measures latencies, load and cache', () => {
    expect(result).toMatchObject({ probe: 'sglang-metrics', outcome: 'measured' });
    expect(stat(result, 'sglang.ttft', 'p50')).toMatchObject({ value: 0.8, unit: 's', samples: 200, interval: { low: 0.2, high: 0.8 } });
    expect(stat(result, 'sglang.itl', 'p50')?.interval).toEqual({ low: 0, high: 0.05 });
    expect([values(result, 'sglang.running'), values(result, 'sglang.waiting'), values(result, 'sglang.kv_cache_usage'), values(result, 'sglang.preemptions')]).toEqual([[4], [1], [0.375], [2]]);
  });

  it('adds the sources of cached tokens', () => {
    expect(values(result, 'sglang.prefix_cache_hit_rate')).toEqual([0.4]);
  });

  it('gives a lower bound for what lies above the highest bucket', () => {
    expect(stat(result, 'sglang.e2e', 'p50')).toMatchObject({ value: 3.2, labels: { stat: 'p50', bound: 'lower' }, interval: { low: 3.2 } });
  });

  it('believes that nothing waits when the server is idle', () => {
    expect(stat(result, 'sglang.queue', 'p99')).toMatchObject({ interval: { low: 0, high: 0.001 } });
    // Ray takes no bound of 0, so all observations are in the first bucket.
    expect(parse(text(...histogramLines('sglang_queue_time_seconds', { bounds: [0.001, 0.5], inside: [80, 0, 0], sum: 0.008 }))).outcome).toBe('measured');
  });

  it('reads the names that its gateway writes', () => {
    const gateway = parse(server(200, 'sglang_', { worker_addr: 'http://10.0.0.8:30000' }));
    expect(gateway.measurements.map(({ metric, value }) => [metric, value])).toEqual(result.measurements.map(({ metric, value }) => [metric, value]));
  });

  it('reads the older name of the time between tokens, and never adds it to the newer one', () => {
    const older = histogramLines('sglang:time_per_output_token_seconds', { labels: MODEL, inside: [0, 60, 0, 0, 0] });
    expect(stat(parse(text(...older)), 'sglang.itl', 'p50')?.samples).toBe(60);
    expect(stat(parse(server(200) + text(...older)), 'sglang.itl', 'p50')?.samples).toBe(2_000);
  });

  it('counts ranks of one engine once, and adds engines', () => {
    const both = parse(text(...ranks('num_running_reqs', 6), ...ranks('num_running_reqs', 5, '1'), ...ranks('token_usage', 0.25), ...ranks('token_usage', 0.75, '1')));
    expect([values(both, 'sglang.running'), values(both, 'sglang.kv_cache_usage'), values(both, 'sglang.engine.running')]).toEqual([[11], [0.75], [6, 5]]);
  });

  it('takes the lowest rank in any order of the lines', () => {
    const lines = [sampleLine('sglang:num_running_reqs', 9, { tp_rank: '3' }), sampleLine('sglang:num_running_reqs', 7, { tp_rank: '0' })];
    expect(values(parse(text(...lines)), 'sglang.running')).toEqual([7]);
    expect(values(parse(text(...lines.reverse())), 'sglang.running')).toEqual([7]);
  });

  it.each<[string, string[], (number | string)[], string?]>([
    ['a share', [sampleLine('sglang:cache_hit_rate', 0.0625, MODEL)], [0.0625]],
    ['percent of the servers that label by "name"', [sampleLine('sglang:cache_hit_rate', 0.5, { name: 'acme/coder-3b' })], [0.005]],
    ['percent above 1', [sampleLine('sglang:cache_hit_rate', 12.5, MODEL)], [0.125]],
    ['more than all', [sampleLine('sglang:cache_hit_rate', 250, MODEL)], [], 'serving.implausible'],
    ['a cache that is off', [sampleLine('sglang:cache_hit_rate', -1, MODEL)], [], 'serving.prefix-cache-off'],
    ['the worst of several engines', ['0', '1'].map((rank) => sampleLine('sglang:cache_hit_rate', rank === '0' ? 0.5 : 0.25, { ...MODEL, dp_rank: rank })), [0.25]],
  ])('reads a hit rate that is %s', (_what, lines, expected, code) => {
    const hits = parse(text('sglang:num_running_reqs 0', ...lines));
    expect(values(hits, 'sglang.prefix_cache_hit_rate')).toEqual(expected);
    expect(codes(hits).filter((found) => found === (code ?? 'serving.implausible'))).toHaveLength(code === undefined ? 0 : 1);
  });

  it('compares the queue time with whole requests only when both are of the same ones', () => {
    const queued = (count: number): string => text(
      ...histogramLines('sglang:e2e_request_latency_seconds', { inside: [0, 0, 20, 0, 0] }),
      ...histogramLines('sglang:queue_time_seconds', { inside: [0, 0, 0, count, 0] }),
    );
    expect(parse(queued(60)).outcome).toBe('measured');
    expect(codes(parse(queued(20)))).toContain('serving.implausible');
  });

  it('measures the window between two scrapes, and finds a restart in it', () => {
    const window = parse(server(300), server(200));
    expect(stat(window, 'sglang.ttft', 'mean')?.samples).toBe(100);
    expect(values(window, 'sglang.requests')).toEqual([100]);
    expect([parse(server(100), server(200)).outcome, codes(parse(server(100), server(200)))]).toEqual(['inconclusive', ['serving.restarted']]);
  });

  it('says that the metrics are those of another server', () => {
    expect(codes(parse('vllm:num_requests_running 1\n'))).toEqual(['serving.no-families']);
  });

  it('never becomes cleaner when it is damaged', () => {
    expectNeverCleaner(probe, scrapes(server(200), server(100)), {}, { count: 100 });
    expectNeverCleaner(probe, 'Not Found\n');
  });

  it('plans scrapes of its port', () => {
    expect(probe.plan?.({}, { tools: {}, isRoot: false })).toMatchObject({ kind: 'scrape', host: '127.0.0.1', port: 30_000, path: '/metrics', intervalMs: 1_000, invasive: false });
    expect(probe.plan?.({ port: 8_080, path: '/m', count: 30, intervalMs: 2_000 }, { tools: {}, isRoot: false })).toMatchObject({ port: 8_080, path: '/m', count: 30, expectedDurationMs: 60_000, timeoutMs: 150_000 });
  });
});
