/**
 * Metric families of model servers with every name that a version gave them. Names are without the server's prefix, and
 * without `_total`, which some collectors drop. The first name that a scrape holds is used and never added to another one:
 * versions that rename a family emit both names for a while.
 */
export interface Alias {
  name: string;
  /** Only series with these label values: one family of Triton holds several quantities. */
  where?: Readonly<Record<string, string>>;
  /** Turns the value into the metric's unit. */
  scale?: number;
  /** Versions that have the name, for the reader. */
  versions?: string;
}

export interface Family {
  /** Behind the server's name: `ttft` is reported as `vllm.ttft`. */
  metric: string;
  title: string;
  /** Newest first. */
  aliases: readonly Alias[];
}

export interface GaugeFamily extends Family {
  /** How engines are put together: counts are added, of shares the worst one counts. */
  combine: 'sum' | 'max';
}

export interface CounterFamily extends Family {
  /** Unit of the growth per second. */
  rateUnit: 'tok/s' | 'req/s' | 'Hz';
  /** Reported one by one by this label. */
  split?: { as: string; from: readonly string[] };
}

export interface HitRate {
  /** Counters of hits and queries of the same names; a pair is used only when both are there. */
  counters: readonly { hits: string; queries: string }[];
  gauges: readonly string[];
}

export interface ServerFamilies {
  /** Prefix of the measurements. */
  server: string;
  title: string;
  /** Matches the prefix of the names on the wire. */
  prefix: RegExp;
  /** In seconds. */
  histograms: readonly Family[];
  gauges: readonly GaugeFamily[];
  counters: readonly CounterFamily[];
  hitRate?: HitRate;
  /** Ranks that all report the same: only the lowest one is used. */
  replicaLabels: readonly string[];
  /** Series with such a label come from a router in front of the engines. */
  routerLabels: readonly string[];
  /** Families whose presence shows that a version gives wrong numbers for these metrics. */
  faults: readonly { sign: string; metrics: readonly string[]; message: string }[];
}

const names = (...all: readonly string[]): Alias[] => all.map((name) => ({ name }));

const TITLES = {
  ttft: 'Time to first token',
  itl: 'Inter-token latency',
  tpot: 'Time per output token of a request',
  e2e: 'End-to-end latency',
  queue: 'Queue time',
  inference: 'Inference time',
  prefill: 'Prefill time',
  decode: 'Decode time',
  running: 'Requests running',
  waiting: 'Requests waiting',
  kv_cache_usage: 'KV cache in use (0…1)',
} as const;

const histogram = (metric: keyof typeof TITLES, ...aliases: readonly Alias[]): Family => ({ metric, title: TITLES[metric], aliases });
const gauge = (metric: 'running' | 'waiting' | 'kv_cache_usage', ...aliases: readonly Alias[]): GaugeFamily => ({ metric, title: TITLES[metric], aliases, combine: metric === 'kv_cache_usage' ? 'max' : 'sum' });
const counter = (metric: string, title: string, rateUnit: CounterFamily['rateUnit'], aliases: readonly Alias[], split?: CounterFamily['split']): CounterFamily => ({ metric, title, rateUnit, aliases, ...(split ? { split } : {}) });
const tokens = (prompt: string, generated: string): CounterFamily[] => [counter('prompt_tokens', 'Prompt tokens', 'tok/s', names(prompt)), counter('generation_tokens', 'Generated tokens', 'tok/s', names(generated))];

/** vLLM: vllm/engine/metrics.py (V0), vllm/v1/metrics/loggers.py (V1). Behind collectors also `vllm_`, `kserve_vllm:`. */
export const VLLM: ServerFamilies = {
  server: 'vllm',
  title: 'vLLM',
  prefix: /^(?:kserve_|ray_)?vllm[:_]/,
  histograms: [
    histogram('ttft', { name: 'time_to_first_token_seconds', versions: 'since 0.4.0' }),
    histogram('itl', { name: 'inter_token_latency_seconds', versions: 'since 0.11' }, { name: 'time_per_output_token_seconds', versions: '0.4.0 to 0.14' }),
    histogram('tpot', { name: 'request_time_per_output_token_seconds', versions: 'since 0.11' }),
    histogram('e2e', { name: 'e2e_request_latency_seconds', versions: 'since 0.4.0' }),
    histogram('queue', { name: 'request_queue_time_seconds', versions: 'since 0.6.4' }, { name: 'time_in_queue_requests', versions: '0.6.4 to 0.9.0' }),
    histogram('inference', { name: 'request_inference_time_seconds', versions: 'since 0.6.4' }),
    histogram('prefill', { name: 'request_prefill_time_seconds', versions: 'since 0.6.4' }),
    histogram('decode', { name: 'request_decode_time_seconds', versions: 'since 0.6.4' }),
  ],
  gauges: [
    gauge('running', ...names('num_requests_running')),
    gauge('waiting', ...names('num_requests_waiting')),
    gauge('kv_cache_usage', { name: 'kv_cache_usage_perc', versions: 'since 0.9.2' }, { name: 'gpu_cache_usage_perc', versions: 'up to 0.11, where it is hidden' }),
  ],
  counters: [
    counter('preemptions', 'Preemptions', 'Hz', names('num_preemptions')),
    ...tokens('prompt_tokens', 'generation_tokens'),
    counter('requests_finished', 'Finished requests', 'req/s', names('request_success'), { as: 'reason', from: ['finished_reason', 'finish_reason'] }),
    counter('draft_steps', 'Speculative decoding steps', 'Hz', names('spec_decode_num_drafts')),
    counter('accepted_draft_tokens', 'Accepted speculative tokens', 'tok/s', names('spec_decode_num_accepted_tokens')),
  ],
  hitRate: {
    counters: [{ hits: 'prefix_cache_hits', queries: 'prefix_cache_queries' }, { hits: 'gpu_prefix_cache_hits', queries: 'gpu_prefix_cache_queries' }],
    gauges: ['gpu_prefix_cache_hit_rate'],
  },
  replicaLabels: [],
  routerLabels: ['server'],
  faults: [
    {
      // The gauge went away in 0.7.0; the histograms came in 0.6.4, where the two were mistaken for each other.
      sign: 'avg_prompt_throughput_toks_per_s',
      metrics: ['prefill', 'decode'],
      message: 'This version may be 0.6.4, which took prefill and decode time for each other, so neither is reported.',
    },
  ],
};

/** SGLang: python/sglang/srt/metrics/collector.py. Its gateway writes `sglang_` and adds worker_addr. */
export const SGLANG: ServerFamilies = {
  server: 'sglang',
  title: 'SGLang',
  prefix: /^(?:kserve_|ray_)?sglang[:_]/,
  histograms: [
    histogram('ttft', ...names('time_to_first_token_seconds')),
    histogram('itl', { name: 'inter_token_latency_seconds' }, { name: 'time_per_output_token_seconds', versions: 'up to 0.4' }),
    histogram('e2e', ...names('e2e_request_latency_seconds')),
    histogram('queue', ...names('queue_time_seconds')),
  ],
  gauges: [gauge('running', ...names('num_running_reqs')), gauge('waiting', ...names('num_queue_reqs')), gauge('kv_cache_usage', ...names('token_usage'))],
  counters: [
    counter('preemptions', 'Retracted requests', 'Hz', names('num_retracted_requests')),
    ...tokens('prompt_tokens', 'generation_tokens'),
    counter('requests', 'Requests', 'req/s', names('num_requests')),
    counter('requests_aborted', 'Aborted requests', 'req/s', names('num_aborted_requests')),
  ],
  hitRate: { counters: [{ hits: 'cached_tokens', queries: 'prompt_tokens' }], gauges: ['cache_hit_rate'] },
  replicaLabels: ['tp_rank', 'pp_rank', 'moe_ep_rank'],
  routerLabels: [],
  faults: [],
};

const plain = { replicaLabels: [], routerLabels: [], faults: [] } as const;

/** Hugging Face Text Generation Inference: router/src/server.rs. It measures no time to first token. */
const TGI: ServerFamilies = {
  ...plain,
  server: 'tgi',
  title: 'TGI',
  prefix: /^tgi_/,
  histograms: [histogram('e2e', ...names('request_duration')), histogram('queue', ...names('request_queue_duration')), histogram('inference', ...names('request_inference_duration')), histogram('tpot', ...names('request_mean_time_per_token_duration'))],
  gauges: [gauge('running', ...names('batch_current_size')), gauge('waiting', ...names('queue_size'))],
  counters: [counter('requests', 'Requests', 'req/s', names('request_count')), counter('requests_succeeded', 'Successful requests', 'req/s', names('request_success'))],
};

/** trtllm-serve: tensorrt_llm/metrics, at /prometheus/metrics. */
const TRTLLM: ServerFamilies = {
  ...plain,
  server: 'trtllm',
  title: 'TensorRT-LLM',
  prefix: /^trtllm[:_]/,
  histograms: [histogram('ttft', ...names('time_to_first_token_seconds')), histogram('itl', ...names('time_per_output_token_seconds')), histogram('e2e', ...names('e2e_request_latency_seconds')), histogram('queue', ...names('request_queue_time_seconds'))],
  gauges: [gauge('running', ...names('num_requests_running')), gauge('waiting', ...names('num_requests_waiting')), gauge('kv_cache_usage', ...names('kv_cache_utilization'))],
  counters: [counter('requests_finished', 'Finished requests', 'req/s', names('request_success'), { as: 'reason', from: ['finished_reason'] })],
  hitRate: { counters: [], gauges: ['kv_cache_hit_rate'] },
};

const tritonGauge = (metric: 'running' | 'waiting', type: string): GaugeFamily => gauge(metric, { name: 'trt_llm_request_metrics', where: { request_type: type } });

/** Triton Inference Server with the TensorRT-LLM backend: one family holds several quantities, told apart by a label. */
const TRITON: ServerFamilies = {
  ...plain,
  server: 'triton',
  title: 'Triton',
  prefix: /^nv_/,
  histograms: [histogram('ttft', { name: 'inference_first_response_histogram_ms', scale: 0.001 })],
  gauges: [tritonGauge('running', 'scheduled'), tritonGauge('waiting', 'waiting'), gauge('kv_cache_usage', { name: 'trt_llm_kv_cache_block_metrics', where: { kv_cache_block_type: 'fraction' } })],
  counters: [counter('requests_succeeded', 'Successful requests', 'req/s', names('inference_request_success')), counter('requests_failed', 'Failed requests', 'req/s', names('inference_request_failure'))],
};

/** llama.cpp server: tools/server. Its tokens-per-second gauges changed their meaning twice and are not used. */
const LLAMACPP: ServerFamilies = {
  ...plain,
  server: 'llamacpp',
  title: 'llama.cpp',
  prefix: /^llamacpp[:_]/,
  histograms: [],
  gauges: [gauge('running', ...names('requests_processing')), gauge('waiting', ...names('requests_deferred')), gauge('kv_cache_usage', ...names('kv_cache_usage_ratio'))],
  counters: tokens('prompt_tokens', 'tokens_predicted'),
};

/** Servers without a probe of their own; the probe `prometheus` reports their families beside the series. */
export const OTHER_SERVERS: readonly ServerFamilies[] = [TGI, TRTLLM, TRITON, LLAMACPP];
