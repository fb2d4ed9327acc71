/** Scrapes that agree with themselves, as model servers would write them. For tests only. */

export type LabelTexts = Readonly<Record<string, string>>;

const braces = (labels: LabelTexts): string => {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${value}"`);
  return pairs.length > 0 ? `{${pairs.join(',')}}` : '';
};

export const sampleLine = (name: string, value: number | string, labels: LabelTexts = {}): string => `${name}${braces(labels)} ${value}`;

export interface HistogramOptions {
  labels?: LabelTexts;
  /** Upper bounds without +Inf. */
  bounds?: readonly number[];
  /** Observations inside each bucket; the last one is that of +Inf. */
  inside: readonly number[];
  /** Default: each observation in the middle of its bucket, above the last bound at twice the bound. */
  sum?: number | string;
}

export const BOUNDS = [0.05, 0.2, 0.8, 3.2];

export function histogramLines(name: string, { labels = {}, bounds = BOUNDS, inside, sum }: HistogramOptions): string[] {
  let [cumulative, total] = [0, 0];
  const buckets = inside.map((count, index) => {
    const [low, high] = [bounds[index - 1] ?? 0, bounds[index]];
    cumulative += count;
    total += count * (high === undefined ? 2 * low : (low + high) / 2);
    return sampleLine(`${name}_bucket`, cumulative, { ...labels, le: high === undefined ? '+Inf' : String(high) });
  });
  return [`# TYPE ${name} histogram`, ...buckets, sampleLine(`${name}_count`, cumulative, labels), sampleLine(`${name}_sum`, sum ?? total, labels)];
}

export interface VllmOptions {
  engines?: readonly string[];
  /** Finished requests of each engine; everything else grows with them. */
  finished?: number;
  startedS?: number;
  /** Absent when null, as in multiprocess mode. */
  process?: boolean;
  running?: number;
  kvCacheUsage?: number;
  /** Names without `vllm:` to be left out. */
  without?: readonly string[];
}

export const STARTED_S = 1_780_000_000;

/** One scrape of a vLLM server with newer names, 10 tokens in and 20 out for each request, half the prompt from the cache. */
export function vllmText({ engines = ['0'], finished = 100, startedS = STARTED_S, process = true, running = 0, kvCacheUsage = 0.25, without = [] }: VllmOptions = {}): string {
  const tenths = (...weights: readonly number[]): number[] => weights.map((weight) => (weight * finished) / 10);
  const histograms: Record<string, HistogramOptions> = {
    time_to_first_token_seconds: { inside: tenths(4, 5, 1, 0, 0) },
    inter_token_latency_seconds: { inside: tenths(80, 20, 0, 0, 0) },
    e2e_request_latency_seconds: { inside: tenths(0, 0, 2, 7, 1) },
    request_queue_time_seconds: { inside: tenths(10, 0, 0, 0, 0) },
    request_prefill_time_seconds: { inside: tenths(5, 5, 0, 0, 0) },
    request_decode_time_seconds: { inside: tenths(0, 0, 3, 7, 0) },
    request_inference_time_seconds: { inside: tenths(0, 0, 3, 7, 0) },
  };
  const counters = { prompt_tokens: 10 * finished, generation_tokens: 20 * finished, num_preemptions: finished / 100, prefix_cache_queries: 10 * finished, prefix_cache_hits: 5 * finished };
  const gauges = { num_requests_running: running, num_requests_waiting: 0, kv_cache_usage_perc: kvCacheUsage };
  const each = (line: (labels: LabelTexts) => string | string[]): string[] => engines.flatMap((engine) => line({ engine, model_name: 'acme/chat-8b' }));
  const families: [string, string[]][] = [
    ...Object.entries(gauges).map(([name, value]): [string, string[]] => [name, [`# TYPE vllm:${name} gauge`, ...each((labels) => sampleLine(`vllm:${name}`, value, labels))]]),
    ...Object.entries(counters).map(([name, value]): [string, string[]] => [name, [`# TYPE vllm:${name}_total counter`, ...each((labels) => sampleLine(`vllm:${name}_total`, value, labels))]]),
    ['request_success', ['# TYPE vllm:request_success_total counter', ...each((labels) => sampleLine('vllm:request_success_total', finished, { ...labels, finished_reason: 'stop' }))]],
    ...Object.entries(histograms).map(([name, options]): [string, string[]] => [name, each((labels) => histogramLines(`vllm:${name}`, { ...options, labels }))]),
  ];
  const lines = [...(process ? ['# TYPE process_start_time_seconds gauge', sampleLine('process_start_time_seconds', startedS)] : []), ...families.filter(([name]) => !without.includes(name)).flatMap(([, text]) => text)];
  return `${lines.join('\n')}\n`;
}

/** A body, or why there is none. */
export type Answer = string | { error: string } | { status: number; body: string };

/** A stream as the run writes it, one answer each ten seconds, an hour after the start of the server. */
export function scrapes(...answers: readonly Answer[]): string {
  return answers
    .map((answer, index) => {
      const mark = `# gpu-acceptance scrape ${index + 1} ${new Date((STARTED_S + 3_600 + 10 * index) * 1000).toISOString()}`;
      if (typeof answer === 'object' && 'error' in answer) return `${mark} error=${answer.error}\n`;
      const { status, body } = typeof answer === 'string' ? { status: 200, body: answer } : answer;
      return `${mark} status=${status} bytes=${Buffer.byteLength(body)}\n${body}${body === '' || body.endsWith('\n') ? '' : '\n'}`;
    })
    .join('');
}
