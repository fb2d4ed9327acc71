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

const together: Readonly<Record<GaugeFamily['combine'], (a: number, b: number) => number>> = { sum: (a, b) => a + b, max: (a, b) => Math.max(a, b) };

/**
 * What one server did between two scrapes, or since its start when there is only one. Engines are added bucket by bucket
 * before a quantile is taken; quantiles of engines are never averaged (promql: increase, sum by le, then quantile).
 */
export class ServerWindow {
  readonly last: ServerIndex;

  constructor(
    private readonly families: ServerFamilies,
    last: ScrapeSnapshot,
    private readonly first?: ScrapeSnapshot,
  ) {
    this.last = new ServerIndex(families, last);
  }

  /** False when the server was silent at the start of the window, so that nobody knows from where it grew. */
  get hasStart(): boolean {
    return this.first === undefined || new ServerIndex(this.families, this.first).hasSamples;
  }

  get isSinceStart(): boolean {
    return this.first === undefined;
  }

  /** Undefined when no scrape holds the family. */
  histogram({ aliases }: Family): WindowHistogram | undefined {
    const now = this.last.histograms(aliases);
    if (!now) return undefined;
    const merged: Histogram = { name: now.found[0]!.name, labels: [], buckets: new Map(), count: 0, sum: 0, line: now.found[0]!.line };
    const bounds = boundsOf(now.found[0]!);
    for (const histogram of now.found) {
      const before = this.first?.histograms.get(seriesKey(histogram.name, histogram.labels));
      const problem = histogramProblem(histogram) ?? (boundsOf(histogram) === bounds ? undefined : 'has other buckets for each engine') ?? (before && earlierProblem(before, bounds));
      if (problem !== undefined) return { problem: `The histogram ${histogram.name} ${problem}.`, line: histogram.line };
      addGrowth(merged, histogram, before, now.alias.scale ?? 1);
    }
    const problem = histogramProblem(merged);
    if (problem !== undefined) return { problem: `The growth of the histogram ${merged.name} in the window ${problem}.`, line: merged.line };
    return { histogram: merged, name: now.alias.name };
  }

  gauge({ aliases, combine }: GaugeFamily): Total | undefined {
    const found = this.last.series(aliases);
    if (found.length === 0) return undefined;
    return { value: found.map(({ value }) => value).reduce(together[combine]), line: found[0]!.line, engines: enginesOf(found, combine) };
  }

  /** Growth in the window; undefined when it is not known of every engine. */
  counter({ aliases }: Pick<CounterFamily, 'aliases'>): Total | undefined {
    const found = this.last.series(aliases);
    const value = found.reduce((sum, series) => sum + this.growth(series), 0);
    if (found.length === 0 || !Number.isFinite(value)) return undefined;
    return { value, line: found[0]!.line, engines: new Map() };
  }

  /** Growth in the window by the value of a label; values whose growth is not known are left out. */
  counterBy({ aliases }: Pick<CounterFamily, 'aliases'>, labels: readonly string[]): Map<string, Total> {
    const totals = new Map<string, Total>();
    for (const series of this.last.series(aliases)) {
      const key = labels.map((name) => labelValue(series.labels, name)).find((value) => value !== undefined) ?? 'unknown';
      const known = totals.get(key);
      totals.set(key, { value: (known?.value ?? 0) + this.growth(series), line: known?.line ?? series.line, engines: new Map() });
    }
    return new Map([...totals].filter(([, { value }]) => Number.isFinite(value)));
  }

  /** A series that came up in the window grew from 0. */
  private growth(series: Series): number {
    return series.value - (this.first?.series.get(seriesKey(series.name, series.labels))?.value ?? 0);
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

const boundsOf = ({ buckets }: Histogram): string => [...buckets.keys()].sort((a, b) => a - b).join();

/** What makes the start of a window useless: its growth would be that of a longer time. */
function earlierProblem(before: Histogram, bounds: string): string | undefined {
  const problem = histogramProblem(before) ?? (boundsOf(before) === bounds ? undefined : 'had other buckets') ?? (before.sum === undefined ? 'had no sum' : undefined);
  return problem && `in the earlier scrape: it ${problem}`;
}

function enginesOf(found: readonly Series[], combine: GaugeFamily['combine']): Map<string, number> {
  const engines = new Map<string, number>();
  for (const { labels, value } of found) {
    const engine = labelValue(labels, 'engine') ?? labelValue(labels, 'dp_rank');
    const known = engine === undefined ? undefined : engines.get(engine);
    if (engine !== undefined) engines.set(engine, known === undefined ? value : together[combine](known, value));
  }
  return engines.size > 1 ? engines : new Map();
}
