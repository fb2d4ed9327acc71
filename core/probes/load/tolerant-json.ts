import { parseDecimal } from '../text/numbers';

export type JsonValue = number | string | boolean | null | JsonValue[] | JsonRecord;

interface Member {
  value: JsonValue;
  line: number;
  /** The key stands twice with different values: neither can be trusted. */
  isAmbiguous: boolean;
}

/** A JSON object that knows on which line each member stands. */
export class JsonRecord {
  readonly members = new Map<string, Member>();

  keys(): string[] {
    return [...this.members.keys()];
  }

  has(key: string): boolean {
    return this.members.has(key);
  }

  /** Undefined for an absent or ambiguous member. */
  get(key: string): JsonValue | undefined {
    const member = this.members.get(key);
    return member && !member.isAmbiguous ? member.value : undefined;
  }

  /** A finite number; some tools write numbers as text. */
  number(key: string): number | undefined {
    const value = this.get(key);
    if (typeof value === 'string') return parseDecimal(value);
    return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
  }

  text(key: string): string | undefined {
    const value = this.get(key);
    return typeof value === 'string' ? value : undefined;
  }

  record(...path: string[]): JsonRecord | undefined {
    return path.reduce<JsonRecord | undefined>((record, key) => {
      const value = record?.get(key);
      return value instanceof JsonRecord ? value : undefined;
    }, this);
  }

  records(key: string): JsonRecord[] {
    const value = this.get(key);
    return Array.isArray(value) ? value.filter((item) => item instanceof JsonRecord) : [];
  }

  line(key: string): number | undefined {
    return this.members.get(key)?.line;
  }
}

export interface JsonProblem {
  message: string;
  line: number;
}

export interface JsonReading {
  documents: JsonValue[];
  /** The text is not whole or not JSON. */
  problem?: JsonProblem;
  /** Lines between the documents, for whoever reads the rest of the output. */
  others: { text: string; line: number }[];
  /** Keys that stand twice in one object with different values. */
  ambiguous: { key: string; line: number }[];
}

/** An array of anything but objects is the prefix of a log line: `[INFO]`, `[rank0]:`, `[1,0]<stdout>`. */
const DOCUMENT_START = /\{|\[[ \t\r]*(?:[{\]]|$)/my;

class JsonSyntaxError extends Error {}

const MAX_DEPTH = 100;
const NUMBER = /-?(?:Infinity|\d+(?:\.\d*)?(?:[eE][-+]?\d+)?)|NaN/y;
const PLAIN_TEXT = /[^"\\]*/y;
const BLANKS = /[ \t\r\n]*/y;
const LITERALS: readonly (readonly [string, JsonValue])[] = [['true', true], ['false', false], ['null', null]];
const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f' };

/**
 * Reads what load generators write in place of JSON: `NaN` and `Infinity` of Python, several documents behind each other
 * (appended results, JSON lines), log lines before them, keys that stand twice.
 */
export function readJsonDocuments(text: string, firstLine = 1): JsonReading {
  return new Reader(text, firstLine).read();
}

class Reader {
  private at = 0;
  private line: number;
  private lineAt = 0;
  private depth = 0;
  private readonly ambiguous: JsonReading['ambiguous'] = [];
  private readonly others: JsonReading['others'] = [];

  constructor(private readonly text: string, firstLine: number) {
    this.line = firstLine;
  }

  read(): JsonReading {
    const documents: JsonValue[] = [];
    for (;;) {
      this.blanks();
      if (this.at >= this.text.length) return { documents, ambiguous: this.ambiguous, others: this.others };
      DOCUMENT_START.lastIndex = this.at;
      if (!DOCUMENT_START.test(this.text)) {
        this.skipLine();
        continue;
      }
      try {
        documents.push(this.value());
      } catch (error) {
        if (!(error instanceof JsonSyntaxError)) throw error;
        const message = this.at >= this.text.length ? 'The JSON text ends before it is complete, so it was cut.' : `The JSON text is damaged: ${error.message}.`;
        return { documents, problem: { message, line: this.lineHere() }, ambiguous: this.ambiguous, others: this.others };
      }
    }
  }

  private skipLine(): void {
    const found = this.text.indexOf('\n', this.at);
    const end = found === -1 ? this.text.length : found;
    this.others.push({ text: this.text.slice(this.at, end), line: this.lineHere() });
    this.at = end;
  }

  /** The line of the current position; positions only grow. */
  private lineHere(): number {
    for (let end = this.text.indexOf('\n', this.lineAt); end !== -1 && end < this.at; end = this.text.indexOf('\n', this.lineAt)) {
      this.line++;
      this.lineAt = end + 1;
    }
    return this.line;
  }

  private blanks(): void {
    BLANKS.lastIndex = this.at;
    BLANKS.test(this.text);
    this.at = BLANKS.lastIndex;
  }

  private fail(message: string): never {
    throw new JsonSyntaxError(message);
  }

  private value(): JsonValue {
    this.blanks();
    const character = this.text[this.at];
    if (character === '{') return this.nested(() => this.object());
    if (character === '[') return this.nested(() => this.array());
    if (character === '"') return this.string();
    for (const [word, value] of LITERALS) {
      if (!this.text.startsWith(word, this.at)) continue;
      this.at += word.length;
      return value;
    }
    return this.number();
  }

  private nested<T>(read: () => T): T {
    if (++this.depth > MAX_DEPTH) this.fail('it is nested too deeply');
    const value = read();
    this.depth--;
    return value;
  }

  private number(): number {
    NUMBER.lastIndex = this.at;
    const match = NUMBER.exec(this.text);
    // A number at the very end may have lost digits.
    if (!match || NUMBER.lastIndex >= this.text.length) {
      if (match || 'NaN-Infinitytruefalsenull'.includes(this.text.slice(this.at))) this.at = this.text.length;
      this.fail('a value is missing');
    }
    this.at = NUMBER.lastIndex;
    return Number(match![0]);
  }

  private string(): string {
    let value = '';
    for (this.at++; ; ) {
      PLAIN_TEXT.lastIndex = this.at;
      value += PLAIN_TEXT.exec(this.text)![0];
      this.at = PLAIN_TEXT.lastIndex;
      const character = this.text[this.at];
      if (character === undefined) this.fail('a text is not closed');
      this.at++;
      if (character === '"') return value;
      value += this.escape();
    }
  }

  private escape(): string {
    const character = this.text[this.at++];
    if (character === undefined) return this.fail('a text is not closed');
    if (character !== 'u') return ESCAPES[character] ?? character;
    const digits = this.text.slice(this.at, this.at + 4);
    if (!/^[0-9a-fA-F]{4}$/.test(digits)) this.fail('an escape is damaged');
    this.at += 4;
    return String.fromCharCode(Number.parseInt(digits, 16));
  }

  private array(): JsonValue[] {
    const items: JsonValue[] = [];
    this.at++;
    this.blanks();
    if (this.text[this.at] === ']') this.at++;
    else do items.push(this.value());
    while (this.goesOn(']'));
    return items;
  }

  private object(): JsonRecord {
    const record = new JsonRecord();
    this.at++;
    this.blanks();
    if (this.text[this.at] === '}') this.at++;
    else do this.member(record);
    while (this.goesOn('}'));
    return record;
  }

  /** Behind an item: true for a comma, false for the end. */
  private goesOn(end: string): boolean {
    this.blanks();
    const character = this.text[this.at];
    if (character !== ',' && character !== end) this.fail(`a comma or "${end}" is missing`);
    this.at++;
    return character === ',';
  }

  private member(record: JsonRecord): void {
    this.blanks();
    if (this.text[this.at] !== '"') this.fail('a key is missing');
    const line = this.lineHere();
    const key = this.string();
    this.blanks();
    if (this.text[this.at] !== ':') this.fail('a colon is missing');
    this.at++;
    const value = this.value();
    const earlier = record.members.get(key);
    const isAmbiguous = earlier !== undefined && (earlier.isAmbiguous || JSON.stringify(plain(earlier.value)) !== JSON.stringify(plain(value)));
    if (isAmbiguous) this.ambiguous.push({ key, line });
    record.members.set(key, { value, line, isAmbiguous });
  }
}

function plain(value: JsonValue): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (value instanceof JsonRecord) return [...value.members].map(([key, member]) => [key, plain(member.value)]);
  return typeof value === 'number' ? String(value) : value;
}
