/** One number of a report and the line on which it stands. */
export interface Located {
  value: number;
  line?: number;
}

export type LatencyMetric = 'ttft' | 'tpot' | 'itl' | 'e2e';

export interface Latency extends Located {
  metric: LatencyMetric;
  /** `mean`, `p50`, `p99`, `p99.9`. The value is in milliseconds. */
  stat: string;
}

/**
 * One run of a load generator, in the words of this product: TPOT is (e2e − TTFT) ÷ (output tokens − 1) of a request, ITL is the
 * gap between two chunks of its stream. Importers translate the words of their tool. What the tool did not say is absent.
 */
export interface LoadRun {
  completed?: Located;
  failed?: Located;
  /** Begun, but cut off when the run ended. */
  incomplete?: Located;
  /** Requests that were to be sent. */
  requested?: Located;
  latencies: Latency[];
  /** Completed requests per second. */
  requestThroughput?: Located;
  /** Output tokens per second. */
  outputThroughput?: Located;
  /** Requests per second within all limits that the run was given. */
  goodput?: Located;
  durationS?: Located;
  inputTokens?: Located;
  outputTokens?: Located;
  /** Output tokens counted again from the text. */
  retokenizedTokens?: Located;
  /** Requests per second asked for; Infinity: all at once. */
  configuredRate?: Located;
  concurrencyLimit?: Located;
  /** Seconds between the planned and the real start of a request, on average. */
  meanScheduleDelayS?: Located;
  /** Largest error that comes from rounded output, in the unit of the value. 0 when the numbers are not rounded. */
  rounding: number;
  /** Names the run when a file holds several. */
  labels?: Record<string, string>;
}

/** `median` and `50` are `p50`; undefined for what is no percentile (minimum, maximum, standard deviation, `p999`). */
export function statName(word: string): string | undefined {
  const lower = word.toLowerCase();
  if (lower === 'mean' || lower === 'avg' || lower === 'average') return 'mean';
  if (lower === 'median') return 'p50';
  const match = /^p?(\d+(?:\.\d+)?)$/.exec(lower);
  return match && Number(match[1]) <= 100 ? `p${Number(match[1])}` : undefined;
}

/** 0…1 for `p99.9`; undefined for the mean. */
export function quantileOf(stat: string): number | undefined {
  return stat.startsWith('p') ? Number(stat.slice(1)) / 100 : undefined;
}
