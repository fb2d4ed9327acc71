import { type Histogram, HistogramCollector } from './histogram';
import { ExpositionReader, type Series, seriesKey } from './reader';

/** One scrape of a server: its plain series and its histograms. */
export class ScrapeSnapshot {
  /** By name and labels. */
  readonly series = new Map<string, Series>();
  private readonly collector = new HistogramCollector();
  readonly reader = new ExpositionReader((series) => this.add(series));
  private byKey: Map<string, Histogram> | undefined;

  /** `onSeries` sees each plain series as it is read. */
  constructor(private readonly onSeries?: (series: Series) => void) {}

  line(text: string, line: number): void {
    this.reader.line(text, line);
  }

  /** To be called behind the last line. */
  end(): void {
    this.reader.end();
  }

  /** False when the series is here already. */
  private add(series: Series): boolean {
    const added = this.collector.addBucket(series);
    if (added !== undefined) return added;
    const key = seriesKey(series.name, series.labels);
    if (this.series.has(key)) return false;
    this.series.set(key, series);
    this.collector.addTotal(series);
    this.onSeries?.(series);
    return true;
  }

  /** Whole only after the last line. */
  get histograms(): Map<string, Histogram> {
    return (this.byKey ??= this.collector.histograms());
  }

  seriesNamed(name: string): Series[] {
    return [...this.series.values()].filter((series) => series.name === name);
  }
}
