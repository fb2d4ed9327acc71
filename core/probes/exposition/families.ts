/**
 * Metric families of model servers with every name that a version gave them, newest first. Names are without the server's
 * prefix and without `_total`; the first one that a scrape holds is used, so that a renamed family is never counted twice.
 */
export interface ServerFamilies {
  /** `vllm`, `sglang`: prefix of the measurements and, with `:` or `_`, of the names on the wire. */
  server: string;
  histograms: Readonly<Record<string, readonly string[]>>;
  gauges: Readonly<Record<string, { names: readonly string[]; combine: 'sum' | 'max' }>>;
  counters: Readonly<Record<string, readonly string[]>>;
  /** Hits and queries, whose ratio over the window is the hit rate. */
  hitRate?: { hits: readonly string[]; queries: readonly string[] };
  /** Gauges that give a hit rate themselves; below 0 the cache is off. */
  hitRateGauges: readonly string[];
  finished?: { names: readonly string[]; label: string };
}

/** vLLM 0.4 to 0.27 (vllm/engine/metrics.py and vllm/v1/metrics/loggers.py). */
export const VLLM: ServerFamilies = {
  server: 'vllm',
  histograms: {
    ttft: ['time_to_first_token_seconds'],
    itl: ['inter_token_latency_seconds', 'time_per_output_token_seconds'],
    e2e: ['e2e_request_latency_seconds'],
    queue: ['request_queue_time_seconds'],
    inference: ['request_inference_time_seconds'],
    prefill: ['request_prefill_time_seconds'],
    decode: ['request_decode_time_seconds'],
  },
  gauges: {
    running: { names: ['num_requests_running'], combine: 'sum' },
    waiting: { names: ['num_requests_waiting'], combine: 'sum' },
    kv_cache_usage: { names: ['kv_cache_usage_perc', 'gpu_cache_usage_perc'], combine: 'max' },
  },
  counters: { preemptions: ['num_preemptions'], prompt_tokens: ['prompt_tokens'], generation_tokens: ['generation_tokens'] },
  hitRate: { hits: ['prefix_cache_hits', 'gpu_prefix_cache_hits'], queries: ['prefix_cache_queries', 'gpu_prefix_cache_queries'] },
  hitRateGauges: ['gpu_prefix_cache_hit_rate'],
  finished: { names: ['request_success'], label: 'finished_reason' },
};

/** SGLang 0.4 and newer (python/sglang/srt/metrics/collector.py). */
export const SGLANG: ServerFamilies = {
  server: 'sglang',
  histograms: {
    ttft: ['time_to_first_token_seconds'],
    itl: ['inter_token_latency_seconds', 'time_per_output_token_seconds'],
    e2e: ['e2e_request_latency_seconds'],
    queue: ['queue_time_seconds'],
  },
  gauges: {
    running: { names: ['num_running_reqs'], combine: 'sum' },
    waiting: { names: ['num_queue_reqs'], combine: 'sum' },
    kv_cache_usage: { names: ['token_usage'], combine: 'max' },
  },
  counters: { prompt_tokens: ['prompt_tokens'], generation_tokens: ['generation_tokens'] },
  hitRateGauges: ['cache_hit_rate'],
};
