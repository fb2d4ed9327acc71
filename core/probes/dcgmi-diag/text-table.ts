import { type DiagReport, type EntityResult, type Message, readStatus, type TestResult } from './model';

/**
 * The two-column table of `dcgmi diag` (dcgmi/Diag.cpp, DCGM 2.4 to 4.6). The value column wraps hard, in the middle of words,
 * into rows with an empty first cell.
 */
export class TextTable {
  readonly report: DiagReport = { tests: [], unknownStatuses: [] };
  private category = '';
  private test: TestResult | undefined;
  /** A message that may go on in the next row. */
  private open: { append(text: string): void } | undefined;
  hasHeader = false;
  /** The border behind the last row. */
  isClosed = false;
  rows = 0;

  /** True when the line belongs to the table. */
  line(text: string, line: number): boolean {
    const section = /^[|+]-+ {2}(\S.*?\S|\S) {2}-+/.exec(text);
    if (section) return this.startSection(section[1]!);
    if (/^\+[-=]+\+[-=]+\+$/.test(text.trim())) {
      this.isClosed = this.rows > 0;
      return true;
    }
    const cells = /^\|(.{27})\|(.*?)\|?$/.exec(text) ?? /^\|([^|]*)\|(.*?)\|?$/.exec(text);
    if (!cells) return false;
    this.row(cells[1]!.trim(), cells[2]!, line);
    return true;
  }

  private startSection(name: string): boolean {
    this.category = name;
    this.test = undefined;
    this.open = undefined;
    this.isClosed = false;
    return true;
  }

  private row(name: string, cell: string, line: number): void {
    const value = cell.trim();
    if (name === 'Diagnostic' && value === 'Result') {
      this.hasHeader = true;
      return;
    }
    this.rows++;
    this.isClosed = false;
    if (this.category === 'Metadata') return this.metadata(name, value);
    if (name === '') return this.continuation(cell, value, line);
    const label = /^(Warning|Error|Info)$/.exec(name)?.[1];
    if (label) return this.message(label, cell);
    return this.startTest(name, value, line);
  }

  private metadata(name: string, value: string): void {
    if (!/^\d/.test(value)) return;
    if (name === 'DCGM Version') this.report.version = value;
    if (name === 'Driver Version Detected') this.report.driver = value;
  }

  private startTest(name: string, value: string, line: number): void {
    this.test = { name, category: this.category, messages: [], info: [], results: [], line };
    this.open = undefined;
    this.report.tests.push(this.test);
    this.status(value, line);
  }

  private continuation(cell: string, value: string, line: number): void {
    const entity = /^(GPU|CPU|NvSwitch|[A-Z][A-Za-z-]*?) ?(\d+(?:, ?\d+)*): (\S.*)$/.exec(value);
    if (entity && this.test && readStatus(entity[3]!)) return this.entities(entity[1]!, entity[2]!, entity[3]!, line);
    if (this.test && /^(Pass|Fail|Skip|Warn|Not Run)\b/.test(value) && !this.open) return this.status(value, line);
    this.open?.append(unwrap(cell));
  }

  /** `Pass`, `Pass - All`, `Fail - GPU: 0`, `Pass - GPUs: 1, 2`. */
  private status(value: string, line: number): void {
    const [, word = value, list] = /^(\S+(?: Run)?)(?:\s+-\s+(.*))?$/.exec(value) ?? [];
    const status = readStatus(word);
    if (!status || !this.test) {
      this.report.unknownStatuses.push({ text: value, line });
      return;
    }
    const gpus = /^GPUs?: (.+)$/.exec(list ?? '')?.[1];
    if (gpus) this.entities('GPU', gpus, word, line);
    else this.test.status = status;
  }

  private entities(kind: string, ids: string, word: string, line: number): void {
    const status = readStatus(word)!;
    for (const id of ids.split(/[,\s]+/).filter((part) => part !== '')) {
      const name = kind === 'GPU' ? { gpu: id } : { entity: `${kind} ${id}` };
      this.test!.results.push({ ...name, status, messages: [], info: [], line } satisfies EntityResult);
    }
  }

  private message(label: string, cell: string): void {
    if (!this.test) return;
    const { test } = this;
    if (label === 'Info') {
      const index = test.info.push(unwrap(cell)) - 1;
      this.open = { append: (text) => (test.info[index] += text) };
      return;
    }
    const message: Message = { text: unwrap(cell) };
    test.messages.push(message);
    this.open = { append: (text) => (message.text += text) };
  }
}

/** One blank before the text and two behind it belong to the frame; everything else is text that was cut anywhere. */
const unwrap = (cell: string): string => cell.replace(/^ /, '').replace(/ {1,2}$/, '').replace(/ {3,}$/, '');
