import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Measurement, ParseResult, StreamEnd } from '../contract';
import { histogramLines, sampleLine, scrapes, STARTED_S, type VllmOptions, vllmText } from '../exposition/testing';
import { createByteParser, parseText } from '../parse';
import { expectNeverCleaner } from '../testing/mutations';
import { probe } from './index';

const parse = (text: string, end?: StreamEnd, previous?: string): ParseResult => parseText(probe, text, end, previous === undefined ? {} : { previous });
const codes = ({ reasons }: ParseResult): string[] => reasons.map(({ code }) => code);
const values = ({ measurements }: ParseResult, metric: string): (number | string)[] => measurements.filter((item) => item.metric === metric).map(({ value }) => value);
const stat = ({ measurements }: ParseResult, metric: string, name: string): Measurement | undefined => measurements.find(({ metric: of, labels }) => of === metric && labels?.['stat'] === name);
const near = (value: number): number => expect.closeTo(value, 9) as number;

describe('vllm-metrics: one scrape', () => {
  const result = parse(vllmText({ engines: ['0'], finished: 100 }));

  it('measures each phase with its interval, number of observations and line', () => {
    expect(result).toMatchObject({ probe: 'vllm-metrics', outcome: 'measured', context: { window: 'since the start of the server' } });
    expect(stat(result, 'vllm.ttft', 'p50')).toMatchObject({ value: near(0.08), unit: 's', samples: 100, interval: { low: 0.05, high: 0.2 } });
    expect(stat(result, 'vllm.ttft', 'mean')).toMatchObject({ value: near(0.1225), samples: 100 });
    expect(stat(result, 'vllm.itl', 'p99')?.value).toEqual(near(0.1925));
    for (const phase of ['queue', 'prefill', 'decode', 'inference']) expect(stat(result, `vllm.${phase}`, 'p95')).toMatchObject({ unit: 's', samples: 100 });
  });

  it('marks what lies above the highest bucket as a lower bound', () => {
    expect(stat(result, 'vllm.e2e', 'p50')?.labels).toEqual({ stat: 'p50' });
    expect(stat(result, 'vllm.e2e', 'p95')).toMatchObject({ value: 3.2, labels: { stat: 'p95', bound: 'lower' }, interval: { low: 3.2 } });
  });

  it('measures gauges and counters where they stand', () => {
    const lines = vllmText().split('\n');
    expect(result.measurements).toContainEqual({ metric: 'vllm.kv_cache_usage', value: 0.25, line: lines.findIndex((line) => line.startsWith('vllm:kv_cache_usage_perc{')) + 1 });
    expect(result.measurements).toContainEqual({ metric: 'vllm.requests_finished', value: 100, labels: { reason: 'stop' }, line: lines.findIndex((line) => line.startsWith('vllm:request_success_total{')) + 1 });
    expect(values(result, 'vllm.waiting')).toEqual([0]);
    expect(values(result, 'vllm.preemptions')).toEqual([1]);
    expect(values(result, 'vllm.prefix_cache_hit_rate')).toEqual([0.5]);
  });

  it('gives no rates, for nobody knows the time', () => {
    expect(result.measurements.filter(({ metric }) => metric.endsWith('_per_second'))).toEqual([]);
  });

  it('never takes an absent family for 0, and says which names it looked for', () => {
    const without = parse(vllmText({ without: ['kv_cache_usage_perc', 'num_preemptions', 'time_to_first_token_seconds'] }));
    expect(without.outcome).toBe('measured');
    for (const metric of ['vllm.kv_cache_usage', 'vllm.preemptions', 'vllm.ttft']) expect(values(without, metric)).toEqual([]);
    expect(without.reasons).toContainEqual(expect.objectContaining({ code: 'serving.metric-absent', message: expect.stringMatching(/kv_cache_usage_perc \(since 0\.9\.2\), gpu_cache_usage_perc/) as string }));
  });

  it('tells a family that is declared from one that the server does not know', () => {
    const declared = parse(`${vllmText({ without: ['num_requests_waiting'] })}# TYPE vllm:num_requests_waiting gauge\n`);
    expect(values(declared, 'vllm.waiting')).toEqual([]);
    expect(declared.reasons).toContainEqual(expect.objectContaining({ message: 'Requests waiting: num_requests_waiting is declared, but has no sample.' }));
  });

  it('leaves out what is not finite, of all engines', () => {
    const text = vllmText({ engines: ['0', '1'], running: 3 }).replace(/(num_requests_running\{engine="1".*\}) 3/, '$1 NaN').replace(/(num_preemptions_total\{engine="0".*\}) 1/, '$1 +Inf');
    expect(values(parse(text), 'vllm.running')).toEqual([]);
    expect(values(parse(text), 'vllm.preemptions')).toEqual([]);
    expect(parse(text).reasons).toContainEqual(expect.objectContaining({ code: 'exposition.not-finite', line: text.split('\n').findIndex((line) => line.endsWith(' NaN')) + 1 }));
  });

  it('measures nothing of a histogram without observations', () => {
    const idle = parse(vllmText({ finished: 0 }));
    expect(values(idle, 'vllm.ttft')).toEqual([]);
    expect(values(idle, 'vllm.preemptions')).toEqual([0]);
    expect(codes(idle)).toContain('serving.no-observation');
  });

  it('reads Windows line ends, colours and a byte order mark', () => {
    expect(parse(`\ufeff${vllmText().replace(/\n/g, '\r\n')}`)).toEqual(parse(vllmText()));
    expect(parse(vllmText().replace(/^vllm:/gm, '\x1b[32mvllm:'))).toEqual(parse(vllmText()));
  });
});

describe('vllm-metrics: several engines', () => {
  const one = (engine: string, inside: readonly number[]): string[] => histogramLines('vllm:time_to_first_token_seconds', { labels: { engine }, inside });
  const text = (...lines: string[]): string => `${lines.join('\n')}\n`;

  it('adds their buckets before it takes a quantile', () => {
    const both = parse(text(...one('0', [90, 10, 0, 0, 0]), ...one('1', [0, 0, 0, 100, 0])));
    expect(stat(both, 'vllm.ttft', 'p50')).toMatchObject({ value: 0.2, samples: 200 });
    expect(stat(both, 'vllm.ttft', 'p90')?.value).toEqual(near(0.8 + 2.4 * 0.8));
    expect(stat(both, 'vllm.ttft', 'mean')?.value).toEqual(near((90 * 0.025 + 10 * 0.125 + 100 * 2) / 200));
  });

  it('adds counts, takes the worst share, and shows each engine', () => {
    const gauges = (name: string, ...all: number[]): string[] => all.map((value, engine) => sampleLine(`vllm:${name}`, value, { engine: String(engine) }));
    const result = parse(text(...gauges('num_requests_running', 4, 9, 0), ...gauges('kv_cache_usage_perc', 0.5, 0.875, 0.25), ...gauges('num_preemptions_total', 3, 0, 2)));
    expect(result.outcome).toBe('measured');
    expect([values(result, 'vllm.running'), values(result, 'vllm.kv_cache_usage'), values(result, 'vllm.preemptions')]).toEqual([[13], [0.875], [5]]);
    expect(result.measurements.filter(({ metric }) => metric === 'vllm.engine.running').map(({ labels, value }) => [labels?.['engine'], value])).toEqual([['0', 4], ['1', 9], ['2', 0]]);
  });

  it('adds series of one engine that differ in another label', () => {
    const result = parse(text(...['a', 'b'].flatMap((model) => ['0', '1'].map((engine) => sampleLine('vllm:num_requests_running', 2, { engine, model_name: model })))));
    expect(values(result, 'vllm.running')).toEqual([8]);
    expect(values(result, 'vllm.engine.running')).toEqual([4, 4]);
  });

  it('does not add engines with other buckets', () => {
    const odd = histogramLines('vllm:time_to_first_token_seconds', { labels: { engine: '1' }, bounds: [0.05, 0.2, 1, 3.2], inside: [1, 1, 1, 1, 1] });
    const result = parse(text(...one('0', [1, 1, 1, 1, 1]), ...odd));
    expect([result.outcome, codes(result), values(result, 'vllm.ttft')]).toEqual(['inconclusive', expect.arrayContaining(['exposition.histogram']), []]);
  });

  it('does not add the copies that a collector writes under its own prefix', () => {
    const copied = vllmText({ running: 3 }) + vllmText({ running: 3, process: false }).replaceAll('vllm:', 'kserve_vllm:');
    expect(parse(copied).outcome).toBe('measured');
    expect(values(parse(copied), 'vllm.running')).toEqual([3]);
    expect(stat(parse(copied), 'vllm.e2e', 'mean')?.samples).toBe(100);
  });

  it('does not take a router for an engine', () => {
    const result = parse(text(sampleLine('vllm:num_requests_running', 2, { server: 'http://10.0.0.7:8000' })));
    expect([result.outcome, codes(result)]).toEqual(['inconclusive', ['serving.router']]);
    expect(parse(text(sampleLine('vllm:num_requests_running', 2, { server: 'http://10.0.0.7:8000', engine: '0' }))).outcome).toBe('measured');
  });
});

describe('vllm-metrics: implausible values', () => {
  const ttft = (options: Parameters<typeof histogramLines>[1]): string => `${histogramLines('vllm:time_to_first_token_seconds', options).join('\n')}\nvllm:num_requests_running 0\n`;
  const replaced = (from: string | RegExp, to: string): string => {
    const text = vllmText().replace(from, to);
    expect(text).not.toBe(vllmText());
    return text;
  };

  it.each<[string, string, string]>([
    ['nearly every first token within a millisecond', ttft({ bounds: [0.001, 0.05, 1], inside: [99, 1, 0, 0], sum: 0.13 }), 'vllm.ttft'],
    ['a mean below a millisecond', ttft({ bounds: [0.01, 0.05, 1], inside: [1000, 0, 0, 0], sum: 0.2 }), 'vllm.ttft'],
    ['a negative sum', replaced(/(queue_time_seconds_sum.*\}) \S+/, '$1 -4.5'), 'vllm.queue'],
    ['a sum that is NaN', replaced(/(queue_time_seconds_sum.*\}) \S+/, '$1 NaN'), 'vllm.queue'],
    ['a sum that does not fit the buckets', replaced(/(e2e_request_latency_seconds_sum.*\}) \S+/, '$1 9.5'), 'vllm.e2e'],
    ['a phase that is longer than the request', vllmText({ without: ['request_decode_time_seconds'] }) + histogramLines('vllm:request_decode_time_seconds', { inside: [0, 0, 0, 0, 100], sum: 90_000 }).join('\n') + '\n', 'vllm.decode'],
    ['a share above 1', vllmText({ kvCacheUsage: 43 }), 'vllm.kv_cache_usage'],
    ['a negative number of requests', vllmText({ running: -1 }), 'vllm.running'],
    ['a negative counter', replaced(/(num_preemptions_total.*\}) 1/, '$1 -1'), 'vllm.preemptions'],
    ['more hits than queries', replaced(/(prefix_cache_hits_total.*\}) 500/, '$1 5000'), 'vllm.prefix_cache_hit_rate'],
  ])('believes no %s', (_what, text, metric) => {
    const result = parse(text);
    expect([result.outcome, codes(result)]).toEqual(['inconclusive', expect.arrayContaining(['serving.implausible'])]);
    expect(values(result, metric)).toEqual([]);
    expect(result.measurements.length).toBeGreaterThan(0);
  });

  it.each<[string, string]>([
    ['first tokens of a few requests', ttft({ bounds: [0.001, 0.05, 1], inside: [10, 0, 0, 0], sum: 0.01 })],
    ['queue times of nothing', replaced(/(queue_time_seconds_sum.*\}) \S+/, '$1 0.0004')],
    ['a full cache', vllmText({ kvCacheUsage: 1 })],
  ])('believes %s', (_what, text) => {
    expect(parse(text).outcome).toBe('measured');
  });

  it('says that a sum is negative', () => {
    const result = parse(replaced(/(queue_time_seconds_sum.*\}) \S+/, '$1 -4.5'));
    expect(result.reasons).toContainEqual(expect.objectContaining({ code: 'serving.implausible', message: 'The sum of vllm:request_queue_time_seconds is negative (-4.5 s).' }));
  });

  it('finds times that are as long as the server runs', () => {
    const text = (count: number): string => `process_start_time_seconds ${STARTED_S}\n${histogramLines('vllm:request_prefill_time_seconds', { inside: [0, 0, 0, 0, count], sum: count * 5_000 }).join('\n')}\nvllm:num_requests_running 0\n`;
    const result = parse(scrapes(text(1), text(9)));
    expect(codes(result)).toContain('serving.implausible');
    expect(values(result, 'vllm.prefill')).toEqual([]);
  });

  it('withholds phases that a version took for each other', () => {
    const result = parse(`${vllmText()}vllm:avg_prompt_throughput_toks_per_s 31.5\n`);
    expect([values(result, 'vllm.prefill'), values(result, 'vllm.decode'), codes(result)]).toEqual([[], [], expect.arrayContaining(['serving.wrong-in-version'])]);
    expect(values(result, 'vllm.inference')).toHaveLength(5);
  });

  it('tells of requests that no counter shows', () => {
    const ended = histogramLines('vllm:e2e_request_latency_seconds', { inside: [0, 0, 10, 20, 0] });
    const text = (running: number): string => `${vllmText({ running, without: ['e2e_request_latency_seconds'] })}${ended.join('\n')}\n`;
    const result = parse(text(0));
    expect(codes(parse(text(70)))).not.toContain('serving.unfinished');
    expect(result.reasons).toContainEqual(expect.objectContaining({ code: 'serving.unfinished', message: expect.stringContaining('100 first tokens were counted, but only 30 requests') as string }));
    expect(codes(parse(vllmText()))).not.toContain('serving.unfinished');
  });

  it('tells of preempted and aborted requests', () => {
    const result = parse(`${vllmText()}${sampleLine('vllm:request_success_total', 7, { engine: '0', finished_reason: 'abort' })}\n`);
    expect(result.measurements).toContainEqual(expect.objectContaining({ metric: 'vllm.requests_finished', value: 7, labels: { reason: 'abort' } }));
    expect(codes(result)).toEqual(expect.arrayContaining(['serving.preemptions', 'serving.unfinished']));
  });
});

describe('vllm-metrics: what is no scrape', () => {
  it.each<[string, string, string]>([
    ['nothing', '', 'serving.no-scrape'],
    ['a blank line', '\n', 'serving.no-families'],
    ['HTML', '<!doctype html>\n<html><body>Sign in</body></html>\n', 'exposition.not-metrics'],
    ['JSON', '[{"iterLatencyMS": 4.1, "numActiveRequests": 2}]\n', 'exposition.not-metrics'],
    ['a message', 'Internal Server Error\n', 'exposition.syntax'],
    ['a curl error', 'curl: (7) Failed to connect to 127.0.0.1 port 8000\n', 'exposition.syntax'],
    ['families of the process only', 'process_start_time_seconds 1780000000\npython_info{version="3.12"} 1\n', 'serving.no-families'],
    ['another server', 'sglang:num_running_reqs 3\n', 'serving.no-families'],
    ['declared families only', '# HELP vllm:num_requests_running Running.\n# TYPE vllm:num_requests_running gauge\n', 'serving.declared-only'],
    ['families of other things', 'vllm:cache_config_info{block_size="16"} 1\n', 'parse.nothing-measured'],
    ['a text that ends in a line', vllmText().trimEnd(), 'exposition.cut'],
    ['a text that ends in a number', vllmText().slice(0, -3), 'exposition.cut'],
    ['a histogram that is cut at a line', `${vllmText().split('\n').slice(0, -3).join('\n')}\n`, 'exposition.histogram'],
    ['one bad line', vllmText().replace('# TYPE vllm:num_preemptions_total counter', 'Killed'), 'exposition.syntax'],
    ['OpenMetrics without its end', `${vllmText()}# UNIT vllm:num_requests_running requests\n`, 'exposition.no-end'],
  ])('is inconclusive with %s', (_what, text, code) => {
    const result = parse(text);
    expect(result.outcome).toBe('inconclusive');
    expect(codes(result)).toContain(code);
  });

  it('takes an end mark without a line break for the end', () => {
    expect(parse(`${vllmText()}# EOF`).outcome).toBe('measured');
  });

  it('judges the exit code and the cut of a run', () => {
    expect(codes(parse(vllmText(), { exitCode: 7 }))).toContain('serving.exit-code');
    expect(parse(vllmText(), { exitCode: 7 }).outcome).toBe('inconclusive');
    expect(parse(vllmText(), { cut: 'timeout' }).outcome).toBe('inconclusive');
    expect(parse('', { exitCode: null }).reasons.map(({ code }) => code)).toContain('serving.no-answer');
  });
});

describe('vllm-metrics: robustness', () => {
  const phases = ['queue', 'prefill', 'decode', 'inference'].map((phase) => `request_${phase}_time_seconds`);
  const without = [...phases, 'inter_token_latency_seconds', 'prompt_tokens', 'generation_tokens', 'prefix_cache_hits', 'prefix_cache_queries', 'kv_cache_usage_perc'];
  const small = (options: VllmOptions = {}): string => vllmText({ ...options, without });
  const faulty: [string, string, StreamEnd?][] = [
    ['a restart', scrapes(small({ finished: 900 }), small({ finished: 1_000, startedS: STARTED_S + 3_605 }))],
    ['lost scrapes', scrapes(small(), { error: 'timeout' }, { error: 'timeout' })],
    ['one answer', scrapes(small())],
    ['an answer of another program', '<html>\n<body>Not here</body>\n</html>\n'],
    ['a failed command', small(), { exitCode: 22 }],
  ];

  it.each(faulty)('never becomes cleaner when it is damaged: %s', (_what, text, end = {}) => {
    expect(parse(text, end).outcome).toBe('inconclusive');
    expect(expectNeverCleaner(probe, text, end, { count: 150 })).toBeGreaterThan(150);
  });

  it('keeps its contract when good output is damaged', () => {
    expectNeverCleaner(probe, scrapes(small({ finished: 10 }), small({ finished: 20 })), {}, { count: 150 });
  });

  it('gives the same result wherever the bytes are cut into chunks', () => {
    const model = 'vllm:num_requests_running{engine="2",model_name="模型/ü-8b"} 2\r\n';
    const texts = [small({ engines: ['0', '1'] }) + model, scrapes(small(), `${small({ finished: 200 })}${model}`), '<html>ü\n</html>', small().slice(0, -2)];
    fc.assert(fc.property(fc.constantFrom(...texts), fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 1, maxLength: 40 }), (text, sizes) => {
      const parser = createByteParser(probe);
      const bytes = Buffer.from(text);
      for (let at = 0, turn = 0; at < bytes.length; turn++) {
        const size = sizes[turn % sizes.length]!;
        parser.write(bytes.subarray(at, at + size));
        at += size;
      }
      expect(parser.end({})).toEqual(parse(text));
    }), { numRuns: 30 });
  });
});
