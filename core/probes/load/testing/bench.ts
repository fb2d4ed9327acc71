/** Results as `vllm bench serve` and sglang.bench_serving would print and save them, whose numbers agree with each other. For tests only. */

export interface BenchOptions {
  completed?: number;
  /** undefined: the tool counts no failures. */
  failed?: number | undefined;
  durationS?: number;
  inputTokens?: number;
  outputTokens?: number;
  /** Mean, median and the last of each latency follow from it. */
  ttftMs?: number;
}

export interface BenchBlockOptions extends BenchOptions {
  /** Rows behind the counts. */
  extra?: readonly string[];
  /** More rows in the section of the time to first token. */
  ttftRows?: readonly string[];
  end?: boolean;
  title?: boolean;
}

const row = (label: string, value: number | string): string => `${`${label}:`.padEnd(40)} ${String(value).padEnd(10)}`;
export const fixed = (label: string, value: number): string => row(label, value.toFixed(2));
const section = (title: string): string => title.padStart(25 + Math.ceil(title.length / 2), '-').padEnd(50, '-');
const latency = (name: string, ms: number): string[] => [fixed(`Mean ${name} (ms)`, ms), fixed(`Median ${name} (ms)`, ms * 0.9), fixed(`P99 ${name} (ms)`, ms * 3)];
const title = (): string => ' Serving Benchmark Result '.padStart(38, '=').padEnd(50, '=');
const end = '='.repeat(50);

const DEFAULTS = { completed: 240, failed: 0, durationS: 60, inputTokens: 122_880, outputTokens: 48_000, ttftMs: 84.5 };
const throughputs = ({ completed, durationS, outputTokens }: Required<Pick<BenchOptions, 'completed' | 'durationS' | 'outputTokens'>>): { requests: number; tokens: number } => ({ requests: completed / durationS, tokens: outputTokens / durationS });

/** The block of `vllm bench serve` since 0.11; with `failed: undefined` that of benchmark_serving.py. */
export function vllmBlock(options: BenchBlockOptions = {}): string {
  const { completed, durationS, inputTokens, outputTokens, ttftMs } = { ...DEFAULTS, ...options };
  const failed = 'failed' in options ? options.failed : 0;
  const rate = throughputs({ completed, durationS, outputTokens });
  return [
    ...(options.title === false ? [] : [title()]),
    row('Successful requests', completed),
    ...(failed === undefined ? [] : [row('Failed requests', failed)]),
    fixed('Benchmark duration (s)', durationS),
    row('Total input tokens', inputTokens),
    row('Total generated tokens', outputTokens),
    fixed('Request throughput (req/s)', rate.requests),
    ...(options.extra ?? []),
    fixed('Output token throughput (tok/s)', rate.tokens),
    fixed('Peak output token throughput (tok/s)', rate.tokens * 1.4),
    section('Time to First Token'),
    ...latency('TTFT', ttftMs),
    ...(options.ttftRows ?? []),
    section('Time per Output Token (excl. 1st token)'),
    ...latency('TPOT', 11.2),
    section('Inter-token Latency'),
    ...latency('ITL', 11.4),
    section('End-to-end Latency'),
    ...latency('E2EL', 2310),
    ...(options.end === false ? [] : [end]),
    '',
  ].join('\n');
}

/** What `vllm bench serve` prints on its standard output before the block. */
export const vllmPreamble = (rate = 'inf', concurrency = 'None'): string =>
  ['Starting initial single prompt test run...', 'Initial test run completed.', 'Starting main benchmark run...', `Traffic request rate: ${rate}`, 'Burstiness factor: 1.0 (Poisson process)', `Maximum request concurrency: ${concurrency}`, ''].join('\n');

export function sglangBlock(options: BenchBlockOptions & { retokenized?: number; rate?: string } = {}): string {
  const { completed, durationS, inputTokens, outputTokens, ttftMs } = { ...DEFAULTS, ...options };
  const rate = throughputs({ completed, durationS, outputTokens });
  return [
    title(),
    row('Backend', 'sglang-oai'),
    row('Traffic request rate', options.rate ?? 'inf'),
    row('Max request concurrency', 'not set'),
    row('Successful requests', completed),
    fixed('Benchmark duration (s)', durationS),
    row('Total input tokens', inputTokens),
    row('Total generated tokens', outputTokens),
    row('Total generated tokens (retokenized)', options.retokenized ?? outputTokens - 12),
    fixed('Request throughput (req/s)', rate.requests),
    fixed('Output token throughput (tok/s)', rate.tokens),
    ...(options.extra ?? []),
    section('End-to-End Latency'),
    ...latency('E2E Latency', 2310),
    section('Time to First Token'),
    ...latency('TTFT', ttftMs),
    section('Time per Output Token (excl. 1st token)'),
    ...latency('TPOT', 11.2),
    section('Inter-Token Latency'),
    ...latency('ITL', 11.4),
    fixed('Max ITL (ms)', 92),
    ...(options.end === false ? [] : [end]),
    '',
  ].join('\n');
}

const jsonLatency = (name: string, ms: number): object => ({ [`mean_${name}_ms`]: ms, [`median_${name}_ms`]: ms * 0.9, [`std_${name}_ms`]: ms * 0.2, [`p99_${name}_ms`]: ms * 3 });

function jsonCounts({ completed, durationS, inputTokens, outputTokens }: Required<Omit<BenchOptions, 'failed' | 'ttftMs'>>): object {
  return { duration: durationS, completed, total_input_tokens: inputTokens, total_output_tokens: outputTokens, request_throughput: completed / durationS, output_throughput: outputTokens / durationS };
}

/** The object of `vllm bench serve --save-result`. `over` replaces keys; an undefined one is left out. */
export function vllmResult(over: Readonly<Record<string, unknown>> = {}, options: BenchOptions = {}): object {
  const all = { ...DEFAULTS, ...options };
  return {
    date: '20261130-101500', endpoint_type: 'openai', backend: 'openai', label: null, model_id: 'acme/loadtest-8b', tokenizer_id: 'acme/loadtest-8b',
    num_prompts: all.completed + (all.failed ?? 0), request_rate: 'inf', burstiness: 1, max_concurrency: null, ...jsonCounts(all), failed: all.failed, request_goodput: null,
    total_token_throughput: (all.inputTokens + all.outputTokens) / all.durationS,
    ...jsonLatency('ttft', all.ttftMs), ...jsonLatency('tpot', 11.2), ...jsonLatency('itl', 11.4), ...jsonLatency('e2el', 2310),
    ...over,
  };
}

/** One line of sglang.bench_serving's output file. */
export function sglangResult(over: Readonly<Record<string, unknown>> = {}, options: BenchOptions = {}): object {
  const all = { ...DEFAULTS, ...options };
  return {
    tag: null, backend: 'sglang', dataset_name: 'random', request_rate: 4, max_concurrency: 64, server_info: { tp_size: 2 }, ...jsonCounts(all), total_output_tokens_retokenized: all.outputTokens - 9,
    ...jsonLatency('e2e_latency', 2310), ...jsonLatency('ttft', all.ttftMs), ...jsonLatency('tpot', 11.2), ...jsonLatency('itl', 11.4), concurrency: 9.2, accept_length: null,
    ...over,
  };
}

/** JSON as Python's `json.dump` writes it: not-a-number and infinity bare. */
export const pythonJson = (value: unknown, indent?: number): string =>
  JSON.stringify(value, (_key, item: unknown) => (typeof item === 'number' && !Number.isFinite(item) ? `@@${Number.isNaN(item) ? 'NaN' : item > 0 ? 'Infinity' : '-Infinity'}@@` : item), indent).replace(/"@@(.+?)@@"/g, '$1');
