import type { Measurement } from '../contract';
import { type Labels, type Sample } from './sample';
import { labelValue, labelsWithout, type Series, seriesKey } from './reader';
import { parseExpositionValue } from './value';

export interface Histogram {
  name: string;
  /** Without `le`. */
  labels: Labels;
  /** Cumulative count by upper bound; a bound that is no number is NaN. */
  buckets: Map<number, number>;
  count?: number;
  sum?: number;
  /** Line of the first sample that belongs to it. */
  line: number;
}

/** Endings of the samples beside the buckets; gauge histograms of OpenMetrics write `_gcount` and `_gsum`. */
const TOTAL = /^(.+)_g?(count|sum)$/;
const BUCKET = '_bucket';

/** Puts the samples of histograms together, in whatever order they come and however often a family is split. */
export class HistogramCollector {
  private readonly found = new Map<string, Histogram>();
  /** Triton documents a histogram whose buckets lack the ending; without a count such series are gauges with a label `le`. */
  private readonly withoutEnding = new Set<Histogram>();
  /** Buckets of one histogram mostly come behind each other. */
  private latest: Histogram | undefined;

  /** Undefined when the sample is no `_bucket` line; false when that bucket is here already. */
  addBucket(series: Series): boolean | undefined {
    if (!series.name.endsWith(BUCKET)) return undefined;
    const le = labelValue(series.labels, 'le');
    return le === undefined ? undefined : this.bucket(series.name.slice(0, -BUCKET.length), le, series);
  }

  /** Any other sample. */
  addTotal(series: Series): void {
    const le = labelValue(series.labels, 'le');
    if (le !== undefined) {
      this.bucket(series.name, le, series);
      this.withoutEnding.add(this.latest!);
      return;
    }
    const match = TOTAL.exec(series.name);
    if (match) this.of(match[1]!, series.labels, series.line)[match[2] as 'count' | 'sum'] = series.value;
  }

  /** By name and labels. Only what has buckets is a histogram; summaries have `_sum` and `_count` too. */
  histograms(): Map<string, Histogram> {
    return new Map([...this.found].filter(([, histogram]) => histogram.buckets.size > 0 && (histogram.count !== undefined || !this.withoutEnding.has(histogram))));
  }

  private bucket(name: string, le: string, { labels, line, value }: Series): boolean {
    if (this.latest?.name !== name || !isOf(this.latest, labels)) this.latest = this.of(name, labelsWithout(labels, 'le'), line);
    const { buckets } = this.latest;
    const bound = parseExpositionValue(le) ?? NaN;
    if (buckets.has(bound)) return false;
    buckets.set(bound, value);
    return true;
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

/** Whether the labels of a bucket, which come in the same order as those of the bucket before it, are the histogram's and `le`. */
function isOf(histogram: Histogram, labels: Labels): boolean {
  if (labels.length !== histogram.labels.length + 1) return false;
  let index = 0;
  for (const [name, value] of labels) {
    if (name === 'le') continue;
    const known = histogram.labels[index++];
    if (known?.[0] !== name || known[1] !== value) return false;
  }
  return true;
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
