import type { Series } from './reader';
import { ScrapeSnapshot } from './scrape-snapshot';

export interface Scrape {
  snapshot: ScrapeSnapshot;
  /** As the run counted it; absent for saved text without marks. */
  number?: string;
  /** Unix milliseconds; NaN when it is not known. */
  timeMs: number;
  /** Line of the mark. */
  line: number;
}

export interface LostScrape {
  number: string;
  why: string;
  line: number;
}

export interface ScrapeReceiver {
  onScrape(scrape: Scrape): void;
  onLost(lost: LostScrape): void;
  /** Plain series of a text without marks, as they are read. */
  onSeries?(series: Series): void;
}

/** Written by the run in front of each answer: `# gpu-acceptance scrape N TIME status=S bytes=B` or `… error=TEXT`. */
const MARK = '# gpu-acceptance';
const MARK_LINE = /^# gpu-acceptance scrape (\d+) (\S+) (?:status=(\d+) bytes=(\d+)|error=(.*))$/;
/** The log of a run replaces secrets, which changes the length of a body. */
const REDACTED = '[REDACTED]';

/** The scrape that is being read. */
interface Body {
  snapshot: ScrapeSnapshot;
  number?: string;
  timeMs: number;
  line: number;
  failure?: string;
  expectedBytes?: number;
  bytes: number;
  lines: number;
  isRedacted: boolean;
}

/** Cuts a text into scrapes: one when it has no marks, otherwise one behind each mark. Keeps only the one that is being read. */
export class ScrapeStream {
  private body: Body | undefined;
  good = 0;
  lost = 0;
  /** Lost scrapes since the last good one. */
  lostInARow = 0;
  lastLostLine: number | undefined;
  hasMarks = false;

  constructor(private readonly receiver: ScrapeReceiver) {}

  line(raw: string, line: number): void {
    if (raw.startsWith(MARK)) return this.mark(raw, line);
    const body = (this.body ??= { snapshot: new ScrapeSnapshot((series) => this.receiver.onSeries?.(series)), timeMs: NaN, line, bytes: 0, lines: 0, isRedacted: false });
    if (this.hasMarks) {
      body.bytes += Buffer.byteLength(raw) + 1;
      body.lines++;
      body.isRedacted ||= raw.includes(REDACTED);
    }
    if (body.failure === undefined) body.snapshot.line(raw, line);
    return undefined;
  }

  private mark(text: string, line: number): void {
    if (this.hasMarks) this.finish();
    else this.dropUnmarked();
    this.hasMarks = true;
    const match = MARK_LINE.exec(text);
    const [, number = '?', time = '', status, bytes, error] = match ?? [];
    const failure = !match ? 'its mark is damaged' : (error ?? (/^2/.test(status!) ? undefined : `HTTP status ${status}`));
    this.body = {
      snapshot: new ScrapeSnapshot(),
      number,
      timeMs: Date.parse(time),
      line,
      ...(failure === undefined ? {} : { failure }),
      ...(bytes === undefined ? {} : { expectedBytes: Number(bytes) }),
      bytes: 0,
      lines: 0,
      isRedacted: false,
    };
  }

  /** Text in front of the first mark belongs to no answer, so it is never the start of a window. */
  private dropUnmarked(): void {
    const { body } = this;
    this.body = undefined;
    if (body && !body.snapshot.reader.isEmpty) this.lose(body, 'it has no mark');
  }

  /** Delivers the last scrape. True when the text was cut: it ends in the middle of a line, and not with OpenMetrics' end mark. */
  end(endsMidLine: boolean): boolean {
    const isCut = endsMidLine && this.body?.snapshot.reader.hasEnd !== true;
    this.finish();
    return isCut;
  }

  private finish(): void {
    const { body } = this;
    this.body = undefined;
    if (!body) return;
    const why = body.failure ?? incompleteness(body);
    if (why !== undefined) {
      this.lose(body, why);
      return;
    }
    body.snapshot.end();
    this.good++;
    this.lostInARow = 0;
    const { snapshot, number, timeMs, line } = body;
    this.receiver.onScrape({ snapshot, ...(number === undefined ? {} : { number }), timeMs, line });
  }

  private lose({ number = '?', line }: Body, why: string): void {
    this.lost++;
    this.lostInARow++;
    this.lastLostLine = line;
    this.receiver.onLost({ number, why, line });
  }
}

/** A body of another length than its mark says was cut. Its last line may have come without a break, or all lines with CRLF. */
function incompleteness({ expectedBytes, bytes, lines, isRedacted }: Body): string | undefined {
  if (expectedBytes === undefined || isRedacted) return undefined;
  const missing = expectedBytes - bytes;
  const isWhole = missing === 0 || missing === -1 || missing === lines || missing === lines - 1;
  return isWhole ? undefined : `${expectedBytes} bytes were received, but ${bytes} are here`;
}
