import { type Histogram, HistogramCollector } from './histogram';
import { ExpositionReader, type Series, seriesKey } from './reader';

/** One scrape of a server: its plain series and its histograms. */
export class ScrapeSnapshot {
  readonly series = new Map<string, Series>();
  private readonly collector = new HistogramCollector();
  readonly reader = new ExpositionReader((series) => this.add(series));
  private collected: Histogram[] | undefined;

  line(text: string, line: number): void {
    this.reader.line(text, line);
  }

  private add(series: Series): void {
    if (!this.collector.add(series)) this.series.set(seriesKey(series.name, series.labels), series);
  }

  get histograms(): Histogram[] {
    return (this.collected ??= this.collector.histograms());
  }

  seriesNamed(name: string): Series[] {
    return [...this.series.values()].filter((series) => series.name === name);
  }
}
