import type { Measurement } from '../contract';
import type { ResultCollector } from '../text/result-collector';
import type { ServerFamilies } from './families';
import { type Histogram, histogramMeasurements, histogramProblem } from './histogram';
import { labelValue, type Series, seriesKey } from './reader';
import type { ScrapeSnapshot } from './scrape-snapshot';

type Complain = Pick<ResultCollector, 'doubt' | 'remark'>;

/**
 * What one server did between two scrapes, or since its start when there is only one. Engines are summed bucket by bucket before a
 * quantile is taken; quantiles of engines are never averaged (promql: rate, sum by le, then quantile).
 */
export class ServerWindow {
  constructor(
    private readonly families: ServerFamilies,
    private readonly last: ScrapeSnapshot,
    private readonly first?: ScrapeSnapshot,
  ) {}

  /** Names on the wire begin with `vllm:`, behind some collectors with `vllm_`. */
  private full(name: string): string[] {
    const { server } = this.families;
    return [`${server}:${name}`, `${server}_${name}`].flatMap((base) => [base, `${base}_total`]);
  }

  get hasServer(): boolean {
    const { server } = this.families;
    const isOurs = (name: string): boolean => name.startsWith(`${server}:`) || name.startsWith(`${server}_`);
    return [...this.last.series.values()].some(({ name }) => isOurs(name)) || this.last.histograms.some(({ name }) => isOurs(name));
  }

  /** Undefined when the server ran through; otherwise one sentence. */
  restartProblem(): string | undefined {
    if (!this.first) return undefined;
    const [before, after] = [this.first, this.last].map((snapshot) => snapshot.seriesNamed('process_start_time_seconds')[0]?.value);
    if (before !== undefined && after !== undefined && Math.abs(after - before) > 1) return 'The server was restarted between the scrapes.';
    const shrunk = [...this.last.series.values()].find((series) => {
      const earlier = this.first!.series.get(seriesKey(series.name, series.labels));
      return earlier !== undefined && isCounter(series, this.last) && series.value < earlier.value;
    });
    return shrunk && `The counter ${shrunk.name} went down between the scrapes: the server was restarted.`;
  }

  measurements(complain: Complain): Measurement[] {
    return [...this.histogramValues(complain), ...this.gaugeValues(), ...this.counterValues(), ...this.hitRate(), ...this.finished()];
  }

  private histogramValues(complain: Complain): Measurement[] {
    return Object.entries(this.families.histograms).flatMap(([short, names]) => {
      for (const name of names) {
        const found = this.histogramsNamed(name);
        if (found.length === 0) continue;
        const merged = this.merge(found, complain);
        return merged ? histogramMeasurements(merged, `${this.families.server}.${short}`, { unit: 's' }) : [];
      }
      return [];
    });
  }

  private histogramsNamed(name: string): Histogram[] {
    const names = this.full(name);
    return this.last.histograms.filter((histogram) => names.includes(histogram.name));
  }

  /** The sum over engines of what came in the window. Undefined, with a doubt, when a histogram is not sound. */
  private merge(histograms: readonly Histogram[], complain: Complain): Histogram | undefined {
    const merged: Histogram = { name: histograms[0]!.name, labels: [], buckets: new Map(), count: 0, sum: 0, line: histograms[0]!.line };
    for (const histogram of histograms) {
      const problem = histogramProblem(histogram);
      if (problem) {
        complain.doubt('exposition.histogram', `The histogram ${histogram.name} ${problem}.`, histogram.line);
        return undefined;
      }
      const earlier = this.first?.histograms.find((candidate) => seriesKey(candidate.name, candidate.labels) === seriesKey(histogram.name, histogram.labels));
      for (const [le, cumulative] of histogram.buckets) merged.buckets.set(le, (merged.buckets.get(le) ?? 0) + cumulative - (earlier?.buckets.get(le) ?? 0));
      merged.count! += histogram.count! - (earlier?.count ?? 0);
      if (histogram.sum === undefined) delete merged.sum;
      else if (merged.sum !== undefined) merged.sum += histogram.sum - (earlier?.sum ?? 0);
    }
    return this.plausible(merged, complain) ? merged : undefined;
  }

  /** A known fault of early servers puts every observation into the first bucket. */
  private plausible(histogram: Histogram, complain: Complain): boolean {
    const lowest = Math.min(...histogram.buckets.keys());
    if (histogram.count! < 20 || lowest > 0.001 || histogram.buckets.get(lowest) !== histogram.count) return true;
    complain.doubt('exposition.implausible', `All ${histogram.count} observations of ${histogram.name} lie in the first bucket (at most ${lowest} s): that is a fault of the server, not a latency.`, histogram.line);
    return false;
  }

  /** The series of the first name that has any; a renamed family is emitted twice by some versions. */
  private seriesOf(names: readonly string[], snapshot = this.last): Series[] {
    for (const name of names) {
      const full = this.full(name);
      const found = [...snapshot.series.values()].filter((series) => full.includes(series.name) && Number.isFinite(series.value));
      if (found.length > 0) return found;
    }
    return [];
  }

  private gaugeValues(): Measurement[] {
    return Object.entries(this.families.gauges).flatMap(([short, { names, combine }]) => {
      const found = this.seriesOf(names);
      if (found.length === 0) return [];
      const values = found.map(({ value }) => value);
      const value = combine === 'sum' ? values.reduce((a, b) => a + b, 0) : Math.max(...values);
      return [{ metric: `${this.families.server}.${short}`, value, line: found[0]!.line }];
    });
  }

  private counterValues(): Measurement[] {
    return Object.entries(this.families.counters).flatMap(([short, names]) => {
      const growth = this.growth(names);
      return growth === undefined ? [] : [{ metric: `${this.families.server}.${short}`, value: growth.value, line: growth.line }];
    });
  }

  private growth(names: readonly string[]): { value: number; line: number } | undefined {
    const found = this.seriesOf(names);
    if (found.length === 0) return undefined;
    const earlier = this.first ? this.seriesOf(names, this.first) : [];
    const sum = (series: readonly Series[]): number => series.reduce((total, { value }) => total + value, 0);
    return { value: sum(found) - sum(earlier), line: found[0]!.line };
  }

  private hitRate(): Measurement[] {
    const { server, hitRate, hitRateGauges } = this.families;
    const metric = `${server}.prefix_cache_hit_rate`;
    const [hits, queries] = hitRate ? [this.growth(hitRate.hits), this.growth(hitRate.queries)] : [];
    if (hits && queries && queries.value > 0) return [{ metric, value: hits.value / queries.value, samples: queries.value, line: hits.line }];
    const gauge = this.seriesOf(hitRateGauges)[0];
    return gauge && gauge.value >= 0 && gauge.value <= 1 ? [{ metric, value: gauge.value, line: gauge.line }] : [];
  }

  private finished(): Measurement[] {
    const { server, finished } = this.families;
    if (!finished) return [];
    const totals = new Map<string, { value: number; line: number }>();
    const add = (series: Series, sign: number): void => {
      const reason = labelValue(series.labels, finished.label) ?? 'unknown';
      const known = totals.get(reason);
      totals.set(reason, { value: (known?.value ?? 0) + sign * series.value, line: known?.line ?? series.line });
    };
    for (const series of this.seriesOf(finished.names)) add(series, 1);
    if (this.first) for (const series of this.seriesOf(finished.names, this.first)) add(series, -1);
    return [...totals].map(([reason, { value, line }]) => ({ metric: `${server}.requests_finished`, value, labels: { reason }, line }));
  }
}

function isCounter(series: Series, snapshot: ScrapeSnapshot): boolean {
  const type = snapshot.reader.types.get(series.name) ?? snapshot.reader.types.get(series.name.replace(/_total$/, ''));
  return type === 'counter' && !series.name.endsWith('_created');
}
