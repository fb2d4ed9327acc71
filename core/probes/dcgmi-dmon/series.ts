import type { Measurement } from '../contract';

/** Above this, every series is thinned; its smallest and largest values always stay. */
const MOST_KEPT = 40_000;
const BUCKET = 4;

/**
 * Keeps the samples of a stream of any length in bounded memory. Thinning keeps the extremes of each group of samples, so that
 * no value that could break a bound is ever lost.
 */
export class SampleSeries {
  private readonly series = new Map<string, Measurement[]>();
  private kept = 0;
  isThinned = false;

  add(key: string, measurement: Measurement): void {
    const list = this.series.get(key);
    if (list) list.push(measurement);
    else this.series.set(key, [measurement]);
    if (++this.kept > MOST_KEPT) this.thin();
  }

  private thin(): void {
    this.isThinned = true;
    this.kept = 0;
    for (const [key, list] of this.series) {
      const thinned: Measurement[] = [];
      for (let start = 0; start < list.length; start += BUCKET) thinned.push(...extremes(list.slice(start, start + BUCKET)));
      this.series.set(key, thinned);
      this.kept += thinned.length;
    }
  }

  all(): Measurement[] {
    return [...this.series.values()].flat().sort((a, b) => (a.line ?? 0) - (b.line ?? 0));
  }
}

function extremes(bucket: readonly Measurement[]): Measurement[] {
  const byValue = [...bucket].sort((a, b) => (a.value as number) - (b.value as number));
  const ends = new Set([byValue[0]!, byValue.at(-1)!]);
  return bucket.filter((measurement) => ends.has(measurement));
}
