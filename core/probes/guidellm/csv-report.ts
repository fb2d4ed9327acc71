import { present } from '../load/bench-json';
import type { ConsoleReader } from '../load/load-parser';
import type { LatencyMetric, LoadRun, Located } from '../load/load-run';
import { splitCsv } from '../text/csv';
import { parseDecimal } from '../text/numbers';
import type { ResultCollector } from '../text/result-collector';

/** Group, field and statistic or unit of each column. */
const HEADER_LINES = 3;
/** Group and field of the columns that hold a latency; the factor makes milliseconds of it. */
const LATENCIES: readonly (readonly [column: string, metric: LatencyMetric, factor: number])[] = [
  ['Time to First Token|Successful ms', 'ttft', 1],
  ['Inter Token Latency|Successful ms', 'tpot', 1],
  ['Request Latency|Successful Sec', 'e2e', 1000],
];
/** What the cell `Percentiles` lists. */
const PERCENTILES = ['min', 'p0.1', 'p1', 'p5', 'p10', 'p25', 'p75', 'p90', 'p95', 'p99', 'max'];
const REPORTED = ['p75', 'p90', 'p95', 'p99'];

interface Row {
  cells: string[];
  line: number;
}

/**
 * `benchmarks.csv` of guidellm since 0.4 (guidellm/benchmark/outputs/csv.py): three header lines, then a line a benchmark. The header
 * is that of the first benchmark, and a metric without a value has no columns, so a later line may not fit it.
 */
export class GuidellmCsv implements ConsoleReader {
  private readonly header: string[][] = [];
  private readonly rows: Row[] = [];
  private headerLine = 0;

  fileLine(raw: string, line: number): boolean {
    const text = raw.trimEnd();
    if (this.header.length === 0) {
      if (!/^"?Run Info"?,/.test(text)) return false;
      this.headerLine = line;
    }
    if (this.header.length < HEADER_LINES) this.header.push(splitCsv(text));
    else if (text !== '') this.rows.push({ cells: splitCsv(text), line });
    return true;
  }

  /** What the terminal shows has no count of requests, so nothing can be proved from it. */
  line(): void {}

  runs(collector: ResultCollector, endsMidLine: boolean): LoadRun[] {
    const [groups] = this.header;
    if (!groups) return [];
    if (this.header.some((cells) => cells.length !== groups.length) || this.rows.length === 0) {
      collector.doubt('load.cut', 'The comma-separated result lacks a part of its three header lines, or has no benchmark below them.', this.headerLine);
      return [];
    }
    if (endsMidLine) collector.doubt('load.cut', 'The last line has no line break, so it was cut.', this.rows.at(-1)!.line);
    const columns = this.columns(groups, collector);
    const first = new BenchmarkRow(columns, this.rows[0]!, collector);
    return this.rows.flatMap((row) => {
      const benchmark = new BenchmarkRow(columns, row, collector);
      if (row.cells.length === groups.length && benchmark.hasColumnsOf(first)) return [benchmark.run()];
      collector.doubt('load.unreadable', 'The columns of this benchmark are not those of the header, which guidellm writes for the first benchmark alone. Import the JSON report.', row.line);
      return [];
    });
  }

  /** `group|field|statistic` → its place in a row. */
  private columns(groups: readonly string[], collector: ResultCollector): Map<string, number> {
    const columns = new Map<string, number>();
    for (const [index, group] of groups.entries()) {
      const name = [group, this.header[1]![index], this.header[2]![index]].join('|');
      if (columns.has(name)) collector.doubt('load.ambiguous-key', `The column "${name}" stands twice.`, this.headerLine);
      columns.set(name, index);
    }
    return columns;
  }
}

class BenchmarkRow {
  constructor(
    private readonly columns: ReadonlyMap<string, number>,
    private readonly row: Row,
    private readonly collector: ResultCollector,
  ) {}

  private cell(column: string): string | undefined {
    const index = this.columns.get(column);
    return index === undefined ? undefined : this.row.cells[index];
  }

  private number(column: string): Located | undefined {
    const cell = this.cell(column);
    if (cell === undefined || cell === '') return undefined;
    const value = parseDecimal(cell);
    if (value !== undefined) return { value, line: this.row.line };
    this.collector.doubt('load.unreadable', `The column "${column.replace(/\|/g, ' ').trim()}" holds no number: ${cell.slice(0, 40)}`, this.row.line);
    return undefined;
  }

  private count = (status: string): Located | undefined => this.number(`Request Counts|${status}|`);

  /** Groups of requests without a value have no columns, so two rows have the same columns when they have the same groups. */
  hasColumnsOf(other: BenchmarkRow): boolean {
    return ['Successful', 'Incomplete', 'Errored'].every((status) => this.cell(`Request Counts|${status}|`) === '0' === (other.cell(`Request Counts|${status}|`) === '0'));
  }

  run(): LoadRun {
    const strategy = this.cell('Benchmark|Strategy|');
    return {
      rounding: 0,
      latencies: LATENCIES.flatMap(([column, metric, factor]) => this.latencies(column, metric, factor)),
      ...present('completed', this.count('Successful')),
      ...present('failed', this.count('Errored')),
      ...present('incomplete', this.count('Incomplete')),
      ...present('requestThroughput', this.number('Server Throughput|Successful Requests/Sec|Mean')),
      ...present('outputThroughput', this.number('Token Throughput|Successful Output Tokens/Sec|Mean')),
      ...present('labels', strategy === undefined || strategy === '' ? undefined : { strategy }),
    };
  }

  private latencies(column: string, metric: LatencyMetric, factor: number): LoadRun['latencies'] {
    const named: [string, Located | undefined][] = [['mean', this.number(`${column}|Mean`)], ['p50', this.number(`${column}|Median`)], ...this.percentiles(`${column}|Percentiles`)];
    return named.flatMap(([stat, found]) => (found ? [{ ...found, metric, stat, value: found.value * factor }] : []));
  }

  private percentiles(column: string): [string, Located][] {
    const cell = this.cell(column);
    if (cell === undefined || cell === '') return [];
    const values = /^\[(.*)\]$/.exec(cell)?.[1]?.split(', ').map(parseDecimal) ?? [];
    if (values.length !== PERCENTILES.length || values.includes(undefined)) {
      this.collector.doubt('load.unreadable', `The column "${column.replace(/\|/g, ' ')}" is no list of ${PERCENTILES.length} numbers: ${cell.slice(0, 40)}`, this.row.line);
      return [];
    }
    return PERCENTILES.flatMap((stat, index): [string, Located][] => (REPORTED.includes(stat) ? [[stat, { value: values[index]!, line: this.row.line }]] : []));
  }
}
