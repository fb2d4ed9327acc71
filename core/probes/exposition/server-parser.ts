import type { LineParser, Measurement, ParseResult, ParserOptions, ProbeDefinition, StreamEnd } from '../contract';
import { LineSplitter } from '../lines';
import { stripAnsi } from '../text/ansi';
import { ResultCollector } from '../text/result-collector';
import type { ServerFamilies } from './families';
import { GaugeHistory } from './gauge-history';
import { httpStatuses, restartBetween, tellsItsStart, uptimeSeconds } from './restarts';
import { type LostScrape, type Scrape, ScrapeStream } from './scrape-stream';
import { NO_REMARKS, ServerReport } from './server-report';
import { ServerWindow } from './server-window';

/** More lost scrapes than this share, or this many at the end, and nobody knows what the server did. */
const MOST_LOST = 0.1;
const LOST_AT_END = 2;
/** First tokens of requests that still run when a scrape comes. */
const COUNT_SLACK = 1.05;

/** Reads one scrape, or a stream of many behind each other, in the memory of three. */
export class ServerParser implements LineParser {
  private readonly collector: ResultCollector;
  private readonly stream = new ScrapeStream({ onScrape: (scrape) => this.scrape(scrape), onLost: (lost) => this.lost(lost) });
  private readonly gauges: GaugeHistory;
  private first: Scrape | undefined;
  private last: Scrape | undefined;
  private restart: { message: string; line: number } | undefined;

  constructor(
    probe: Pick<ProbeDefinition, 'id' | 'parser'>,
    private readonly families: ServerFamilies,
    private readonly options: ParserOptions = {},
  ) {
    this.collector = new ResultCollector(probe, options);
    this.gauges = new GaugeHistory(families);
    if (options.previous !== undefined) this.readPrevious(options.previous);
  }

  line(raw: string, line: number): void {
    this.stream.line(raw.includes('\x1b') ? stripAnsi(raw) : raw, line);
  }

  private readPrevious(text: string): void {
    const stream = new ScrapeStream({ onScrape: (scrape) => (this.first = this.last = scrape), onLost: () => undefined });
    const splitter = new LineSplitter((line, number) => stream.line(stripAnsi(line), number));
    splitter.write(Buffer.from(text));
    if (stream.end(splitter.end())) this.collector.doubt('serving.bad-previous', 'The earlier scrape ends in the middle of a line, so it was cut.');
    if (!this.first) this.collector.doubt('serving.no-previous', 'The earlier scrape cannot be read.');
    else for (const { message } of this.first.snapshot.reader.problems) this.collector.doubt('serving.bad-previous', `In the earlier scrape: ${message}`);
  }

  private scrape(scrape: Scrape): void {
    for (const { code, message, line } of scrape.snapshot.reader.problems) this.collector.doubt(code, message, line);
    const before = this.last;
    const restart = before && restartBetween(this.families, before.snapshot, scrape.snapshot);
    if (restart !== undefined) this.restart ??= { message: restart, line: scrape.line };
    if (scrape.number !== undefined) this.live(scrape, restart === undefined ? before : undefined);
    this.first ??= scrape;
    this.last = scrape;
  }

  private lost({ number, why, line }: LostScrape): void {
    this.collector.remark('warning', 'serving.scrape-lost', `Scrape ${number} is lost: ${why}.`, line);
  }

  /** What came between this scrape and the one before it, for display. The first scrape has gauges only. */
  private live(scrape: Scrape, before: Scrape | undefined): void {
    const window = new ServerWindow(this.families, scrape.snapshot, (before ?? scrape).snapshot);
    this.gauges.add(window);
    const { onMeasurement } = this.options;
    if (!onMeasurement) return;
    const isGauge = ({ metric }: Measurement): boolean => this.families.gauges.some((gauge) => metric === `${this.families.server}.${gauge.metric}`);
    const found = new ServerReport(this.families, window, NO_REMARKS).measurements();
    for (const { interval: _interval, ...measurement } of before ? found : found.filter(isGauge)) onMeasurement({ ...measurement, labels: { ...measurement.labels, scrape: scrape.number! } });
  }

  end({ endsMidLine, exitCode, plannedStop }: StreamEnd): ParseResult {
    const { collector, stream } = this;
    if (stream.end(endsMidLine === true)) collector.doubt('exposition.cut', 'The text ends in the middle of a line, so it was cut.');
    if (exitCode !== undefined && exitCode !== 0 && exitCode !== null) collector.doubt('serving.exit-code', `Reading the metrics ended with exit code ${exitCode}.`);
    if (exitCode === null && plannedStop !== true && stream.good === 0) collector.doubt('serving.no-answer', 'The metrics could not be read.');
    if (stream.good === 0 || !this.last) collector.doubt('serving.no-scrape', 'No scrape was answered, so nothing is known of the server. Check host, port and path.');
    else this.judge(this.last);
    this.judgeLosses();
    return collector.result();
  }

  private judge(last: Scrape): void {
    const { collector, restart, families } = this;
    if (restart) return collector.doubt('serving.restarted', restart.message, restart.line);
    const first = this.first === last ? undefined : this.first;
    const window = new ServerWindow(families, last.snapshot, first?.snapshot);
    const problem = this.serverProblem(window);
    if (problem) return collector.doubt(problem.code, problem.message);
    if (this.stream.hasMarks && !first) collector.doubt('serving.no-pair', 'Only one scrape was answered, so there is no window between two.', last.line);
    if (first && !tellsItsStart(last.snapshot)) collector.remark('info', 'serving.no-process-families', 'The process families are missing (several API servers, or PROMETHEUS_MULTIPROC_DIR): a restart shows only when a counter goes down, and gauges may be stale.');
    this.measure(last, first, window);
    return undefined;
  }

  private serverProblem(window: ServerWindow): { code: string; message: string } | undefined {
    const { last } = window;
    const { title, server } = this.families;
    if (!last.hasSamples && last.declaresAny) return { code: 'serving.declared-only', message: `The ${title} families are declared, but none has a sample.` };
    if (!last.hasSamples) return { code: 'serving.no-families', message: `There is no ${server} metric family in this text. The port may belong to another program, or the server keeps no statistics (--disable-log-stats), or its engine runs in a process of its own.` };
    if (!window.hasStart) return { code: 'serving.no-families', message: `The first scrape holds no ${server} metric family, so nobody knows from where the window grew.` };
    if (last.isRouter) return { code: 'serving.router', message: 'These are metrics of a router and not of an engine. Scrape the engine itself.' };
    return undefined;
  }

  private measure(last: Scrape, first: Scrape | undefined, window: ServerWindow): void {
    const { collector, families } = this;
    const elapsed = first ? (last.timeMs - first.timeMs) / 1000 : NaN;
    const seconds = elapsed > 0 ? elapsed : undefined;
    collector.context['window'] = first ? 'between scrapes' : 'since the start of the server';
    if (seconds !== undefined) collector.context['windowSeconds'] = seconds;
    else if (first) collector.remark('info', 'serving.no-times', 'The scrapes do not say when they were taken, so there are no rates per second.');
    const uptimeS = uptimeSeconds(last.snapshot, last.timeMs);
    const report = new ServerReport(families, window, collector, { ...(seconds === undefined ? {} : { seconds }), ...(uptimeS === undefined ? {} : { uptimeS }) });
    const found = report.measurements();
    const { problem } = this.gauges;
    if (problem) collector.doubt('serving.implausible', problem.message, problem.line);
    for (const measurement of this.gauges.scrapes > 1 ? this.gauges.replace(found) : found) collector.measure(measurement);
    for (const [status, { value, line }] of httpStatuses(last.snapshot, first?.snapshot)) collector.measure({ metric: `${families.server}.http_requests`, value, labels: { status }, line });
    this.remarkEvents(found, first !== undefined);
  }

  /** What happened in the window and should be known beside the latencies. */
  private remarkEvents(found: readonly Measurement[], isWindow: boolean): void {
    const { collector, families } = this;
    const value = (metric: string): number => Number(found.find((item) => item.metric === `${families.server}.${metric}`)?.value ?? 0);
    if (value('preemptions') > 0) collector.remark('warning', 'serving.preemptions', `${value('preemptions')} requests were preempted: the KV cache was too small for the load.`);
    for (const { labels, value: count, line } of found) {
      if (Number(count) > 0 && /^(?:abort|error)$/.test(labels?.['reason'] ?? '')) collector.remark('warning', 'serving.unfinished', `${count} requests ended with "${labels!['reason']}".`, line);
    }
    const isDrained = value('running') + value('waiting') === 0;
    const samples = (metric: string): number => found.find((item) => item.metric === `${families.server}.${metric}`)?.samples ?? 0;
    if (isDrained && samples('e2e') > 0 && samples('ttft') > samples('e2e') * COUNT_SLACK) {
      collector.remark('warning', 'serving.unfinished', `${samples('ttft')} first tokens were counted, but only ${samples('e2e')} requests came to their end: clients gave up, which no counter of the server shows, or this version counts wrong.`);
    }
    if (!isWindow) return;
    if (!isDrained) collector.remark('info', 'serving.not-drained', 'Requests were still running at the last scrape: they are in the time to first token, but not in the other latencies.');
    if (value('prefix_cache_hit_rate') > 0.1) collector.remark('info', 'serving.warm-cache', 'More than a tenth of the prompt tokens came from the prefix cache: the times belong to a warm cache.');
  }

  private judgeLosses(): void {
    const { good, lost, lostInARow, lastLostLine } = this.stream;
    if (lost > MOST_LOST * (good + lost)) this.collector.doubt('serving.scrapes-lost', `${lost} of ${good + lost} scrapes are lost.`, lastLostLine);
    else if (lostInARow >= LOST_AT_END) this.collector.doubt('serving.scrapes-lost', `The last ${lostInARow} scrapes are lost: nobody knows how the server ended.`, lastLostLine);
  }
}
