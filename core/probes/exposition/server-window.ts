import type { CounterFamily, Family, GaugeFamily, ServerFamilies } from './families';
import { type Histogram, histogramProblem } from './histogram';
import { labelValue, type Series, seriesKey } from './reader';
import { ServerIndex } from './server-index';
import type { ScrapeSnapshot } from './scrape-snapshot';

/** A total over engines, and where it was read. */
export interface Total {
  value: number;
  line: number;
  /** Values of single engines when there are several. */
  engines: ReadonlyMap<string, number>;
}

/** A histogram of the window, or what is wrong with it. */
export type WindowHistogram = { histogram: Histogram; name: string } | { problem: string; line: number };

/**
 * What one server did between two scrapes, or since its start when there is only one. Engines are added bucket by bucket
 * before a quantile is taken; quantiles of engines are never averaged (promql: increase, sum by le, then quantile).
 */
export class ServerWindow {
  readonly last: ServerIndex;
  private readonly first: ServerIndex | undefined;

  constructor(families: ServerFamilies, last: ScrapeSnapshot, first?: ScrapeSnapshot) {
    this.last = new ServerIndex(families, last);
    this.first = first && new ServerIndex(families, first);
  }

  get isSinceStart(): boolean {
    return this.first === undefined;
  }

  /** Undefined when no scrape holds the family. */
  histogram({ aliases }: Family): WindowHistogram | undefined {
    const now = this.last.histograms(aliases);
    if (!now) return undefined;
    const merged: Histogram = { name: now.found[0]!.name, labels: [], buckets: new Map(), count: 0, sum: 0, line: now.found[0]!.line };
    const bounds = [...now.found[0]!.buckets.keys()].sort().join();
    for (const histogram of now.found) {
      const problem = histogramProblem(histogram) ?? ([...histogram.buckets.keys()].sort().join() === bounds ? undefined : 'has other buckets for each engine');
      if (problem !== undefined) return { problem: `The histogram ${histogram.name} ${problem}.`, line: histogram.line };
      addGrowth(merged, histogram, this.first?.snapshot.histograms.get(seriesKey(histogram.name, histogram.labels)), now.alias.scale ?? 1);
    }
    return { histogram: merged, name: now.alias.name };
  }

  gauge({ aliases, combine }: GaugeFamily): Total | undefined {
    const found = this.last.series(aliases);
    if (found.length === 0) return undefined;
    const values = found.map(({ value }) => value);
    const value = combine === 'sum' ? values.reduce((a, b) => a + b, 0) : values.reduce((a, b) => Math.max(a, b));
    return { value, line: found[0]!.line, engines: enginesOf(found) };
  }

  /** Growth in the window. */
  counter({ aliases }: Pick<CounterFamily, 'aliases'>): Total | undefined {
    const found = this.last.series(aliases);
    if (found.length === 0) return undefined;
    return { value: found.reduce((sum, series) => sum + this.growth(series), 0), line: found[0]!.line, engines: new Map() };
  }

  /** Growth in the window by the value of a label. */
  counterBy({ aliases }: Pick<CounterFamily, 'aliases'>, labels: readonly string[]): Map<string, Total> {
    const totals = new Map<string, Total>();
    for (const series of this.last.series(aliases)) {
      const key = labels.map((name) => labelValue(series.labels, name)).find((value) => value !== undefined) ?? 'unknown';
      const known = totals.get(key);
      totals.set(key, { value: (known?.value ?? 0) + this.growth(series), line: known?.line ?? series.line, engines: new Map() });
    }
    return totals;
  }

  /** A series that came up in the window grew from 0. */
  growth(series: Series): number {
    return series.value - (this.first?.snapshot.series.get(seriesKey(series.name, series.labels))?.value ?? 0);
  }
}

function addGrowth(merged: Histogram, now: Histogram, before: Histogram | undefined, scale: number): void {
  for (const [bound, cumulative] of now.buckets) {
    const le = bound * scale;
    merged.buckets.set(le, (merged.buckets.get(le) ?? 0) + cumulative - (before?.buckets.get(bound) ?? 0));
  }
  merged.count! += now.count! - (before?.count ?? 0);
  if (now.sum === undefined) delete merged.sum;
  else if (merged.sum !== undefined) merged.sum += (now.sum - (before?.sum ?? 0)) * scale;
}

function enginesOf(found: readonly Series[]): Map<string, number> {
  const engines = new Map(found.flatMap(({ labels, value }) => {
    const engine = labelValue(labels, 'engine') ?? labelValue(labels, 'dp_rank');
    return engine === undefined ? [] : [[engine, value] as const];
  }));
  return engines.size > 1 ? engines : new Map();
}
