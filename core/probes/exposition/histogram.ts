import type { Measurement } from '../contract';
import { type Labels, type Sample } from './sample';
import { labelValue, labelsWithout, type Series, seriesKey } from './reader';
import { parseExpositionValue } from './value';

export interface Histogram {
  name: string;
  /** Without `le`. */
  labels: Labels;
  /** Cumulative count by upper bound. */
  buckets: Map<number, number>;
  count?: number;
  sum?: number;
  /** Line of the first sample that belongs to it. */
  line: number;
}

/** Sample name endings of a histogram; gauge histograms of OpenMetrics write `_gcount` and `_gsum`. */
const PARTS = /^(.+)_(bucket|count|sum|gcount|gsum)$/;

/** Puts the samples of histograms together, in whatever order they come and however often a family is split. */
export class HistogramCollector {
  private readonly found = new Map<string, Histogram>();

  /** True when the sample is a `_bucket` line. */
  add(series: Series): boolean {
    const match = PARTS.exec(series.name);
    const le = labelValue(series.labels, 'le');
    if (match?.[2] === 'bucket' && le !== undefined) {
      this.bucket(match[1]!, le, series);
      return true;
    }
    // Triton documents a histogram whose buckets lack the ending.
    if (le !== undefined) this.bucket(series.name, le, series);
    else if (match) this.total(match[1]!, match[2]!, series);
    return false;
  }

  /** By name and labels. Only what has buckets is a histogram; summaries have `_sum` and `_count` too. */
  histograms(): Map<string, Histogram> {
    return new Map([...this.found].filter(([, { buckets }]) => buckets.size > 0));
  }

  private bucket(name: string, le: string, series: Series): void {
    const bound = parseExpositionValue(le);
    const histogram = this.of(name, labelsWithout(series.labels, 'le'), series.line);
    if (bound === undefined || Number.isNaN(bound)) histogram.buckets.set(NaN, series.value);
    else histogram.buckets.set(bound, series.value);
  }

  private total(name: string, part: string, series: Series): void {
    const histogram = this.of(name, series.labels, series.line);
    if (part.endsWith('sum')) histogram.sum = series.value;
    else histogram.count = series.value;
  }

  private of(name: string, labels: Labels, line: number): Histogram {
    const key = seriesKey(name, labels);
    let histogram = this.found.get(key);
    if (!histogram) {
      histogram = { name, labels, buckets: new Map(), line };
      this.found.set(key, histogram);
    }
    return histogram;
  }
}

export interface Bucket {
  le: number;
  cumulative: number;
}

export function sortedBuckets({ buckets }: Histogram): Bucket[] {
  return [...buckets].map(([le, cumulative]) => ({ le, cumulative })).sort((a, b) => a.le - b.le);
}

/** Undefined for a histogram whose numbers agree with each other; otherwise what is wrong, to follow its name. */
export function histogramProblem(histogram: Histogram): string | undefined {
  const buckets = sortedBuckets(histogram);
  if (buckets.some(({ le, cumulative }) => Number.isNaN(le) || !Number.isFinite(cumulative) || cumulative < 0)) return 'has a bucket that is no number';
  const last = buckets.at(-1);
  if (last?.le !== Infinity) return 'is incomplete: it has no +Inf bucket';
  if (buckets.length < 2) return 'has only one bucket';
  if (histogram.count === undefined) return 'is incomplete: it has no count';
  if (buckets.some(({ cumulative }, index) => index > 0 && cumulative < buckets[index - 1]!.cumulative)) return 'has buckets that do not grow';
  if (last.cumulative !== histogram.count) return `counts ${histogram.count} observations, but its +Inf bucket ${last.cumulative}`;
  return undefined;
}

/** A point of the bucket that holds the quantile, and that bucket. */
export interface Quantile {
  /** Linear interpolation inside the bucket; the highest finite bound when `isSaturated`. */
  value: number;
  low: number;
  /** Infinity when `isSaturated`. */
  high: number;
  /** The quantile lies above the highest finite bound. */
  isSaturated: boolean;
}

/**
 * Prometheus' histogram_quantile (promql/quantile.go): rank = q × count, first bucket that reaches it, linear interpolation in
 * it, 0 below the first bound. Undefined without observations. `buckets` are sorted and end with +Inf.
 */
export function quantile(q: number, buckets: readonly Bucket[]): Quantile | undefined {
  const total = buckets.at(-1)?.cumulative ?? 0;
  if (total <= 0 || buckets.length < 2) return undefined;
  const rank = q * total;
  const index = buckets.findIndex(({ cumulative }) => cumulative >= rank);
  const bucket = buckets[index]!;
  const before = buckets[index - 1];
  if (bucket.le === Infinity) return { value: before!.le, low: before!.le, high: Infinity, isSaturated: true };
  if (!before && bucket.le <= 0) return { value: bucket.le, low: -Infinity, high: bucket.le, isSaturated: false };
  const low = before?.le ?? 0;
  const inside = bucket.cumulative - (before?.cumulative ?? 0);
  const share = inside === 0 ? 1 : (rank - (before?.cumulative ?? 0)) / inside;
  return { value: low + (bucket.le - low) * share, low, high: bucket.le, isSaturated: false };
}

const STATS = { p50: 0.5, p90: 0.9, p95: 0.95, p99: 0.99 } as const;

/** Quantiles and mean of a sound histogram; none when nothing was observed. `scale` turns its unit into the metric's. */
export function histogramMeasurements(histogram: Histogram, metric: string, base: { unit?: string; labels?: Record<string, string>; scale?: number } = {}): Measurement[] {
  const count = histogram.count ?? 0;
  if (count <= 0) return [];
  const { scale = 1, labels = {}, unit } = base;
  const shared = { metric, ...(unit === undefined ? {} : { unit }), samples: count, line: histogram.line };
  const buckets = sortedBuckets(histogram);
  const found: Measurement[] = [];
  for (const [stat, q] of Object.entries(STATS)) {
    const point = quantile(q, buckets);
    if (!point) continue;
    const interval = { ...(Number.isFinite(point.low) ? { low: point.low * scale } : {}), ...(point.isSaturated ? {} : { high: point.high * scale }) };
    found.push({ ...shared, value: point.value * scale, labels: { ...labels, stat, ...(point.isSaturated ? { bound: 'lower' } : {}) }, interval });
  }
  if (histogram.sum !== undefined && Number.isFinite(histogram.sum)) {
    found.push({ ...shared, value: (histogram.sum / count) * scale, labels: { ...labels, stat: 'mean' } });
  }
  return found;
}

export function labelRecord(labels: Sample['labels']): Record<string, string> {
  return Object.fromEntries(labels);
}
