import { type LatencyMetric, type LoadRun, type Located, statName } from './load-run';

/** One metric of an AIPerf or GenAI-Perf report, whatever its file format. */
export interface MetricRow {
  /** Lower case, words parted by blanks: `time to first token`. */
  name: string;
  /** As written: `ms`, `tokens/sec`, `requests`; empty when none. */
  unit: string;
  /** Value by column: `avg`, `p99`, … */
  values: ReadonlyMap<string, Located>;
}

/** Their inter-token latency is (e2e − TTFT) ÷ (tokens − 1), which other tools call TPOT (aiperf docs, metrics reference). */
const LATENCIES: ReadonlyMap<string, LatencyMetric> = new Map([['time to first token', 'ttft'], ['inter token latency', 'tpot'], ['inter chunk latency', 'itl'], ['request latency', 'e2e']]);

type CountField = 'completed' | 'failed' | 'requestThroughput' | 'outputThroughput' | 'goodput';
const COUNTS: ReadonlyMap<string, CountField> = new Map(Object.entries<CountField>({
  'request count': 'completed',
  'error request count': 'failed',
  'request throughput': 'requestThroughput',
  'output token throughput': 'outputThroughput',
  'request goodput': 'goodput',
  goodput: 'goodput',
}));

const MS_PER_UNIT: ReadonlyMap<string, number> = new Map(Object.entries({ ns: 1e-6, us: 1e-3, 'µs': 1e-3, ms: 1, s: 1e3, sec: 1e3, seconds: 1e3 }));

/** Undefined for a unit that is no time. */
export function toMilliseconds(value: number, unit: string): number | undefined {
  const factor = MS_PER_UNIT.get(unit.toLowerCase());
  return factor === undefined ? undefined : value * factor;
}

/** `Time to first token (ms)` → name and unit. */
export function splitMetricName(text: string): Pick<MetricRow, 'name' | 'unit'> {
  const match = /^(.*?)\s*\(([^()]*)\)$/.exec(text.trim());
  return { name: (match?.[1] ?? text).trim().toLowerCase().replace(/[\s_]+/g, ' '), unit: match?.[2] ?? '' };
}

export const isKnownMetric = (name: string): boolean => LATENCIES.has(name) || COUNTS.has(name);

/** Undefined when no row is a metric that we know. */
export function runOfRows(rows: readonly MetricRow[], rounding: number): LoadRun | undefined {
  if (!rows.some(({ name }) => isKnownMetric(name))) return undefined;
  const run: LoadRun = { rounding, latencies: rows.flatMap(latenciesOf) };
  for (const { name, values } of rows) {
    const field = COUNTS.get(name);
    const value = values.get('avg') ?? values.get('value');
    if (field !== undefined && value !== undefined) run[field] ??= value;
  }
  addTokens(run, rows);
  return run;
}

function latenciesOf({ name, unit, values }: MetricRow): LoadRun['latencies'] {
  const metric = LATENCIES.get(name);
  if (metric === undefined) return [];
  return [...values].flatMap(([column, { value, line }]) => {
    const stat = statName(column);
    const milliseconds = toMilliseconds(value, unit);
    return stat === undefined || milliseconds === undefined ? [] : [{ metric, stat, value: milliseconds, ...(line === undefined ? {} : { line }) }];
  });
}

/** Token totals follow from the mean lengths, and the duration from the throughput or its own row. */
function addTokens(run: LoadRun, rows: readonly MetricRow[]): void {
  const mean = (name: string): number | undefined => rows.find((row) => row.name === name)?.values.get('avg')?.value;
  const [input, output] = [mean('input sequence length'), mean('output sequence length')];
  if (run.completed && input !== undefined) run.inputTokens = { value: input * run.completed.value };
  if (run.completed && output !== undefined) run.outputTokens = { value: output * run.completed.value };
  const duration = rows.find(({ name }) => name === 'benchmark duration');
  const length = duration?.values.get('avg');
  const milliseconds = duration && length ? toMilliseconds(length.value, duration.unit) : undefined;
  if (milliseconds !== undefined) run.durationS = { ...length, value: milliseconds / 1000 };
}
