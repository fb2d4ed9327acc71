import type { LineParser, ParseResult, ParserOptions, StreamEnd } from '../contract';
import { collectiveOf, collectiveOnCommandLine } from '../nccl/collectives';
import { isNcclLog, textBeforeLog } from '../nccl/log-line';
import { stripAnsi } from '../text/ansi';
import { JsonDocuments } from '../text/json-documents';
import { ResultCollector } from '../text/result-collector';
import { judgeExit } from './exit-codes';
import { TestFailures } from './failures';
import { ncclVersionName, readJsonResult } from './json-result';
import { isRankLine } from './rank-list';
import { continuationCells, findRow, type FoundRow, parseRow } from './row';
import { readParameters, type TestParameters } from './sweep';
import { TestTable } from './table';

export const ID = 'nccl-tests';
export const PARSER = `${ID}/2`;

/** A row is broken at most once for each half; more pieces than this are no row. */
const MOST_PIECES = 6;

/**
 * Reads what nccl-tests prints, from NCCL 1's tests to v2.20, as text or as the JSON of `-J`. Lines are recognised by what they
 * say, not by where they begin: launchers put anything in front. NCCL's own log may stand anywhere in between, so the same
 * output also feeds `nccl-debug`.
 */
export class NcclTestsParser implements LineParser {
  private readonly collector: ResultCollector;
  private readonly failures = new TestFailures();
  private table: TestTable | undefined;
  private tests = 0;
  /** The collective on the command line that a log shows before a test. It holds for one test: the next line may be left out. */
  private announced: string | undefined;
  private json: JsonDocuments | undefined;
  /** A row that was begun and not finished on its line. */
  private pending: { row: FoundRow; pieces: number; line: number } | undefined;

  constructor(options?: ParserOptions) {
    this.collector = new ResultCollector({ id: ID, parser: PARSER }, options);
  }

  line(raw: string, line: number): void {
    if (!this.table && !this.json && /^\s*\{/.test(raw)) this.json = new JsonDocuments();
    if (this.json) return this.json.line(raw, line);
    if (!isNcclLog(raw)) return this.textLine(stripAnsi(raw), line);
    this.failures.ncclLog(raw, line);
    const before = textBeforeLog(raw);
    if (findRow(before)) this.textLine(before, line);
    else this.table?.line('', line);
    return undefined;
  }

  private textLine(text: string, line: number): void {
    // Even an empty line proves that the line before it was whole.
    if (text.trim() === '' || this.failures.line(text, line)) this.table?.line(text, line);
    else if (!this.start(text, line) && !this.table?.line(text, line) && !this.header(text)) this.rows(text, line);
  }

  /** Lines that begin a test, each of which may be the first that a version or a shortened log shows. */
  private start(text: string, line: number): boolean {
    const version = /#?\s*[nr]ccl-tests:? version:? (\S+)(?:.*\b[nr]ccl-library=(\d+))?/i.exec(text);
    if (version) {
      if (/^.*#/.test(text)) this.beginTest();
      this.collector.context['ncclTestsVersion'] = version[1]!;
      if (version[2] !== undefined) this.collector.context['ncclVersion'] = ncclVersionName(Number(version[2]));
      return true;
    }
    const name = /\bCollective test starting: (\S+)/.exec(text)?.[1];
    if (name !== undefined) {
      if (this.table?.announcesEnd) this.beginTest();
      this.current().announcesEnd = true;
      this.current().collective = collectiveOf(name);
      return true;
    }
    const parameters = readParameters(text);
    if (parameters) this.parameters(parameters);
    else if (/\bUsing devices\s*$/.test(text)) this.devices(text, line);
    else if (!this.table && isRankLine(text)) this.current().line(text, line);
    else return false;
    return true;
  }

  private parameters(parameters: TestParameters): void {
    if (this.table && (this.table.parameters.minBytes !== undefined || this.table.hasRows || !this.table.ranks.isEmpty)) this.beginTest();
    this.current().parameters = parameters;
    const { context } = this.collector;
    for (const [key, value] of Object.entries(parameters)) context[key] = value;
  }

  private devices(text: string, line: number): void {
    if (this.table && (this.table.hasDeviceHeading || this.table.hasRows)) this.beginTest();
    const table = this.current();
    table.hasDeviceHeading = true;
    table.line(text, line);
  }

  /** Lines between the list of ranks and the rows, and the last line of a test. */
  private header(text: string): boolean {
    if (/\bCollective test concluded: /.test(text)) {
      if (this.table) this.table.isConcluded = true;
      return true;
    }
    const columns = /\b(?:size\s+count|bytes\s+N)\s+type\b.*/.exec(text)?.[0];
    if (columns !== undefined) return this.columns(columns);
    const unit = /\(B\)\s+\(elements\).*?\((us|ms)\)/.exec(text)?.[1];
    if (unit !== undefined) {
      const { layout } = this.current();
      if (layout) layout.timeUnit = unit as 'us' | 'ms';
      return true;
    }
    return this.remarks(text);
  }

  private columns(text: string): boolean {
    if (this.table?.hasRows) this.beginTest();
    const table = this.current();
    const words = text.replace(/\[\d+(?:,\d+)?\]/g, ' ').trim().split(/\s+/);
    // NCCL 1 and version 1 print milliseconds, and say so nowhere; later versions have a line of units.
    table.layout = { cells: words.length, timeUnit: words[0] === 'bytes' ? 'ms' : 'us' };
    table.checkColumn = words.includes('#wrong') ? 'wrong' : 'error';
    return true;
  }

  private remarks(text: string): boolean {
    const reduced = /\bReducing maxBytes to (\d+)/.exec(text)?.[1];
    if (reduced !== undefined) {
      this.current().parameters.maxBytes = Number(reduced);
      this.collector.remark('warning', 'nccl.memory-limited', `The largest size was reduced to ${reduced} bytes, because there was not enough free GPU memory.`);
      return true;
    }
    const library = /^\W*[NR]CCL version(?: :)? (\d\S*)/.exec(text)?.[1];
    if (library !== undefined) this.collector.context['ncclVersion'] = library;
    else if (!this.table?.hasBegun || this.table.isEnded) this.announced = collectiveOnCommandLine(text) ?? this.announced;
    return library !== undefined;
  }

  private rows(text: string, line: number): void {
    const row = findRow(text);
    if (row) {
      this.abandonPending();
      this.piece(row, 1, line);
      return;
    }
    const cells = this.pending && continuationCells(text);
    if (this.pending && cells !== undefined) this.piece({ ...this.pending.row, text: `${this.pending.row.text} ${cells}` }, this.pending.pieces + 1, line);
  }

  private piece(found: FoundRow, pieces: number, line: number): void {
    if (this.table?.isEnded) this.beginTest();
    const table = this.current();
    const row = parseRow(found.text, table.layout);
    this.pending = row ? undefined : { row: found, pieces, line };
    if (row) {
      if (found.isCommented) this.collector.doubt('nccl.commented-rows', 'Rows are commented out, so they are no result that the tool stands for.', line);
      table.row(row, line);
    } else if (pieces >= MOST_PIECES) this.abandonPending();
  }

  private abandonPending(): void {
    if (!this.pending) return;
    this.current().unfinishedRow ??= { line: this.pending.line, sizeBytes: this.pending.row.text.split(/\s/, 1)[0]! };
    this.pending = undefined;
  }

  private current(): TestTable {
    if (!this.table) {
      this.table = new TestTable(this.collector, this.announced);
      this.announced = undefined;
      this.tests++;
    }
    return this.table;
  }

  private beginTest(): void {
    this.abandonPending();
    if (this.table?.hasBegun) this.table.end(true);
    else this.announced ??= this.table?.collective;
    this.table = undefined;
  }

  end({ exitCode, stderr, signal, endsMidLine }: StreamEnd): ParseResult {
    const { collector, failures } = this;
    for (const text of (stderr ?? '').split('\n')) failures.line(stripAnsi(text), undefined);
    failures.report(collector);
    if (this.json) this.endJson(this.json);
    else this.endText(exitCode === 0 || endsMidLine !== true);
    judgeExit(exitCode, signal, collector);
    return collector.result();
  }

  private endText(isLastLineWhole: boolean): void {
    this.abandonPending();
    const { collector, table, failures } = this;
    collector.context['collective'] = table?.collective ?? this.announced ?? 'unknown';
    if (this.tests > 1) collector.context['tests'] = this.tests;
    // A failure says more than the absence of rows that follows from it.
    if (table && (table.hasRows || table.unfinishedRow || failures.isEmpty)) table.end(isLastLineWhole);
  }

  private endJson(json: JsonDocuments): void {
    for (const { value, line } of json.documents) readJsonResult(value, line, this.collector);
    if (json.isCut || json.isDamaged || json.documents.length === 0) this.collector.doubt('nccl.cut', 'The JSON file is not whole.');
  }
}
