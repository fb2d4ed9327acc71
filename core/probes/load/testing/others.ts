/** Results as guidellm, inference-perf, llmperf and the MLPerf load generator would write them. For tests only. */

const guidellmGroup = (mean: number, count: number): object => ({
  mean, median: mean * 0.95, mode: mean, std_dev: mean / 10, min: mean / 2, max: mean * 3, count, total_sum: mean * count,
  percentiles: { p001: mean / 2, p50: mean * 0.95, p75: mean * 1.1, p90: mean * 1.4, p95: mean * 1.8, p99: mean * 2.2, p999: mean * 2.8 },
});

export interface GuidellmOptions {
  successful?: number;
  errored?: number;
  incomplete?: number;
  strategy?: object;
  /** Keys of `metrics` to replace; an undefined one is left out. */
  metrics?: Readonly<Record<string, unknown>>;
}

/** A metric of the report: groups of requests that failed or were cut are zeros. */
export const guidellmMetric = (mean: number, count = 1000): object => ({ successful: guidellmGroup(count > 0 ? mean : 0, count), errored: guidellmGroup(0, 0), incomplete: guidellmGroup(0, 0), total: guidellmGroup(mean * 0.7, count + 20) });

function guidellmMetrics(successful: number): object {
  return {
    requests_per_second: guidellmMetric(6.5, successful),
    request_latency: guidellmMetric(1.25, successful),
    time_to_first_token_ms: guidellmMetric(72, successful),
    time_per_output_token_ms: guidellmMetric(14, successful),
    inter_token_latency_ms: guidellmMetric(12.5, successful),
    output_tokens_per_second: guidellmMetric(830, successful),
  };
}

/** A benchmark of schema 2, since 0.4. */
export function guidellmBenchmark({ successful = 1000, errored = 0, incomplete = 0, strategy = { type_: 'constant', rate: 6.5 }, metrics = {} }: GuidellmOptions = {}): object {
  const totals = { successful, errored, incomplete, total: successful + errored + incomplete };
  return { type_: 'generative_benchmark', config: { strategy }, scheduler_metrics: { requests_made: totals }, metrics: { request_totals: totals, ...guidellmMetrics(successful), ...metrics } };
}

export const guidellmReport = (...benchmarks: readonly unknown[]): object => ({ metadata: { version: 2, guidellm_version: '0.7.1' }, config: {}, benchmarks: benchmarks.length > 0 ? benchmarks : [guidellmBenchmark()] });

/** A report of schema 1, 0.1 to 0.3. */
export const guidellmOldReport = (requests: object = { successful: 1000, errored: 3, incomplete: 0, total: 1003 }): object => ({
  benchmarks: [{ type_: 'generative_benchmark', args: { strategy: { type_: 'concurrent', streams: 16 } }, run_stats: { requests_made: requests }, metrics: guidellmMetrics(1000), start_time: 1 }],
});

export interface GuidellmCsvOptions {
  strategy?: string;
  counts?: readonly [successful: number, incomplete: number, errored: number];
  /** Metrics (`Group|Field`) to leave out, as guidellm does with those that sum up to 0. */
  without?: readonly string[];
  ttftMs?: number;
}

type Column = readonly [group: string, field: string, statistic: string, value: string];

const guidellmStats = (group: string, field: string, mean: number): Column[] => [
  [group, field, 'Mean', String(mean)], [group, field, 'Median', String(mean * 0.95)], [group, field, 'Std Dev', String(mean / 10)],
  [group, field, 'Percentiles', `[${[0.5, 0.5, 0.6, 0.7, 0.8, 0.9, 1.1, 1.4, 1.8, 2.2, 3].map((factor) => mean * factor).join(', ')}]`],
];

function guidellmColumns({ strategy = 'constant', counts = [1000, 0, 0], without = [], ttftMs = 72 }: GuidellmCsvOptions): Column[] {
  const [successful, incomplete, errored] = counts;
  const columns: Column[] = [
    ['Run Info', 'Run ID', '', '7a0e-11'], ['Run Info', 'Profile', '', '{"type_": "constant", "rate": [6.5]}'],
    ['Benchmark', 'Type', '', 'generative_benchmark'], ['Benchmark', 'Strategy', '', strategy],
    ['Timings', 'Duration', 'Sec', '154.2'],
    ['Request Counts', 'Successful', '', String(successful)], ['Request Counts', 'Incomplete', '', String(incomplete)], ['Request Counts', 'Errored', '', String(errored)], ['Request Counts', 'Total', '', String(successful + incomplete + errored)],
    ...guidellmStats('Request Latency', 'Successful Sec', 1.25), ...guidellmStats('Time to First Token', 'Successful ms', ttftMs), ...guidellmStats('Time per Output Token', 'Successful ms', 14), ...guidellmStats('Inter Token Latency', 'Successful ms', 12.5),
    ...(errored > 0 ? guidellmStats('Request Latency', 'Errored Sec', 0.4) : []),
    ...guidellmStats('Server Throughput', 'Successful Requests/Sec', 6.5), ...guidellmStats('Token Throughput', 'Successful Output Tokens/Sec', 830),
    ['Scheduler Metrics', 'Request Time Avg', 'Sec', '1.3'], ['Runtime Info', 'Metadata', '', '{"guidellm_version": "0.7.1", "python_version": "3.12"}'],
  ];
  return columns.filter(([group, field]) => !without.includes(`${group}|${field}`));
}

const csvLine = (cells: readonly string[]): string => `${cells.map((cell) => (/[",]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(',')}\r\n`;

/** `benchmarks.csv` of guidellm since 0.4: the header is that of the first benchmark. */
export function guidellmCsv(...benchmarks: readonly GuidellmCsvOptions[]): string {
  const rows = benchmarks.map(guidellmColumns);
  return [0, 1, 2].map((index) => csvLine(rows[0]!.map((column) => column[index]!))).join('') + rows.map((row) => csvLine(row.map((column) => column[3]))).join('');
}

const seconds = (mean: number): object => ({ mean, min: mean / 2, 'p0.1': mean / 2, p25: mean * 0.8, median: mean * 0.95, p75: mean * 1.2, p90: mean * 1.5, p95: mean * 1.7, p99: mean * 2, 'p99.9': mean * 2.4, max: mean * 3 });

export interface LifecycleOptions {
  count?: number;
  failed?: number;
  load?: object;
  successes?: Readonly<Record<string, unknown>>;
  over?: Readonly<Record<string, unknown>>;
}

/** `stage_N_lifecycle_metrics.json` of inference-perf: times in seconds. */
export const lifecycle = ({ count = 1000, failed = 0, load = {}, successes = {}, over = {} }: LifecycleOptions = {}): object => ({
  load_summary: { count: count + failed, schedule_delay: { mean: 0.002 }, send_duration: 50, requested_rate: 10, achieved_rate: 10, ...load },
  successes: {
    count,
    latency: { request_latency: seconds(2.1), normalized_time_per_output_token: seconds(0.02), time_per_output_token: seconds(0.0125), time_to_first_token: seconds(0.08), inter_token_latency: seconds(0.0128) },
    throughput: { input_tokens_per_sec: 5000, output_tokens_per_sec: 1600, total_tokens_per_sec: 6600, requests_per_sec: 10 },
    prompt_len: seconds(512), output_len: seconds(160),
    ...successes,
  },
  failures: { count: failed, request_latency: null, prompt_len: null },
  ...over,
});

const llmperfQuantiles = (name: string, mean: number): object => Object.fromEntries([['mean', 1], ['quantiles_p25', 0.7], ['quantiles_p50', 0.95], ['quantiles_p90', 1.4], ['quantiles_p99', 2], ['min', 0.5], ['max', 2.2], ['stddev', 0.2]].map(([stat, factor]) => [`results_${name}_${stat}`, mean * (factor as number)]));

/** The summary of llmperf's token_benchmark_ray.py. */
export const llmperfSummary = (over: Readonly<Record<string, unknown>> = {}): object => ({
  version: '2023-08-31', name: 'acme-loadtest', model: 'acme/loadtest-8b', num_concurrent_requests: 8,
  ...llmperfQuantiles('inter_token_latency_s', 0.011), ...llmperfQuantiles('ttft_s', 0.21), ...llmperfQuantiles('end_to_end_latency_s', 1.9), results_number_input_tokens_min: '512',
  results_num_requests_started: 130, results_error_rate: 0, results_number_errors: 0, results_error_code_frequency: '{}', results_mean_output_throughput_token_per_s: 610, results_num_completed_requests: 130, results_num_completed_requests_per_min: 96,
  ...over,
});

/** One of llmperf's individual responses. */
export const llmperfResponse = (index: number, over: Readonly<Record<string, unknown>> = {}): object => ({ error_code: null, error_msg: '', inter_token_latency_s: 0.01, ttft_s: 0.2 + index / 1000, end_to_end_latency_s: 1.5 + index / 100, number_output_tokens: 128, ...over });
export const llmperfResponses = (count: number, ...more: readonly object[]): object[] => [...Array.from({ length: count }, (_, index) => llmperfResponse(index)), ...more];
/** As it writes a refused one. */
export const LLMPERF_REFUSED = { error_code: 429, error_msg: 'Too many requests', inter_token_latency_s: 0, ttft_s: 0, end_to_end_latency_s: 0, number_output_tokens: 0 };

export interface MlperfOptions {
  scenario?: string;
  mode?: string;
  result?: string;
  /** Constraints that are not satisfied. */
  unmet?: readonly string[];
  end?: readonly string[];
}

const percentiles = (name: string, ns: number): string[] => [`Mean ${name} (ns) : ${ns}`, ...[['50.00', 0.95], ['90.00', 1.5], ['99.00', 2], ['99.90', 2.5]].map(([percent, factor]) => `${percent} percentile ${name.toLowerCase()} (ns)   : ${Math.round(ns * (factor as number))}`)];

/** `mlperf_log_summary.txt` of the MLPerf load generator. */
export function mlperfSummary({ scenario = 'Server', mode = 'PerformanceOnly', result = 'VALID', unmet = [], end = ['No warnings encountered during test.', '', 'No errors encountered during test.'] }: MlperfOptions = {}): string {
  const rule = '='.repeat(48);
  const constraint = (name: string, colon = ' :'): string => `${name} satisfied${colon} ${unmet.includes(name) ? 'NO' : 'Yes'}`;
  const isServer = scenario === 'Server';
  return [
    rule, 'MLPerf Results Summary', rule, 'SUT name : AcmeSUT', `Scenario : ${scenario}`, `Mode     : ${mode}`,
    ...(isServer ? ['Completed samples per second    : 27.50', 'Completed tokens per second: 8120.25'] : ['Samples per second: 27.50', 'Tokens per second: 8120.25']),
    `Result is : ${result}`, `  ${constraint('Performance constraints')}`, `  ${constraint('Min duration')}`, `  ${constraint('Min queries')}`, `  ${constraint('Early stopping', ':')}`,
    'TTFT Early Stopping Result:', ' * Run successful.', '',
    rule, 'Additional Stats', rule, 'Scheduled samples per second : 28.10', 'Min latency (ns)                : 900000000',
    ...percentiles('latency', 12_000_000_000), '', ...percentiles('First Token latency', 400_000_000), '', ...percentiles('Time to Output Token', 60_000_000), '',
    rule, 'Test Parameters Used', rule, 'samples_per_query : 1', 'target_qps : 28', 'ttft_latency (ns): 2000000000', '', ...end, '',
  ].join('\n');
}
