import { mayHoldSecret, REPLACEMENT, replaceSecrets } from './secrets';

const KEY_BEGINS = /-----BEGIN [A-Z ]{0,32}PRIVATE KEY-----/;
const KEY_ENDS = /-----END [A-Z ]{0,32}PRIVATE KEY-----/;
/** A line of a key block, behind what a launcher may write before it (`[1,0]<stdout>:`, `node3: `). */
const KEY_MATERIAL = /^(?:\S{1,64}[:>]\s?)?\s*(?:[A-Za-z0-9+/=]*|[A-Za-z-]+: .*)\s*$/;
/** The longest keys in use have about 200 lines; a block that goes on is no key. */
const LONGEST_KEY_LINES = 400;

const LONGEST_LINE = 256 * 1024;
/** A longer line goes out in parts; so much of its end waits for what follows. */
const HELD_BACK = 4 * 1024;

/**
 * Takes secrets out of a stream before it is written anywhere. Works on whole lines, so that a secret cut by a chunk is still
 * seen; keeps the number of lines, so that line numbers stay right; leaves numbers in tables alone.
 */
export class Redactor {
  private rest = Buffer.alloc(0);
  /** Lines since the beginning of a private key; undefined outside one. */
  private keyLines: number | undefined;
  /** Secrets replaced so far. */
  count = 0;

  constructor(private readonly write: (chunk: Uint8Array) => void) {}

  push(chunk: Uint8Array): void {
    const bytes = this.rest.length === 0 ? Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength) : Buffer.concat([this.rest, chunk]);
    const cut = endOfWhole(bytes);
    if (cut > 0) this.emit(bytes.subarray(0, cut));
    this.rest = Buffer.from(bytes.subarray(cut));
  }

  end(): void {
    if (this.rest.length > 0) this.emit(this.rest);
    this.rest = Buffer.alloc(0);
  }

  private emit(bytes: Buffer): void {
    // latin1 maps each byte to one character and back, so bytes that are no text survive unchanged.
    const text = bytes.toString('latin1');
    if (this.keyLines === undefined && !mayHoldSecret(text)) return this.write(bytes);
    const lines = text.split('\n').map((line, index, all) => (index === all.length - 1 && line === '' ? '' : this.redactLine(line)));
    this.write(Buffer.from(lines.join('\n'), 'latin1'));
  }

  private redactLine(line: string): string {
    if (this.keyLines !== undefined) return this.redactKeyLine(line, this.keyLines);
    if (!mayHoldSecret(line)) return line;
    const result = replaceSecrets(line);
    this.count += result.count;
    const begin = KEY_BEGINS.exec(result.line);
    if (!begin || KEY_ENDS.test(result.line)) return result.line;
    this.keyLines = 0;
    this.count++;
    const header = result.line.slice(0, begin.index + begin[0].length);
    return header.length === result.line.trimEnd().length ? result.line : `${header}${REPLACEMENT}`;
  }

  private redactKeyLine(line: string, lines: number): string {
    const isEnd = KEY_ENDS.test(line);
    if (isEnd || lines >= LONGEST_KEY_LINES || !KEY_MATERIAL.test(line)) {
      this.keyLines = undefined;
      return isEnd ? line.slice(KEY_ENDS.exec(line)!.index) : this.redactLine(line);
    }
    this.keyLines = lines + 1;
    return line.trim() === '' ? line : REPLACEMENT;
  }
}

/** How much of the bytes can be looked at: whole lines, or the beginning of a line that is too long to be held. */
function endOfWhole(bytes: Buffer): number {
  const lines = bytes.lastIndexOf(0x0a) + 1;
  if (lines > 0 || bytes.length <= LONGEST_LINE) return lines;
  const space = bytes.lastIndexOf(0x20, bytes.length - HELD_BACK) + 1;
  return space > 0 ? space : bytes.length - HELD_BACK;
}
