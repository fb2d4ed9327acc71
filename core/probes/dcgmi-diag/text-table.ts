import { type DiagReport, type EntityResult, type Message, readStatus, type Status, type TestResult } from './model';

const BORDER = /^\+[-=]+\+[-=]+\+$/;
const SECTION = /^[|+]-+ {2}(\S.*?\S|\S) {2}-+/;
/** These rows stand in a section of their own from DCGM 3.1 on; copies often lack its head. */
const METADATA = /^(?:DCGM Version|Driver Version Detected|GPU Device IDs Detected|(?:CPU )?EUD Test Version|CPU Model.*)$/;
/** `Warning`; DCGM 4 also names what it is about: `Info: GPU0`. */
const LABEL = /^(Warning|Error|Info)(?:: ?([A-Za-z][A-Za-z-]*?) ?(\d+))?$/;
/** `GPU0: Pass`; nothing stands behind the colon when the test did not run. */
const ENTITY = /^([A-Z][A-Za-z-]*?) ?(\d+(?:, ?\d+)*):(?: (\S.*))?$/;
/** `Pass`, `Pass - All`, `Fail - GPU: 0`, `Pass - GPUs: 1, 2`. */
const STATUS = /^(\S+(?: Run)?)(?:\s+-\s+(.*))?$/;
/** The end of a list of GPUs that was too long for its row. */
const LIST_GOES_ON = /^[\d, ]+(?:\.\.\.)?$/;

/** No row of the metadata looks like this: their head stands at the wrong place, and must not hide a result. */
const isResult = (name: string, value: string): boolean => LABEL.test(name) || ENTITY.test(value) || (name !== '' && readStatus(STATUS.exec(value)?.[1] ?? '-') !== undefined);

/**
 * The two-column table of `dcgmi diag` (dcgmi/Diag.cpp, DCGM 1.7 to 4.6). The value column wraps hard, in the middle of words,
 * into rows with an empty first cell.
 */
export class TextTable {
  readonly report: DiagReport = { tests: [], unknownStatuses: [] };
  private category = '';
  private test: TestResult | undefined;
  /** A message or a list that may go on in the next row. */
  private open: { append(text: string): void } | undefined;
  private list: { word: string; text: string; shown: number } | undefined;
  hasHeader = false;
  /** The border behind the last row. */
  isClosed = false;
  rows = 0;

  /** True when the line, given without blanks around it, belongs to the table. */
  line(text: string, line: number): boolean {
    if (!text.startsWith('|') && !text.startsWith('+')) return false;
    const section = SECTION.exec(text);
    if (section) return this.startSection(section[1]!);
    if (BORDER.test(text)) {
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
    this.list = undefined;
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
    if (this.category === 'Metadata' && isResult(name, value)) this.category = '';
    if (this.category === 'Metadata' || METADATA.test(name)) return this.metadata(name, value, line);
    if (name === '') return this.continuation(cell, value, line);
    this.list = undefined;
    const [, label, kind, id] = LABEL.exec(name) ?? [];
    if (label !== undefined) return this.message(label, this.holder(kind, id), cell, line);
    return this.startTest(name, value, line);
  }

  private metadata(name: string, value: string, line: number): void {
    if (!/^\d/.test(value)) return;
    if (name === 'DCGM Version') this.report.version = { text: value, line };
    if (name === 'Driver Version Detected') this.report.driver = value;
  }

  private startTest(name: string, value: string, line: number): void {
    this.test = { name, category: this.category, messages: [], info: [], results: [], line };
    this.open = undefined;
    this.report.tests.push(this.test);
    this.status(value, line);
  }

  private continuation(cell: string, value: string, line: number): void {
    if (this.list && LIST_GOES_ON.test(value)) return this.goOnWithList(value, line);
    this.list = undefined;
    const [, kind, ids, word = ''] = ENTITY.exec(value) ?? [];
    const status = readStatus(word);
    if (kind !== undefined && ids !== undefined && this.test && status && !(word === '' && this.open)) {
      this.open = undefined;
      return this.entities(kind, ids.split(/[,\s]+/), status, line);
    }
    if (kind !== undefined && word !== '' && status && !this.test) this.report.unknownStatuses.push({ text: value, line });
    if (this.test && /^(Pass|Fail|Skip|Warn|Not Run)\b/.test(value) && !this.open) return this.status(value, line);
    this.open?.append(unwrap(cell));
  }

  private status(value: string, line: number): void {
    const [, word = value, list] = STATUS.exec(value) ?? [];
    const status = readStatus(word);
    if (!status || !this.test) {
      this.report.unknownStatuses.push({ text: value, line });
      return;
    }
    const gpus = /^GPUs?:? (?=\d)(.+)$/.exec(list ?? '')?.[1];
    if (gpus === undefined) this.test.status = status;
    else {
      this.list = { word, text: '', shown: 0 };
      this.goOnWithList(gpus, line);
    }
  }

  /** Numbers are cut at the end of a row like words, so a list is read again whole with each row. */
  private goOnWithList(value: string, line: number): void {
    const list = this.list!;
    list.text += value;
    const isCut = list.text.endsWith('...');
    const ids = list.text.replace(/\d*\.\.\.$/, '').split(/[,\s]+/).filter((id) => /^\d+$/.test(id));
    this.test!.results.splice(this.test!.results.length - list.shown, list.shown);
    this.entities('GPU', ids, readStatus(list.word)!, line);
    list.shown = ids.length;
    if (isCut) this.report.unknownStatuses.push({ text: `${list.word} - GPUs: ${list.text}`, line });
  }

  private entities(kind: string, ids: readonly string[], status: Status, line: number): void {
    for (const id of ids) {
      const name = kind === 'GPU' ? { gpu: id } : { entity: `${kind} ${id}` };
      this.test!.results.push({ ...name, status, messages: [], info: [], line } satisfies EntityResult);
    }
  }

  /** What a message is about: an entity of the test when it is named, otherwise the test. */
  private holder(kind: string | undefined, id: string | undefined): EntityResult | TestResult | undefined {
    if (kind === undefined || id === undefined) return this.test;
    const entity = kind === 'GPU' ? undefined : `${kind} ${id}`;
    return this.test?.results.find((result) => (entity === undefined ? result.gpu === id : result.entity === entity)) ?? this.test;
  }

  private message(label: string, holder: EntityResult | TestResult | undefined, cell: string, line: number): void {
    if (!holder) return;
    const message: Message & { line: number } = { text: unwrap(cell), line };
    if (label === 'Info') holder.info.push(message);
    else holder.messages.push(message);
    this.open = { append: (text) => (message.text += text) };
  }
}

/** One blank before the text and two behind it belong to the frame; everything else is text that was cut anywhere. */
const unwrap = (cell: string): string => cell.replace(/^ /, '').replace(/ {1,2}$/, '').replace(/ {3,}$/, '');
