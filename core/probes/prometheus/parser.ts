import type { LineParser, ParserOptions, ParseResult, ProbeDefinition, StreamEnd } from '../contract';
import { OTHER_SERVERS } from '../exposition/families';
import { histogramMeasurements, histogramProblem, labelRecord } from '../exposition/histogram';
import type { Series } from '../exposition/reader';
import { type LostScrape, type Scrape, ScrapeStream } from '../exposition/scrape-stream';
import { NO_REMARKS, type Remarks, ServerReport } from '../exposition/server-report';
import { ServerWindow } from '../exposition/server-window';
import { stripAnsi } from '../text/ansi';
import { ResultCollector } from '../text/result-collector';

/** Any exposition text. Of a stream of scrapes the last good one is reported. */
export class PrometheusParser implements LineParser {
  private readonly collector: ResultCollector;
  private readonly stream = new ScrapeStream({
    onScrape: (scrape) => this.scrape(scrape),
    onLost: (lost) => this.lost(lost),
    onSeries: (series) => this.series(series),
  });
  private last: Scrape | undefined;

  constructor(probe: Pick<ProbeDefinition, 'id' | 'parser'>, options?: ParserOptions) {
    this.collector = new ResultCollector(probe, options);
  }

  line(raw: string, line: number): void {
    this.stream.line(raw.includes('\x1b') ? stripAnsi(raw) : raw, line);
  }

  private scrape(scrape: Scrape): void {
    for (const { code, message, line } of scrape.snapshot.reader.problems) this.collector.doubt(code, message, line);
    this.last = scrape;
  }

  private lost({ number, why, line }: LostScrape): void {
    this.collector.remark('warning', 'serving.scrape-lost', `Scrape ${number} is lost: ${why}.`, line);
    // Series of marked answers are reported at the end, so these came before the first mark.
    if (this.collector.measurementCount > 0) this.collector.doubt('serving.scrapes-lost', 'Series stand in front of the first scrape and belong to none.', line);
  }

  private series({ name, labels, value, line }: Series): void {
    if (Number.isFinite(value)) this.collector.measure({ metric: `prom.${name}`, value, ...(labels.length > 0 ? { labels: labelRecord(labels) } : {}), line });
    else this.collector.remark('info', 'exposition.not-finite', `${name} is ${value}, which is no value.`, line);
  }

  end({ endsMidLine, exitCode }: StreamEnd): ParseResult {
    const { collector, stream } = this;
    if (stream.end(endsMidLine === true)) collector.doubt('exposition.cut', 'The text ends in the middle of a line, so it was cut.');
    if (exitCode !== undefined && exitCode !== 0 && exitCode !== null) collector.doubt('serving.exit-code', `Reading the metrics ended with exit code ${exitCode}.`);
    const { last } = this;
    if (!last) collector.doubt('serving.no-scrape', 'No scrape was answered. Check host, port and path.');
    else this.report(last);
    if (stream.lostInARow > 0 && stream.good > 0) collector.doubt('serving.scrapes-lost', 'The last scrape is lost.', stream.lastLostLine);
    return collector.result();
  }

  private report({ snapshot, number }: Scrape): void {
    const { collector } = this;
    // The series of a text without marks were reported as they came.
    if (number !== undefined) for (const series of snapshot.series.values()) this.series(series);
    for (const histogram of snapshot.histograms.values()) {
      const problem = histogramProblem(histogram);
      if (problem !== undefined) collector.doubt('exposition.histogram', `The histogram ${histogram.name} ${problem}.`, histogram.line);
      else for (const measurement of histogramMeasurements(histogram, `prom.${histogram.name}`, { labels: labelRecord(histogram.labels) })) collector.measure(measurement);
    }
    // A family that cannot be right is withheld; the series that it was made of are still what the text says.
    const remarks: Remarks = { ...NO_REMARKS, doubt: (code, message, line) => collector.remark('warning', code, message, line) };
    for (const families of OTHER_SERVERS) {
      for (const measurement of new ServerReport(families, new ServerWindow(families, snapshot), remarks).measurements()) collector.measure(measurement);
    }
  }
}
