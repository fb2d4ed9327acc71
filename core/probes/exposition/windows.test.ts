import { describe, expect, it } from 'vitest';
import type { Measurement, ParseResult } from '../contract';
import { parseText } from '../parse';
import { probe } from '../vllm-metrics';
import { type Answer, histogramLines, sampleLine, scrapes, STARTED_S, vllmText, type VllmOptions } from './testing';

const stream = (...answers: Answer[]): ParseResult => parseText(probe, scrapes(...answers));
const between = (previous: string, text: string): ParseResult => parseText(probe, text, {}, { previous });
const codes = ({ reasons }: ParseResult): string[] => reasons.map(({ code }) => code);
const doubts = ({ reasons }: ParseResult): string[] => reasons.filter(({ severity }) => severity === 'error').map(({ code }) => code);
const values = ({ measurements }: ParseResult, metric: string): (number | string)[] => measurements.filter((item) => item.metric === metric).map(({ value }) => value);
const stat = ({ measurements }: ParseResult, metric: string, name: string): Measurement | undefined => measurements.find((item) => item.metric === metric && item.labels?.['stat'] === name);
const near = (value: number): number => expect.closeTo(value, 9) as number;

const before = vllmText({ finished: 100 });
const after = vllmText({ finished: 140 });
const edit = (text: string, from: string | RegExp, to: string): string => {
  const edited = text.replace(from, to);
  expect(edited).not.toBe(text);
  return edited;
};

describe('the window between two scrapes', () => {
  it('holds what came between them', () => {
    const result = between(before, after);
    expect(result).toMatchObject({ outcome: 'measured', context: { window: 'between scrapes' } });
    expect(stat(result, 'vllm.ttft', 'mean')).toMatchObject({ value: near(0.1225), samples: 40 });
    expect(values(result, 'vllm.requests_finished')).toEqual([40]);
    expect(values(result, 'vllm.generation_tokens')).toEqual([800]);
    expect(codes(result)).toContain('serving.no-times');
  });

  it('has rates per second when the run wrote the times', () => {
    const result = stream(before, vllmText({ finished: 120 }), after);
    expect(result).toMatchObject({ outcome: 'measured', context: { windowSeconds: 20 } });
    expect(result.measurements).toContainEqual(expect.objectContaining({ metric: 'vllm.generation_tokens_per_second', value: 40, unit: 'tok/s' }));
    expect(result.measurements).toContainEqual(expect.objectContaining({ metric: 'vllm.requests_finished_per_second', value: 2, unit: 'req/s', labels: { reason: 'stop' } }));
  });

  it('adds the growth of each engine before it takes a quantile', () => {
    const engine = (label: string, inside: readonly number[]): string => `${histogramLines('vllm:time_to_first_token_seconds', { labels: { engine: label }, inside }).join('\n')}\n`;
    const result = between(engine('0', [50, 0, 0, 0, 0]) + engine('1', [0, 0, 0, 9, 0]), engine('0', [50, 8, 0, 0, 0]) + engine('1', [0, 0, 0, 9, 2]));
    expect(stat(result, 'vllm.ttft', 'p50')).toMatchObject({ value: near(0.05 + 0.15 * (5 / 8)), samples: 10, interval: { low: 0.05, high: 0.2 } });
    expect(stat(result, 'vllm.ttft', 'p90')).toMatchObject({ value: 3.2, labels: { stat: 'p90', bound: 'lower' } });
  });

  it('lets a series that came up in it grow from 0', () => {
    const aborted = `${after}${sampleLine('vllm:request_success_total', 3, { engine: '0', finished_reason: 'abort' })}\n`;
    expect(between(before, aborted).measurements).toContainEqual(expect.objectContaining({ metric: 'vllm.requests_finished', value: 3, labels: { reason: 'abort' } }));
  });

  it('measures no latency when nothing ended in it', () => {
    const result = between(before, before);
    expect([result.outcome, values(result, 'vllm.e2e'), values(result, 'vllm.preemptions'), values(result, 'vllm.prefix_cache_hit_rate')]).toEqual(['measured', [], [0], []]);
  });

  it('follows gauges over all scrapes', () => {
    const text = (running: number, kvCacheUsage: number): string => vllmText({ running, kvCacheUsage });
    const result = stream(text(0, 0.125), text(8, 0.875), text(1, 0.5));
    expect(result.measurements.filter(({ metric }) => metric === 'vllm.running')).toEqual([
      expect.objectContaining({ value: 8, labels: { stat: 'max' }, samples: 3 }),
      expect.objectContaining({ value: 3, labels: { stat: 'mean' }, samples: 3 }),
    ]);
    expect(values(result, 'vllm.kv_cache_usage')).toEqual([0.875, 0.5]);
    expect(codes(result)).toContain('serving.not-drained');
  });

  it('is doubtful when a gauge was impossible in one of the scrapes', () => {
    const result = stream(vllmText(), vllmText({ running: -2 }), vllmText());
    expect([result.outcome, doubts(result)]).toEqual(['inconclusive', ['serving.implausible']]);
  });

  it('counts HTTP answers by status, whatever the handler', () => {
    const http = (ok: number, bad: number): string => [['/v1/chat', '2xx', ok], ['/v1/models', '2xx', 5], ['/v1/chat', '5xx', bad]].map(([handler, status, value]) => sampleLine('http_requests_total', value!, { handler: String(handler), status: String(status) })).join('\n');
    const result = between(`${before}${http(100, 1)}\n`, `${after}${http(150, 4)}\n`);
    expect(result.measurements.filter(({ metric }) => metric === 'vllm.http_requests').map(({ labels, value }) => [labels?.['status'], value])).toEqual([['2xx', 50], ['5xx', 3]]);
    expect(doubts(between(`${before}${http(100, 4)}\n`, `${after}${http(150, 1)}\n`))).toEqual(['serving.restarted']);
  });

  it('leaves out HTTP answers whose number is not known', () => {
    const http = (value: string): string => `${sampleLine('http_requests_total', value, { status: '5xx' })}\n`;
    expect(values(between(before + http('NaN'), after + http('4')), 'vllm.http_requests')).toEqual([]);
    expect(values(between(before + http('1'), after + http('NaN')), 'vllm.http_requests')).toEqual([]);
  });

  it('warns of a warm cache', () => {
    expect(codes(between(before, after))).toContain('serving.warm-cache');
    expect(codes(parseText(probe, after))).not.toContain('serving.warm-cache');
  });
});

describe('a restart between two scrapes', () => {
  const later = (options: VllmOptions = {}): string => vllmText({ finished: 140, ...options });

  it.each<[string, string, string]>([
    ['another start time with more traffic than before', before, later({ startedS: STARTED_S + 30 })],
    ['a start time that went away', before, later({ process: false })],
    ['a start time that came up', vllmText({ process: false }), later()],
    ['a counter that went down', vllmText({ process: false }), edit(later({ process: false }), /(num_preemptions_total.*\}) 1\.4/, '$1 0')],
    ['a counter that went away', vllmText({ process: false }), later({ process: false, without: ['num_preemptions'] })],
    ['a bucket that went down', vllmText({ process: false }), edit(later({ process: false }), /(first_token_seconds_bucket.*le="0.05"\}) 56/, '$1 39')],
    ['a histogram that went away', vllmText({ process: false }), later({ process: false, without: ['e2e_request_latency_seconds'] })],
    ['another time of creation', `${before}vllm:prompt_tokens_created 1780000000.5\n`, `${later()}vllm:prompt_tokens_created 1780000900.5\n`],
    ['an empty answer in between', before, ''],
  ])('shows by %s', (_what, first, second) => {
    for (const result of [stream(first, second, later()), ...(second === '' ? [] : [between(first, second)])]) {
      expect([result.outcome, doubts(result), values(result, 'vllm.ttft')]).toEqual(['inconclusive', ['serving.restarted'], []]);
    }
  });

  it('is found also when a later scrape looks like the first', () => {
    const result = stream(before, vllmText({ finished: 3 }), after, vllmText({ finished: 2 }));
    expect(result.reasons).toContainEqual(expect.objectContaining({ code: 'serving.restarted', line: before.split('\n').length + 1 }));
  });

  it('is none when a gauge goes down or a clock is read a little later', () => {
    expect(stream(vllmText({ running: 9, kvCacheUsage: 0.5 }), vllmText({ finished: 140, startedS: STARTED_S + 0.4 })).outcome).toBe('measured');
  });

  it('is harder to see without the process families, which is said', () => {
    const text = (finished: number): string => vllmText({ finished, process: false });
    expect(codes(between(text(100), text(140)))).toContain('serving.no-process-families');
    expect(codes(between(before, after))).not.toContain('serving.no-process-families');
  });
});

describe('a window without a sound start', () => {
  const ttftSum = /vllm:time_to_first_token_seconds_sum.*\n/;
  const started = `process_start_time_seconds ${STARTED_S}\n`;

  it.each<[string, string, string]>([
    ['nothing', '', 'serving.no-previous'],
    ['families of the process only', started, 'serving.no-families'],
    ['HTML', `<html>\n</html>\n${started}`, 'serving.bad-previous'],
    ['a bad line', edit(before, 'vllm:num_preemptions_total{', 'vllm:num_preemptions_total['), 'serving.bad-previous'],
    ['a cut line', before.trimEnd(), 'serving.bad-previous'],
    ['a histogram without its sum', edit(before, ttftSum, ''), 'exposition.histogram'],
    ['a histogram without its count', edit(before, /vllm:time_to_first_token_seconds_count.*\n/, ''), 'exposition.histogram'],
    ['a histogram without a bucket', edit(before, /vllm:time_to_first_token_seconds_bucket.*le="0.2".*\n/, ''), 'exposition.histogram'],
    ['only lost scrapes', scrapes({ error: 'timeout' }), 'serving.no-previous'],
  ])('is inconclusive: the earlier scrape holds %s', (_what, previous, code) => {
    const result = between(previous, after);
    expect(result.outcome).toBe('inconclusive');
    expect(doubts(result)).toContain(code);
  });

  it('is inconclusive when buckets that grew do not add up', () => {
    const text = (inside: readonly number[]): string => `${started}${histogramLines('vllm:time_to_first_token_seconds', { inside }).join('\n')}\n`;
    const result = between(text([5, 5, 0, 0, 0]), text([9, 2, 1, 0, 0]));
    expect([doubts(result), values(result, 'vllm.ttft')]).toEqual([['exposition.histogram'], []]);
  });

  it('is inconclusive also when no scrape tells when the server was started', () => {
    expect(doubts(between('\n', vllmText({ process: false })))).toEqual(['serving.no-families']);
  });

  it('has no counter whose start is not finite', () => {
    const result = between(edit(before, /(num_preemptions_total.*\}) 1/, '$1 NaN'), after);
    expect([result.outcome, values(result, 'vllm.preemptions'), values(result, 'vllm.generation_tokens')]).toEqual(['measured', [], [800]]);
  });

  it('is never taken from text in front of the first mark', () => {
    const good = scrapes(before, after);
    expect(parseText(probe, `\n# a comment\n${good}`)).toMatchObject({ outcome: 'measured', context: { windowSeconds: 10 } });
    const odd = parseText(probe, `${vllmText({ finished: 1 })}${good}`);
    expect([odd.outcome, doubts(odd), values(odd, 'vllm.requests_finished')]).toEqual(['inconclusive', ['serving.scrapes-lost'], [40]]);
  });
});

describe('lost scrapes', () => {
  const many = (count: number): Answer[] => Array.from({ length: count }, (_, index) => vllmText({ finished: 100 + index, without: ['inter_token_latency_seconds'] }));
  const timeout = { error: 'timeout after 5000 ms' };

  it.each<[string, Answer[], string[]]>([
    ['one of twelve', [...many(5), timeout, ...many(12).slice(5)], []],
    ['a tenth that is not to be exceeded', [...many(4), timeout, ...many(8).slice(4)], ['serving.scrapes-lost']],
    ['the last one', [...many(12), timeout], []],
    ['the last two', [...many(30), timeout, timeout], ['serving.scrapes-lost']],
    ['all', [timeout, timeout], ['serving.no-scrape', 'serving.scrapes-lost']],
    ['all but one', [...many(1), timeout], ['serving.no-pair', 'serving.scrapes-lost']],
    ['none, but there is only one', many(1), ['serving.no-pair']],
    ['one by its status', [...many(5), { status: 503, body: vllmText() }], ['serving.scrapes-lost']],
  ])('judges %s', (_what, answers, expected) => {
    const result = stream(...answers);
    expect(doubts(result)).toEqual(expected);
    expect(result.outcome).toBe(expected.length === 0 ? 'measured' : 'inconclusive');
  });

  it('finds a body that was cut at a line end', () => {
    const text = scrapes(before, after);
    const lines = text.split('\n');
    const result = parseText(probe, `${lines.slice(0, -3).join('\n')}\n`);
    expect(result.outcome).toBe('inconclusive');
    expect(result.reasons).toContainEqual(expect.objectContaining({ code: 'serving.scrape-lost', message: expect.stringMatching(/Scrape 2 is lost: \d+ bytes were received, but \d+ are here/) as string, line: before.split('\n').length + 1 }));
  });

  it('finds a stream that ends in a line, also when most of it is good', () => {
    expect(doubts(parseText(probe, scrapes(...many(15)).slice(0, -9)))).toEqual(['exposition.cut']);
  });

  it('takes bodies with Windows line ends, without a last line end, and with replaced secrets for whole', () => {
    const crlf = (text: string): string => text.replace(/\n/g, '\r\n');
    expect(stream(crlf(before), crlf(after)).outcome).toBe('measured');
    expect(stream(before.trimEnd(), after.trimEnd()).outcome).toBe('measured');
    const secret = scrapes(`# token abcdefghijklmnop\n${before}`, after);
    expect(parseText(probe, secret.replace('abcdefghijklmnop', '[REDACTED]')).outcome).toBe('measured');
    expect(parseText(probe, secret.replace('abcdefghijklmnop', 'abc')).outcome).toBe('inconclusive');
  });

  it('knows a damaged mark', () => {
    const damaged = edit(scrapes(before, after), 'scrape 2', 'scra');
    expect(parseText(probe, damaged).reasons).toContainEqual(expect.objectContaining({ code: 'serving.scrape-lost', message: 'Scrape ? is lost: its mark is damaged.' }));
  });
});

describe('live display', () => {
  it('shows gauges at once and from the second scrape on what came since the one before', () => {
    const live: Measurement[] = [];
    const result = parseText(probe, scrapes(before, vllmText({ finished: 120, running: 2 }), vllmText({ finished: 121, startedS: STARTED_S + 3_615 })), {}, { onMeasurement: (measurement) => live.push(measurement) });
    const of = (scrape: string): Measurement[] => live.filter(({ labels }) => labels?.['scrape'] === scrape);
    expect(new Set(of('1').map(({ metric }) => metric))).toEqual(new Set(['vllm.running', 'vllm.waiting', 'vllm.kv_cache_usage']));
    expect(of('2')).toContainEqual(expect.objectContaining({ metric: 'vllm.requests_finished', value: 20, labels: { reason: 'stop', scrape: '2' } }));
    expect(of('2')).toContainEqual(expect.objectContaining({ metric: 'vllm.running', value: 2 }));
    // Nothing is counted over a restart.
    expect(new Set(of('3').map(({ metric }) => metric))).toEqual(new Set(['vllm.running', 'vllm.waiting', 'vllm.kv_cache_usage']));
    expect(result.outcome).toBe('inconclusive');
  });
});
