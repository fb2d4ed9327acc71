/** Reports as AIPerf and GenAI-Perf would write them. For tests only. */

const spread = (unit: string, avg: number): object => ({ unit, avg, p50: avg * 0.95, p90: avg * 1.3, p95: avg * 1.5, p99: avg * 2, min: avg * 0.5, max: avg * 2.2, std: avg * 0.2 });

/** `profile_export_aiperf.json` of 180 requests in 45 s. `over` replaces metrics; an undefined one is left out. */
export const aiperfProfile = (over: Readonly<Record<string, unknown>> = {}): object => ({
  request_throughput: { unit: 'requests/sec', avg: 4 },
  request_latency: spread('ms', 1730),
  request_count: { unit: 'requests', avg: 180 },
  time_to_first_token: spread('ms', 63.5),
  inter_token_latency: spread('ms', 9.1),
  inter_chunk_latency: spread('ms', 9.4),
  output_token_throughput: { unit: 'tokens/sec', avg: 760 },
  output_sequence_length: spread('tokens', 190),
  input_sequence_length: spread('tokens', 512),
  benchmark_duration: { unit: 'sec', avg: 45 },
  was_cancelled: false,
  error_summary: [],
  ...over,
});

/** One line of `profile_export.jsonl`. */
export const aiperfRequest = (index: number, over: Readonly<Record<string, unknown>> = {}): object => ({
  metadata: { session_num: index, benchmark_phase: 'profiling', was_cancelled: false },
  metrics: {
    time_to_first_token: { value: 50 + index, unit: 'ms' },
    request_latency: { value: 1.5 + index / 100, unit: 'sec' },
    inter_token_latency: { value: 9000 + index, unit: 'us' },
    inter_chunk_latency: { value: [8 + index / 100, 10 + index / 100], unit: 'ms' },
  },
  error: null,
  ...over,
});

export const aiperfRequests = (count: number, ...more: readonly object[]): string => [...Array.from({ length: count }, (_, index) => aiperfRequest(index)), ...more].map((request) => `${JSON.stringify(request)}\n`).join('');

export const METRIC_COLUMNS = ['avg', 'min', 'max', 'p99', 'p90', 'p50'];
export type MetricCells = readonly (readonly [name: string, ...cells: string[]])[];

const only = (name: string, value: string): [string, ...string[]] => [name, value, ...METRIC_COLUMNS.slice(1).map(() => 'N/A')];

export const CONSOLE_METRICS: MetricCells = [
  ['Time to first token (ms)', '71.20', '40.11', '190.04', '160.35', '110.70', '66.80'],
  ['Inter token latency (ms)', '8.81', '7.02', '14.90', '13.25', '10.04', '8.60'],
  ['Request latency (ms)', '1,904.12', '1,204.40', '3,300.07', '3,120.55', '2,410.18', '1,850.33'],
  ['Output sequence length', '200.00', '180.00', '220.00', '219.00', '214.00', '200.00'],
  ['Input sequence length', '512.00', '512.00', '512.00', '512.00', '512.00', '512.00'],
  only('Output token throughput (per sec)', '1,240.00'),
  only('Request throughput (per sec)', '6.20'),
  only('Request count (count)', '310.00'),
];

export interface ConsoleOptions {
  tool?: 'GenAI-Perf' | 'AIPerf';
  metrics?: MetricCells;
  closed?: boolean;
}

/** The table that both draw at the end of a run; a long name goes on in the next line. */
export function metricTable({ tool = 'GenAI-Perf', metrics = CONSOLE_METRICS, closed = true }: ConsoleOptions = {}): string {
  const widths = [34, ...METRIC_COLUMNS.map(() => 10)];
  const bar = (left: string, line: string, between: string, right: string): string => left + widths.map((width) => line.repeat(width + 2)).join(between) + right;
  const cells = (edge: string, texts: readonly string[]): string => `${edge} ${texts.map((text, index) => text.padStart(widths[index]!)).join(` ${edge} `)} ${edge}`;
  return [
    `                     NVIDIA ${tool} | LLM Metrics`,
    bar('┏', '━', '┳', '┓'),
    cells('┃', ['Statistic', ...METRIC_COLUMNS]),
    bar('┡', '━', '╇', '┩'),
    ...metrics.map((metric) => cells('│', metric)),
    ...(closed ? [bar('└', '─', '┴', '┘')] : []),
    '',
  ].join('\n');
}

const quoted = (cell: string): string => (cell.includes(',') ? `"${cell}"` : cell);

/** The comma-separated export: statistics, then single values. */
export function metricCsv(metrics: MetricCells = CONSOLE_METRICS): string {
  const lines = (isSingle: boolean): string[] => metrics.filter((cells) => (cells[2] === 'N/A') === isSingle).map((cells) => (isSingle ? cells.slice(0, 2) : cells).map(quoted).join(','));
  return [['Metric', ...METRIC_COLUMNS].join(','), ...lines(false), '', 'Metric,Value', ...lines(true), ''].join('\n');
}

/** AIPerf's table of errors. */
export const errorTable = (count: number): string =>
  ['             NVIDIA AIPerf | Error Summary', '┏━━━━━━┳━━━━━━━━━━┳━━━━━━━━━┳━━━━━━━┓', '┃ Code ┃ Type     ┃ Message ┃ Count ┃', '┡━━━━━━╇━━━━━━━━━━╇━━━━━━━━━╇━━━━━━━┩', `│  503 │ Overload │ try it  │ ${String(count).padStart(5)} │`, '└──────┴──────────┴─────────┴───────┘', ''].join('\n');
