import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { RawPage } from '../core/messages/workbench';

const PAGE_LINES = 1_000;
/** A longer line is cut on its way to the page: one line of binary output would stop it. The file has all of it. */
const LONGEST_LINE_BYTES = 4_096;
const LINE_BREAK = 0x0a;

export type PageText = Pick<RawPage, 'text' | 'firstLine' | 'totalLines' | 'totalBytes'>;

/**
 * The page of a file that holds `line` (1-based; past the end: the last page), in memory that does not grow with the file.
 * A file that is not there has no lines.
 */
export async function readRawPage(path: string, line = 1): Promise<PageText> {
  const file = await stat(path).catch(() => undefined);
  if (!file) return { text: '', firstLine: 1, totalLines: 0, totalBytes: 0 };
  const first = await scan(path, pageStart(line));
  const page = first.totalLines < first.firstLine ? await scan(path, pageStart(Math.max(1, first.totalLines))) : first;
  return { ...page, totalBytes: file.size };
}

const pageStart = (line: number): number => Math.floor((Math.max(1, line) - 1) / PAGE_LINES) * PAGE_LINES + 1;

async function scan(path: string, firstLine: number): Promise<Omit<PageText, 'totalBytes'>> {
  const page = new PageCollector(firstLine);
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) page.take(chunk);
  return page.end();
}

class PageCollector {
  private readonly lines: string[] = [];
  private pieces: Buffer[] = [];
  private lineBytes = 0;
  private completeLines = 0;

  constructor(private readonly firstLine: number) {}

  take(chunk: Buffer): void {
    let from = 0;
    for (let at = chunk.indexOf(LINE_BREAK); at !== -1; at = chunk.indexOf(LINE_BREAK, from)) {
      this.append(chunk.subarray(from, at));
      this.finishLine();
      from = at + 1;
    }
    this.append(chunk.subarray(from));
  }

  end(): Omit<PageText, 'totalBytes'> {
    if (this.lineBytes > 0) this.finishLine();
    return { text: this.lines.map((line) => `${line}\n`).join(''), firstLine: this.firstLine, totalLines: this.completeLines };
  }

  private append(piece: Buffer): void {
    const room = LONGEST_LINE_BYTES - this.lineBytes;
    this.lineBytes += piece.length;
    if (this.isOnPage() && room > 0) this.pieces.push(piece.subarray(0, room));
  }

  private finishLine(): void {
    if (this.isOnPage()) {
      const cut = this.lineBytes - LONGEST_LINE_BYTES;
      this.lines.push(Buffer.concat(this.pieces).toString('utf8') + (cut > 0 ? `… (${cut} bytes more)` : ''));
    }
    this.completeLines++;
    this.pieces = [];
    this.lineBytes = 0;
  }

  private isOnPage(): boolean {
    const line = this.completeLines + 1;
    return line >= this.firstLine && line < this.firstLine + PAGE_LINES;
  }
}
