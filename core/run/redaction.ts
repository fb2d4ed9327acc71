/**
 * Takes secrets out of a stream before it is written anywhere. Works on whole lines, so that a secret cut by a chunk is still
 * seen; keeps the number of lines, so that line numbers stay right; leaves numbers in tables alone.
 */

const REPLACEMENT = '[REDACTED]';

/** Each pattern's named group `secret` is replaced; what stands before it stays readable. */
const PATTERNS: readonly RegExp[] = [
  /(?<=\b(?:authorization|proxy-authorization)\s*[:=]\s*["']?(?:bearer|basic|token)\s+)(?<secret>[^\s"',;]+)/gi,
  /(?<=\b(?:x-api-key|api-key|cookie|set-cookie)\s*:\s*)(?<secret>[^\r\n]+)/gi,
  /(?<=\b[A-Z0-9_]*(?:TOKEN|SECRET|PASSWORD|PASSWD|API_?KEY|ACCESS_?KEY|PRIVATE_?KEY|CREDENTIALS?)[A-Z0-9_]*\s*=\s*["']?)(?<secret>[^\s"']{4,})/gi,
  /(?<="[^"]*(?:token|secret|password|api_?key|access_?key)[^"]*"\s*:\s*")(?<secret>[^"]{4,})/gi,
  /(?<=:\/\/[^\s/:@]+:)(?<secret>[^\s/@]+)(?=@)/g,
  /(?<secret>\b(?:hf_[A-Za-z0-9]{20,}|sk-[A-Za-z0-9_-]{20,}|gh[pousr]_[A-Za-z0-9]{20,}|github_pat_\w{20,}|glpat-[\w-]{20,}|xox[abprs]-[\w-]{10,}|nvapi-[\w-]{20,}|AKIA[0-9A-Z]{16}|ASIA[0-9A-Z]{16})\b)/g,
  /(?<secret>\beyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]+)/g,
];

/** Only lines with one of these can hold a secret; numbers in tables never reach the patterns. */
const HINT = /token|secret|passw|key|credential|authori[sz]ation|cookie|:\/\/|hf_|sk-|gh[pousr]_|glpat|xox|AKIA|ASIA|eyJ/i;

const LONGEST_LINE = 256 * 1024;

export class Redactor {
  private rest = Buffer.alloc(0);
  private insideKey = false;
  /** Secrets replaced so far. */
  count = 0;

  constructor(private readonly write: (chunk: Uint8Array) => void) {}

  push(chunk: Uint8Array): void {
    const bytes = this.rest.length === 0 ? Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength) : Buffer.concat([this.rest, chunk]);
    const end = bytes.lastIndexOf(0x0a) + 1;
    const cut = end > 0 ? end : bytes.length > LONGEST_LINE ? bytes.length : 0;
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
    if (!this.insideKey && !HINT.test(text) && !text.includes('PRIVATE KEY')) return this.write(bytes);
    const lines = text.split('\n').map((line) => this.redactLine(line));
    this.write(Buffer.from(lines.join('\n'), 'latin1'));
  }

  private redactLine(line: string): string {
    if (/-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(line)) {
      this.insideKey = true;
      this.count++;
      return line;
    }
    if (this.insideKey) {
      if (/-----END [A-Z ]*PRIVATE KEY-----/.test(line)) {
        this.insideKey = false;
        return line;
      }
      return line.trim() === '' ? line : REPLACEMENT;
    }
    return HINT.test(line) ? this.replaceSecrets(line) : line;
  }

  private replaceSecrets(line: string): string {
    return PATTERNS.reduce(
      (text, pattern) =>
        text.replace(pattern, (match) => {
          if (match.includes(REPLACEMENT)) return match;
          this.count++;
          return REPLACEMENT;
        }),
      line,
    );
  }
}
