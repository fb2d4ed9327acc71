import { splitCsv } from '../text/csv';
import { parseDecimal } from '../text/numbers';
import type { ResultCollector } from '../text/result-collector';
import type { ConsoleReader } from './load-parser';
import type { LoadRun, Located } from './load-run';
import { isKnownMetric, type MetricRow, runOfRows, splitMetricName } from './metric-rows';

/** AIPerf counts failures and GenAI-Perf does not, so that the result of one is not one of the other. */
export function expectTool(found: string, expected: string, collector: ResultCollector, line: number): void {
  if (found !== expected) collector.doubt('load.other-tool', `This is a result of ${found}, not of ${expected}: import it with the probe ${found.toLowerCase()}.`, line);
}

interface Table {
  /** Column words in lower case; the first column names the metric. */
  columns: string[];
  rows: { name: string; cells: string[]; line: number }[];
  line: number;
  /** A drawn table that was begun and not closed. */
  isOpen: boolean;
}

/** The tools print two decimals. */
const ROUNDING = 0.005;
const NO_VALUE = /^(?:n\/a|-|)$/i;
const GROUPED = /^-?\d{1,3}(?:,\d{3})+(?:\.\d+)?$/;
const TITLE = /NVIDIA (GenAI-Perf|AIPerf)\s*\|/;

/** Reads the tables of AIPerf and GenAI-Perf: drawn with box characters on the console, or comma-separated. */
export class MetricTableReader implements ConsoleReader {
  private readonly tables: Table[] = [];
  private table: Table | undefined;
  private titleLine: number | undefined;
  private otherTitle: { tool: string; line: number } | undefined;

  constructor(private readonly tool: string) {}

  line(raw: string, line: number): void {
    const text = raw.trim();
    const title = TITLE.exec(text);
    if (title) this.begun(title[1]!, line);
    else if (/^[┏┌╭]/.test(text)) this.begin([], line, true);
    else if (/^[└╰┗]/.test(text)) this.close();
    else if (/^[┃│|]/.test(text) && this.table?.isOpen) this.drawnRow(this.table, text, line);
    else if (/^metric,/i.test(text)) this.begin(splitCsv(text).map((cell) => cell.toLowerCase()), line, false);
    else if (this.table && !this.table.isOpen) this.csvRow(this.table, text, line);
  }

  private begun(tool: string, line: number): void {
    this.titleLine ??= line;
    if (tool !== this.tool) this.otherTitle ??= { tool, line };
  }

  private begin(columns: string[], line: number, isOpen: boolean): void {
    this.table = { columns, rows: [], line, isOpen };
    this.tables.push(this.table);
  }

  private close(): void {
    if (this.table) this.table.isOpen = false;
    this.table = undefined;
  }

  private drawnRow(table: Table, text: string, line: number): void {
    const cells = text.split(/[┃│|]/).slice(1, -1).map((cell) => cell.trim());
    const [name = '', ...values] = cells;
    if (table.columns.length === 0) table.columns = cells.map((cell) => cell.toLowerCase());
    // A long name is broken over two lines; the second one has no values.
    else if (values.every((cell) => cell === '') && table.rows.length > 0) table.rows.at(-1)!.name += ` ${name}`;
    else table.rows.push({ name, cells: values, line });
  }

  private csvRow(table: Table, text: string, line: number): void {
    if (text === '') {
      this.table = undefined;
      return;
    }
    const [name = '', ...cells] = splitCsv(text);
    table.rows.push({ name, cells, line });
  }

  runs(collector: ResultCollector, endsMidLine: boolean): LoadRun[] {
    const { otherTitle } = this;
    if (otherTitle) expectTool(otherTitle.tool, this.tool, collector, otherTitle.line);
    if (endsMidLine && this.table && !this.table.isOpen) collector.doubt('load.cut', 'The last row has no line break, so it was cut.', this.table.rows.at(-1)?.line);
    const open = this.tables.find(({ isOpen }) => isOpen);
    if (open) collector.doubt('load.cut', 'A table is not closed, so the output was cut.', open.line);
    else if (this.titleLine !== undefined && this.tables.length === 0) collector.doubt('load.cut', 'A title has no table, so the output was cut.', this.titleLine);
    return byRun(this.tables.map((table) => ({ table, rows: readRows(table, collector) }))).flatMap((tables) => runOfTables(tables, collector));
  }
}

interface ReadTable {
  table: Table;
  rows: MetricRow[];
}

/** One run prints each metric once; with the first one that stands there already, the next run begins. */
function byRun(tables: readonly ReadTable[]): ReadTable[][] {
  const runs: ReadTable[][] = [];
  for (const table of tables) {
    const names = new Set(runs.at(-1)?.flatMap(({ rows }) => rows.map(({ name }) => name)));
    if (runs.length > 0 && !table.rows.some(({ name }) => names.has(name))) runs.at(-1)!.push(table);
    else runs.push([table]);
  }
  return runs;
}

function runOfTables(tables: readonly ReadTable[], collector: ResultCollector): LoadRun[] {
  const run = runOfRows(tables.flatMap(({ rows }) => rows), ROUNDING);
  if (!run) return [];
  const failures = tables.flatMap(({ table }) => errorCounts(table));
  if (failures.length > 0) run.failed ??= { value: failures.reduce((sum, { value }) => sum + value, 0), line: failures[0]!.line! };
  const csv = tables.find(({ table }) => table.columns[0] === 'metric');
  // The last section of a comma-separated file; a drawn table has a closing line instead.
  if (csv && !run.requestThroughput) collector.doubt('load.cut', 'The comma-separated result lacks the request throughput of its last section, so it was cut.', csv.table.line);
  return [run];
}

function readRows({ columns, rows }: Table, collector: ResultCollector): MetricRow[] {
  return rows.flatMap(({ name, cells, line }) => {
    const metric = splitMetricName(name);
    if (!isKnownMetric(metric.name) && !metric.name.endsWith('sequence length') && metric.name !== 'benchmark duration') return [];
    if (cells.length !== columns.length - 1) {
      collector.doubt('load.unreadable', `The row "${name}" has ${cells.length} values under ${columns.length - 1} columns.`, line);
      return [];
    }
    return [{ ...metric, values: readCells(columns, name, cells, line, collector) }];
  });
}

function readCells(columns: readonly string[], name: string, cells: readonly string[], line: number, collector: ResultCollector): Map<string, Located> {
  const values = new Map<string, Located>();
  for (const [index, cell] of cells.entries()) {
    if (NO_VALUE.test(cell)) continue;
    const value = parseDecimal(GROUPED.test(cell) ? cell.replaceAll(',', '') : cell);
    if (value === undefined) collector.doubt('load.unreadable', `The row "${name}" holds no number: ${cell.slice(0, 40)}`, line);
    else values.set(columns[index + 1]!, { value, line });
  }
  return values;
}

/** AIPerf prints its errors in a table of code, type, message and count. */
function errorCounts({ columns, rows }: Table): Located[] {
  const at = columns.indexOf('count');
  if (at < 1 || !columns.includes('code')) return [];
  return rows.flatMap(({ cells, line }) => {
    const value = parseDecimal(cells[at - 1] ?? '');
    return value === undefined ? [] : [{ value, line }];
  });
}
