import type { LineParser, Measurement, MetricDescription, ParseResult, ParserOptions, ProbeDefinition, ProbeParameters, ScrapePlan, StreamEnd } from '../contract';
import { stripAnsi } from '../text/ansi';
import { ResultCollector } from '../text/result-collector';
import type { ServerFamilies } from './families';
import { ScrapeSnapshot } from './scrape-snapshot';
import { ServerWindow } from './server-window';

/** Written by the run in front of each answer. */
const MARKER = /^# gpu-acceptance scrape (\d+) (\S+) (?:status=(\d+) bytes=(\d+)|error=(.*))$/;

/** More lost scrapes than this share make the window doubtful. */
const MOST_LOST = 0.2;

/** Reads one scrape, or a stream of many behind each other, in the memory of three. */
export class ServerParser implements LineParser {
  private readonly collector: ResultCollector;
  private current: ScrapeSnapshot | undefined;
  private currentMark: { index: string; time: number; isGood: boolean } | undefined;
  private first: { snapshot: ScrapeSnapshot; time: number } | undefined;
  private last: { snapshot: ScrapeSnapshot; time: number } | undefined;
  private good = 0;
  private lost = 0;

  constructor(
    probe: Pick<ProbeDefinition, 'id' | 'parser'>,
    private readonly families: ServerFamilies,
    private readonly options: ParserOptions = {},
  ) {
    this.collector = new ResultCollector(probe);
    if (options.previous !== undefined) this.readPrevious(options.previous);
  }

  private readPrevious(text: string): void {
    const snapshot = new ScrapeSnapshot();
    text.split('\n').forEach((line, index) => snapshot.line(line, index + 1));
    this.first = { snapshot, time: Number.NaN };
  }

  line(raw: string, line: number): void {
    const text = stripAnsi(raw);
    const marker = text.startsWith('# gpu-acceptance') ? MARKER.exec(text) : null;
    if (marker) this.mark(marker, line);
    else (this.current ??= new ScrapeSnapshot()).line(text, line);
  }

  private mark([, index, time, status, , error]: RegExpExecArray, line: number): void {
    this.finishScrape();
    const isGood = status !== undefined && status.startsWith('2');
    this.currentMark = { index: index!, time: Date.parse(time!), isGood };
    if (!isGood) this.collector.remark('warning', 'serving.scrape-failed', `Scrape ${index} gave ${error ?? `HTTP status ${status}`}.`, line);
  }

  private finishScrape(): void {
    const { current, currentMark: mark } = this;
    this.current = undefined;
    if (mark && !mark.isGood) {
      this.lost++;
      return;
    }
    if (!current) return;
    for (const { code, message, line } of current.reader.problems) this.collector.doubt(code, message, line);
    this.good++;
    const time = mark?.time ?? Number.NaN;
    if (mark && this.last) this.live(current, this.last.snapshot, mark.index);
    this.first ??= mark ? { snapshot: current, time } : undefined;
    this.last = { snapshot: current, time };
  }

  /** What came between this scrape and the one before it, for display. */
  private live(now: ScrapeSnapshot, before: ScrapeSnapshot, scrape: string): void {
    const { onMeasurement } = this.options;
    if (!onMeasurement) return;
    const silent = { doubt: () => undefined, remark: () => undefined };
    for (const measurement of new ServerWindow(this.families, now, before).measurements(silent)) onMeasurement({ ...measurement, labels: { ...measurement.labels, scrape } });
  }

  end({ endsMidLine, exitCode }: StreamEnd): ParseResult {
    const { collector } = this;
    this.finishScrape();
    if (endsMidLine && !this.last?.snapshot.reader.hasEnd) collector.doubt('exposition.cut', 'The text ends in the middle of a line, so it was cut.');
    if (exitCode === null && this.good === 0 && !collector.hasDoubt) collector.doubt('serving.no-answer', 'The metrics could not be read.');
    if (this.last) this.measure(this.last);
    else collector.doubt('serving.no-scrape', 'No scrape was answered, so nothing is known of the server. Check host, port and path.');
    this.judgeLosses();
    return collector.result();
  }

  private measure({ snapshot, time }: { snapshot: ScrapeSnapshot; time: number }): void {
    const { collector, families } = this;
    const first = this.first?.snapshot === snapshot ? undefined : this.first;
    const window = new ServerWindow(families, snapshot, first?.snapshot);
    if (!window.hasServer) return collector.doubt('serving.no-families', `There is no metric family of ${families.server} in this text.`);
    const restart = window.restartProblem();
    if (restart) return collector.doubt('serving.restarted', restart);
    const seconds = first ? (time - first.time) / 1000 : Number.NaN;
    collector.context['window'] = first ? 'between scrapes' : 'since the start of the server';
    if (seconds > 0) collector.context['windowSeconds'] = seconds;
    for (const measurement of window.measurements(collector)) this.keep(measurement, seconds);
    return undefined;
  }

  private keep(measurement: Measurement, seconds: number): void {
    this.collector.measure(measurement);
    const short = measurement.metric.slice(this.families.server.length + 1);
    if (!(seconds > 0) || !(short in this.families.counters || short === 'requests_finished') || typeof measurement.value !== 'number') return;
    this.collector.measure({ ...measurement, metric: `${measurement.metric}_per_second`, value: measurement.value / seconds, unit: '1/s' });
  }

  private judgeLosses(): void {
    const all = this.good + this.lost;
    if (this.lost > 0 && this.lost > MOST_LOST * all) this.collector.doubt('serving.scrapes-lost', `${this.lost} of ${all} scrapes were not answered.`);
  }
}

/** Metrics that the parser can report for a server. */
export function serverMetrics({ server, histograms, gauges, counters, finished }: ServerFamilies): MetricDescription[] {
  const titles: Record<string, string> = { ttft: 'Time to first token', itl: 'Inter-token latency', e2e: 'End-to-end latency', queue: 'Queue time', inference: 'Inference time', prefill: 'Prefill time', decode: 'Decode time', running: 'Requests running', waiting: 'Requests waiting', kv_cache_usage: 'KV cache in use (0…1)', preemptions: 'Preemptions', prompt_tokens: 'Prompt tokens', generation_tokens: 'Generated tokens' };
  const title = (short: string): string => titles[short] ?? short;
  return [
    ...Object.keys(histograms).map((short) => ({ metric: `${server}.${short}`, title: title(short), unit: 's', valueType: 'number' as const, labels: ['stat'], better: 'lower' as const })),
    ...Object.keys(gauges).map((short) => ({ metric: `${server}.${short}`, title: title(short), valueType: 'number' as const })),
    ...Object.keys(counters).flatMap((short) => [
      { metric: `${server}.${short}`, title: title(short), valueType: 'number' as const },
      { metric: `${server}.${short}_per_second`, title: `${title(short)} per second`, unit: '1/s', valueType: 'number' as const },
    ]),
    { metric: `${server}.prefix_cache_hit_rate`, title: 'Prefix cache hit rate (0…1)', valueType: 'number', better: 'higher' },
    ...(finished ? [{ metric: `${server}.requests_finished`, title: 'Finished requests', valueType: 'number' as const, labels: ['reason'] }] : []),
  ];
}

/** Scrapes of the metrics address that the card names, as seen from the machine. */
export function planScrapes(parameters: ProbeParameters, defaultPort = 8000): ScrapePlan {
  const { host = '127.0.0.1', port = defaultPort, path = '/metrics', intervalMs = 1_000, count } = parameters as { host?: string; port?: number; path?: string; intervalMs?: number; count?: number };
  const expectedDurationMs = count === undefined ? 10_000 : count * intervalMs;
  return { kind: 'scrape', host, port, path, intervalMs, ...(count === undefined ? {} : { count }), timeoutMs: count === undefined ? 4 * 3_600_000 : 2 * expectedDurationMs + 30_000, expectedDurationMs, invasive: false };
}
