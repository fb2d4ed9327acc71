import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Measurement, ParseResult } from '../contract';
import { histogramLines, sampleLine, scrapes } from '../exposition/testing';
import { createByteParser, parseText } from '../parse';
import { expectNeverCleaner } from '../testing/mutations';
import { probe } from './index';

const parse = (text: string): ParseResult => parseText(probe, text);
const text = (...lines: string[]): string => `${lines.join('\n')}\n`;
const codes = ({ reasons }: ParseResult): string[] => reasons.map(({ code }) => code);
const values = ({ measurements }: ParseResult, metric: string): (number | string)[] => measurements.filter((item) => item.metric === metric).map(({ value }) => value);

const OPEN_METRICS = text(
  '# TYPE rack_intake gauge',
  '# UNIT rack_intake celsius',
  '# HELP rack_intake Intake "air".',
  sampleLine('rack_intake', '18.5 1780000000.25', { rack: 'r\\"7\\"' }),
  '# TYPE jobs counter',
  'jobs_total{queue="long"} 41 # {job="j-9"} 1 1780000000.1',
  'jobs_created{queue="long"} 1779990000',
  '{"wärme.rücklauf","straße"="süd\\n"} 3.25e1',
  '# EOF',
);

describe('prometheus', () => {
  it('measures each series with its labels and line', () => {
    const result = parse(OPEN_METRICS);
    expect(result).toMatchObject({ probe: 'prometheus', outcome: 'measured', reasons: [] });
    expect(result.measurements).toEqual([
      { metric: 'prom.rack_intake', value: 18.5, labels: { rack: 'r"7"' }, line: 4 },
      { metric: 'prom.jobs_total', value: 41, labels: { queue: 'long' }, line: 6 },
      { metric: 'prom.jobs_created', value: 1_779_990_000, labels: { queue: 'long' }, line: 7 },
      { metric: 'prom.wärme.rücklauf', value: 32.5, labels: { straße: 'süd\n' }, line: 8 },
    ]);
  });

  it('measures the statistics of a histogram and not its buckets', () => {
    const result = parse(text('up 1', ...histogramLines('wait', { labels: { queue: 'a' }, inside: [0, 10, 0, 0, 0] })));
    expect(result.measurements.map(({ metric, labels, value }) => [metric, labels ?? {}, value])).toEqual([
      ['prom.up', {}, 1],
      ['prom.wait_count', { queue: 'a' }, 10],
      ['prom.wait_sum', { queue: 'a' }, 1.25],
      ...[['p50', 0.125], ['p90', 0.185], ['p95', 0.1925], ['p99', 0.1985], ['mean', 0.125]].map(([stat, value]) => ['prom.wait', { queue: 'a', stat }, expect.closeTo(Number(value), 9)]),
    ]);
  });

  it('measures no value that is not finite, and 0 as 0', () => {
    const result = parse(text('a NaN', 'b -nan', 'c +Inf', 'd 0', 'e -0.0'));
    expect(result.outcome).toBe('measured');
    expect(result.measurements.map(({ metric }) => metric)).toEqual(['prom.d', 'prom.e']);
    expect(result.reasons.map(({ code, line }) => [code, line])).toEqual([['exposition.not-finite', 1], ['exposition.not-finite', 2], ['exposition.not-finite', 3]]);
  });

  it('gives a series while bytes still arrive', () => {
    const live: Measurement[] = [];
    const parser = createByteParser(probe, { onMeasurement: (measurement) => live.push(measurement) });
    parser.write(Buffer.from('a 1\nb 2\nc'));
    expect(live.map(({ metric }) => metric)).toEqual(['prom.a', 'prom.b']);
    parser.write(Buffer.from(' 3\n'));
    expect(parser.end({}).measurements).toEqual(live);
  });

  it.each<[string, string, string]>([
    ['nothing', '', 'serving.no-scrape'],
    ['comments only', text('# TYPE a gauge', '# a remark'), 'parse.nothing-measured'],
    ['only values that are not finite', text('a NaN'), 'parse.nothing-measured'],
    ['HTML', text('<!DOCTYPE html>', '<title>Login</title>'), 'exposition.not-metrics'],
    ['JSON', text('{', '  "status": "success"', '}'), 'exposition.not-metrics'],
    ['a bad line', text('a 1', 'b'), 'exposition.syntax'],
    ['a series twice', text('a 1', 'a 2'), 'exposition.duplicate-series'],
    ['a histogram that does not add up', text('a 1', ...histogramLines('h', { inside: [1, 1, 1, 1, 1] })).replace('h_count 5', 'h_count 4'), 'exposition.histogram'],
    ['a cut last line', 'a 1\nb 22', 'exposition.cut'],
    ['a cut at a line of OpenMetrics', OPEN_METRICS.replace('# EOF\n', ''), 'exposition.no-end'],
    ['two texts behind each other', OPEN_METRICS + OPEN_METRICS, 'exposition.after-end'],
  ])('is inconclusive with %s', (_what, input, code) => {
    const result = parse(input);
    expect(result.outcome).toBe('inconclusive');
    expect(codes(result)).toContain(code);
  });

  it('is inconclusive when reading ended with an error', () => {
    expect(codes(parseText(probe, 'a 1\n', { exitCode: 28 }))).toContain('serving.exit-code');
  });

  it('reports the last good scrape of a stream, with its lines', () => {
    const result = parse(scrapes('a 1\n', { error: 'timeout' }, 'a 7\n'));
    expect(result).toMatchObject({ outcome: 'measured', measurements: [{ metric: 'prom.a', value: 7, line: 5 }] });
    expect(codes(result)).toEqual(['serving.scrape-lost']);
  });

  it('is inconclusive when the last scrape is lost, or series belong to none', () => {
    expect(codes(parse(scrapes('a 1\n', { error: 'timeout' })))).toContain('serving.scrapes-lost');
    expect(codes(parse(`a 3\n${scrapes('a 1\n')}`))).toContain('serving.scrapes-lost');
    expect(parse(`\n${scrapes('a 1\n')}`).outcome).toBe('measured');
  });

  it('never becomes cleaner when it is damaged', () => {
    // Only a text with marks or in OpenMetrics knows its end.
    expectNeverCleaner(probe, text('a 1', 'b', 'c 3'), {}, { endUnknowable: true });
    expectNeverCleaner(probe, OPEN_METRICS.replace('# EOF', '# 9'), {}, { endUnknowable: true });
    expectNeverCleaner(probe, scrapes('a 1\n', 'b 2\n', { error: 'timeout' }), {}, { endUnknowable: true });
    expectNeverCleaner(probe, text('<html>', '<p>bad gateway</p>', '</html>'));
  });

  it('gives the same result wherever the bytes are cut into chunks', () => {
    const texts = [OPEN_METRICS, OPEN_METRICS.replace(/\n/g, '\r\n'), OPEN_METRICS.slice(0, -4), scrapes(OPEN_METRICS, 'a 1')];
    fc.assert(fc.property(fc.constantFrom(...texts), fc.array(fc.nat(), { maxLength: 12 }), (input, points) => {
      const bytes = Buffer.from(input);
      const cuts = [0, ...points.map((point) => point % bytes.length).sort((a, b) => a - b), bytes.length];
      const parser = createByteParser(probe);
      for (let index = 1; index < cuts.length; index++) parser.write(bytes.subarray(cuts[index - 1], cuts[index]));
      expect(parser.end({})).toEqual(parse(input));
    }), { numRuns: 100 });
  });
});

describe('prometheus: families of servers without a probe of their own', () => {
  it('reads Text Generation Inference, which measures no first token', () => {
    const result = parse(text('tgi_batch_current_size 3', 'tgi_queue_size 8', 'tgi_request_count 40', ...histogramLines('tgi_request_queue_duration', { inside: [10, 0, 0, 0, 0] }), ...histogramLines('tgi_request_duration', { inside: [0, 0, 0, 10, 0] })));
    expect([values(result, 'tgi.running'), values(result, 'tgi.waiting'), values(result, 'tgi.requests')]).toEqual([[3], [8], [40]]);
    expect(result.measurements).toContainEqual(expect.objectContaining({ metric: 'tgi.e2e', unit: 's', labels: { stat: 'p50' }, value: 2 }));
    expect(values(result, 'tgi.ttft')).toEqual([]);
  });

  it('withholds a family that cannot be right, and says so', () => {
    const result = parse(text(...histogramLines('tgi_request_duration', { inside: [10, 0, 0, 0, 0], sum: 0.002 })));
    expect([result.outcome, values(result, 'tgi.e2e'), values(result, 'prom.tgi_request_duration_sum')]).toEqual(['measured', [], [0.002]]);
    expect(result.reasons).toContainEqual(expect.objectContaining({ code: 'serving.implausible', severity: 'warning', line: 2 }));
  });

  it('reads TensorRT-LLM', () => {
    const result = parse(text('trtllm_kv_cache_utilization 0.5', 'trtllm_kv_cache_hit_rate 0.25', sampleLine('trtllm_request_success_total', 9, { finished_reason: 'length' }), ...histogramLines('trtllm_time_to_first_token_seconds', { inside: [0, 10, 0, 0, 0] })));
    expect([values(result, 'trtllm.kv_cache_usage'), values(result, 'trtllm.prefix_cache_hit_rate'), values(result, 'trtllm.requests_finished')]).toEqual([[0.5], [0.25], [9]]);
    expect(values(result, 'trtllm.ttft')).toHaveLength(5);
  });

  it('tells the quantities of Triton apart by a label, and its milliseconds from seconds', () => {
    const kind = (name: string, label: string, all: Record<string, number>): string[] => Object.entries(all).map(([type, value]) => sampleLine(name, value, { model: 'm', [label]: type }));
    const result = parse(text(
      ...kind('nv_trt_llm_request_metrics', 'request_type', { waiting: 2, scheduled: 5, active: 7 }),
      ...kind('nv_trt_llm_kv_cache_block_metrics', 'kv_cache_block_type', { used: 40, free: 60, fraction: 0.4 }),
      ...histogramLines('nv_inference_first_response_histogram_ms', { bounds: [100, 500, 2_000], inside: [0, 10, 0, 0] }).map((line) => line.replace('_bucket{', '{')),
    ));
    expect([values(result, 'triton.waiting'), values(result, 'triton.running'), values(result, 'triton.kv_cache_usage')]).toEqual([[2], [5], [0.4]]);
    expect(result.measurements).toContainEqual(expect.objectContaining({ metric: 'triton.ttft', value: expect.closeTo(0.3, 9) as number, unit: 's', labels: { stat: 'p50' }, interval: { low: expect.closeTo(0.1, 9) as number, high: expect.closeTo(0.5, 9) as number } }));
  });

  it('reads llama.cpp, but not its gauges of tokens per second', () => {
    const result = parse(text('llamacpp:prompt_tokens_total 50', 'llamacpp:predicted_tokens_seconds 71.5', 'llamacpp:kv_cache_usage_ratio -nan', 'llamacpp:requests_processing 1'));
    expect([values(result, 'llamacpp.prompt_tokens'), values(result, 'llamacpp.running'), values(result, 'llamacpp.kv_cache_usage')]).toEqual([[50], [1], []]);
    expect(result.measurements.filter(({ metric }) => metric.startsWith('llamacpp.'))).toHaveLength(2);
  });
});
