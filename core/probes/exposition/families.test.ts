import { describe, expect, it } from 'vitest';
import type { ParseResult, ProbeDefinition } from '../contract';
import { parseText } from '../parse';
import { probe as prometheus } from '../prometheus';
import { probe as sglang } from '../sglang-metrics';
import { probe as vllm } from '../vllm-metrics';
import { OTHER_SERVERS, SGLANG, type ServerFamilies, VLLM } from './families';
import { histogramLines, sampleLine } from './testing';

const parse = (probe: ProbeDefinition, ...lines: string[]): ParseResult => parseText(probe, `${lines.join('\n')}\n`);
const values = ({ measurements }: ParseResult, metric: string): (number | string)[] => measurements.filter((item) => item.metric === metric).map(({ value }) => value);
const counts = ({ measurements }: ParseResult, metric: string): (number | undefined)[] => [...new Set(measurements.filter((item) => item.metric === metric).map(({ samples }) => samples))];
const observed = (name: string, count: number): string[] => histogramLines(name, { labels: { model_name: 'm' }, inside: [0, count, 0, 0, 0] });

describe('names of vLLM by version', () => {
  it('reads the older engine', () => {
    const result = parse(
      vllm,
      'vllm:gpu_cache_usage_perc{model_name="m"} 0.125',
      'vllm:gpu_prefix_cache_hit_rate{model_name="m"} 0.75',
      'vllm:num_requests_swapped{model_name="m"} 0',
      ...observed('vllm:time_per_output_token_seconds', 30),
      ...observed('vllm:time_in_queue_requests', 20),
    );
    expect(result.outcome).toBe('measured');
    expect([values(result, 'vllm.kv_cache_usage'), values(result, 'vllm.prefix_cache_hit_rate')]).toEqual([[0.125], [0.75]]);
    expect([counts(result, 'vllm.itl'), counts(result, 'vllm.queue')]).toEqual([[30], [20]]);
  });

  it('never adds an older name to a newer one', () => {
    const both = [
      'vllm:gpu_cache_usage_perc 0.5',
      'vllm:kv_cache_usage_perc 0.25',
      ...observed('vllm:time_per_output_token_seconds', 30),
      ...observed('vllm:inter_token_latency_seconds', 40),
      'vllm:gpu_prefix_cache_queries_total 10',
      'vllm:gpu_prefix_cache_hits_total 1',
      'vllm:prefix_cache_queries_total 160',
      'vllm:prefix_cache_hits_total 80',
      'vllm:gpu_prefix_cache_hit_rate 0.9',
    ];
    for (const lines of [both, [...both].reverse()]) {
      const result = parse(vllm, ...lines);
      expect([values(result, 'vllm.kv_cache_usage'), counts(result, 'vllm.itl'), values(result, 'vllm.prefix_cache_hit_rate')]).toEqual([[0.25], [40], [0.5]]);
    }
  });

  it('uses a pair of counters only when both are there, and the gauge when there is none', () => {
    expect(values(parse(vllm, 'vllm:prefix_cache_hits_total 8', 'vllm:gpu_prefix_cache_queries_total 10', 'vllm:gpu_prefix_cache_hits_total 1'), 'vllm.prefix_cache_hit_rate')).toEqual([0.1]);
    const off = parse(vllm, 'vllm:num_requests_running 0', 'vllm:gpu_prefix_cache_hit_rate -1.0');
    expect([off.outcome, values(off, 'vllm.prefix_cache_hit_rate')]).toEqual(['measured', []]);
    expect(off.reasons).toContainEqual(expect.objectContaining({ code: 'serving.prefix-cache-off', severity: 'info', line: 2 }));
  });

  it.each([
    ['with underscores, as Ray writes them', 'ray_vllm_num_preemptions_total 3'],
    ['behind a proxy that copies them', 'kserve_vllm:num_preemptions_total 3'],
    ['without the ending, as some collectors keep them', 'vllm:num_preemptions 3'],
  ])('reads names %s', (_what, line) => {
    expect(values(parse(vllm, line), 'vllm.preemptions')).toEqual([3]);
  });

  it('takes the kind from the samples and not from the name', () => {
    const result = parse(vllm, ...observed('vllm:iteration_tokens_total', 50), 'vllm:num_requests_waiting 4', 'vllm:num_requests_waiting_by_reason{reason="capacity"} 3', 'vllm:num_requests_waiting_by_reason{reason="deferred"} 1');
    expect([result.outcome, values(result, 'vllm.waiting')]).toEqual(['measured', [4]]);
  });

  it.each(['finished_reason', 'finish_reason'])('splits finished requests by %s', (label) => {
    const result = parse(vllm, ...['stop', 'length'].flatMap((reason) => ['0', '1'].map((engine) => sampleLine('vllm:request_success_total', reason === 'stop' ? 5 : 2, { engine, [label]: reason }))));
    expect(result.measurements.map(({ labels, value }) => [labels?.['reason'], value])).toEqual([['stop', 10], ['length', 4]]);
  });

  it('derives the tokens of a decoding step from speculative decoding', () => {
    const result = parse(vllm, 'vllm:spec_decode_num_drafts_total 200', 'vllm:spec_decode_num_accepted_tokens_total 190');
    expect(result.measurements).toContainEqual(expect.objectContaining({ metric: 'vllm.acceptance_length', value: 1.95, samples: 200 }));
    expect(values(parse(vllm, 'vllm:spec_decode_num_drafts_total 0', 'vllm:spec_decode_num_accepted_tokens_total 0'), 'vllm.acceptance_length')).toEqual([]);
  });
});

describe.each<[ProbeDefinition, ServerFamilies]>([
  [vllm, VLLM],
  [sglang, SGLANG],
  ...OTHER_SERVERS.map((families): [ProbeDefinition, ServerFamilies] => [prometheus, families]),
])('families that $id reads', (probe, families) => {
  const prefix = { vllm: 'vllm:', sglang: 'sglang:', tgi: 'tgi_', trtllm: 'trtllm_', triton: 'nv_', llamacpp: 'llamacpp:' }[families.server]!;

  it(`finds every name of ${families.title} alone`, () => {
    for (const { metric, aliases } of families.histograms) {
      for (const { name, scale = 1 } of aliases) {
        const lines = histogramLines(prefix + name, { bounds: [0.1 / scale, 0.3 / scale], inside: [0, 10, 0] });
        expect(counts(parse(probe, ...lines), `${families.server}.${metric}`), name).toEqual([10]);
      }
    }
    for (const { metric, aliases } of [...families.gauges, ...families.counters]) {
      for (const { name, where } of aliases) expect(values(parse(probe, sampleLine(prefix + name, 1, where)), `${families.server}.${metric}`), name).toEqual([1]);
    }
  });

  it(`describes every metric that it reports of ${families.title}`, () => {
    const described = probe.metrics.map(({ metric }) => metric);
    const isDescribed = (metric: string): boolean => described.some((known) => known === metric || (known.endsWith('*') && metric.startsWith(known.slice(0, -1))));
    const all = [...families.histograms, ...families.gauges, ...families.counters].map(({ metric }) => `${families.server}.${metric}`);
    expect(all.filter((metric) => !isDescribed(metric))).toEqual([]);
  });
});
