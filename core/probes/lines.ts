import { StringDecoder } from 'node:string_decoder';

/**
 * Cuts a byte stream into lines without their break (`\n` or `\r\n`; a lone `\r` of a progress display stays in the line).
 * A line longer than `maxLineLength` UTF-16 units is delivered cut, and `cutLines` counts it: memory stays bounded.
 */
export class LineSplitter {
  private readonly decoder = new StringDecoder('utf8');
  private rest = '';
  private overflowing = false;
  private lineNumber = 0;
  cutLines = 0;

  constructor(
    private readonly onLine: (text: string, lineNumber: number) => void,
    private readonly maxLineLength = 8 * 1024 * 1024,
  ) {}

  write(chunk: Uint8Array): void {
    this.text(this.decoder.write(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)));
  }

  /** Delivers the last line if it has no break. Returns true when the stream ended in the middle of a line. */
  end(): boolean {
    this.text(this.decoder.end());
    const hasRest = this.rest.length > 0;
    if (hasRest) this.emit(this.rest);
    this.rest = '';
    return hasRest;
  }

  private text(text: string): void {
    let start = 0;
    let stop = text.indexOf('\n');
    while (stop !== -1) {
      const piece = text.slice(start, stop);
      this.emit(this.rest === '' ? piece : this.rest + piece);
      this.rest = '';
      this.overflowing = false;
      start = stop + 1;
      stop = text.indexOf('\n', start);
    }
    if (start < text.length) this.keep(text.slice(start));
  }

  private keep(text: string): void {
    if (this.overflowing) return;
    this.rest += text;
    if (this.rest.length > this.maxLineLength) {
      this.rest = this.rest.slice(0, this.maxLineLength);
      this.overflowing = true;
      this.cutLines++;
    }
  }

  private emit(text: string): void {
    this.lineNumber++;
    if (this.lineNumber === 1 && text.charCodeAt(0) === 0xfeff) text = text.slice(1);
    this.onLine(text.endsWith('\r') ? text.slice(0, -1) : text, this.lineNumber);
  }
}
