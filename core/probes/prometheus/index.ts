import type { LineParser, ParseResult, ParserOptions, ProbeDefinition, StreamEnd } from '../contract';
import { histogramMeasurements, histogramProblem, labelRecord } from '../exposition/histogram';
import { ScrapeSnapshot } from '../exposition/scrape-snapshot';
import { planScrapes } from '../exposition/server-parser';
import { stripAnsi } from '../text/ansi';
import { ResultCollector } from '../text/result-collector';

const ID = 'prometheus';
const PARSER = `${ID}/1`;

/** Any exposition text. Of a stream of scrapes the last one is read. */
class PrometheusParser implements LineParser {
  private readonly collector: ResultCollector;
  private snapshot = new ScrapeSnapshot();

  constructor(options?: ParserOptions) {
    this.collector = new ResultCollector({ id: ID, parser: PARSER }, options);
  }

  line(raw: string, line: number): void {
    const text = stripAnsi(raw);
    if (text.startsWith('# gpu-acceptance scrape')) this.snapshot = new ScrapeSnapshot();
    else this.snapshot.line(text, line);
  }

  end({ endsMidLine }: StreamEnd): ParseResult {
    const { collector, snapshot } = this;
    const { reader } = snapshot;
    for (const { code, message, line } of reader.problems) collector.doubt(code, message, line);
    if (endsMidLine && !reader.hasEnd) collector.doubt('exposition.cut', 'The text ends in the middle of a line, so it was cut.');
    for (const { name, labels, value, line } of snapshot.series.values()) {
      if (Number.isFinite(value)) collector.measure({ metric: `prom.${name}`, value, ...(labels.length > 0 ? { labels: labelRecord(labels) } : {}), line });
      else collector.remark('info', 'exposition.not-finite', `${name} is not finite, so it has no value.`, line);
    }
    for (const histogram of snapshot.histograms) {
      const problem = histogramProblem(histogram);
      if (problem) collector.doubt('exposition.histogram', `The histogram ${histogram.name} ${problem}.`, histogram.line);
      else for (const measurement of histogramMeasurements(histogram, `prom.${histogram.name}`, { labels: labelRecord(histogram.labels) })) collector.measure(measurement);
    }
    return collector.result();
  }
}

export const probe: ProbeDefinition = {
  id: ID,
  parser: PARSER,
  title: 'Prometheus metrics',
  proves: 'Whatever a metrics address gives, series by series.',
  metrics: [{ metric: 'prom.*', title: 'A series of the text', valueType: 'number' }],
  isMonitor: true,
  createParser: (options) => new PrometheusParser(options),
  plan: (parameters) => planScrapes(parameters, 9090),
};
