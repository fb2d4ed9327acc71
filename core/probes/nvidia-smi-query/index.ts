import type { LineParser, ParserOptions, ParseResult, ProbeDefinition, StreamEnd } from '../contract';
import { readErrorText } from '../nvidia-smi/errors';
import { describeFields, GPU_FIELDS, type GpuField } from '../nvidia-smi/fields';
import { GpuCensus } from '../nvidia-smi/gpu-identity';
import { planQuery } from '../nvidia-smi/query-plan';
import { type CellPlace, recordGpuValue } from '../nvidia-smi/record';
import { SmiSession } from '../nvidia-smi/session';
import { parseInteger } from '../text/numbers';
import { Rounds } from './rounds';

const ID = 'nvidia-smi-query';
const PARSER = `${ID}/2`;

const FIELD_BY_COLUMN = new Map<string, GpuField>(GPU_FIELDS.flatMap((field) => field.columns.map((column) => [column, field] as const)));

/** `power.draw [W]`, `index`, `clocks_event_reasons.active` */
const TITLE = /^([A-Za-z][\w.]*)(?: \[([^\]]+)\])?$/;

/** Columns of `--query-compute-apps`, `--query-accounted-apps` and `--query-retired-pages`: their rows are no GPUs. */
const OTHER_QUERY = /^(?:pid|process_name|used_g?pu_?memory|retired_pages\.(?:address|cause|timestamp)|max_memory_usage|vgpu_instance)$/;

interface Column {
  name: string;
  titleUnit?: string;
  field?: GpuField;
}

class QueryParser implements LineParser {
  private readonly session: SmiSession;
  private readonly census: GpuCensus;
  private columns: readonly Column[] | undefined;
  private isOtherQuery = false;
  private rows = 0;
  private readonly rounds: Rounds;
  /** Value of the `count` column: how many GPUs the driver has. */
  private statedCount: number | undefined;
  private readonly drivers = new Set<string>();

  constructor(options?: ParserOptions) {
    this.session = new SmiSession({ id: ID, parser: PARSER }, options);
    this.census = new GpuCensus(this.session.collector);
    this.rounds = new Rounds(this.session.collector);
  }

  line(raw: string, line: number): void {
    const text = this.session.clean(raw);
    if (text.trim() === '') return;
    const cells = text.split(',').map((cell) => cell.trim());
    if (this.isOtherQuery) readErrorText(text, this.session.collector, line);
    else if (this.columns === undefined) this.header(cells, text, line);
    else if (!this.errorText(this.columns, cells, text, line)) this.row(this.columns, cells, line);
  }

  end(end: StreamEnd): ParseResult {
    const { collector } = this.session;
    if (this.columns === undefined && !collector.hasFault && !collector.hasDoubt) {
      this.noHeader();
    }
    if (this.census.count > 0) {
      collector.measure({ metric: 'gpu.count', value: this.census.count });
      const rounds = this.rounds.end();
      if (rounds > 1) collector.context['rounds'] = rounds;
      this.census.judgeGaps();
      this.judgeCount();
    } else if (this.columns !== undefined) collector.doubt('nvidia-smi.no-rows', 'There is a header, but no GPU below it.');
    if (this.drivers.size > 1) collector.doubt('nvidia-smi.drivers-differ', `The rows name different drivers: ${[...this.drivers].join(', ')}.`);
    return this.session.end(end);
  }

  private noHeader(line?: number): void {
    this.session.collector.doubt('nvidia-smi.no-header', 'There is no header line, so the columns are not known. Save the output with --format=csv, without noheader.', line);
  }

  private header(cells: readonly string[], text: string, line: number): void {
    const columns = cells.map((cell): Column | undefined => {
      const [, name, titleUnit] = TITLE.exec(cell) ?? [];
      if (name === undefined) return undefined;
      const field = FIELD_BY_COLUMN.get(name);
      return { name, ...(titleUnit === undefined ? {} : { titleUnit }), ...(field === undefined ? {} : { field }) };
    });
    const areTitles = columns.every((column) => column !== undefined);
    if (areTitles && columns.some((column) => OTHER_QUERY.test(column?.name ?? ''))) {
      this.isOtherQuery = true;
      this.session.collector.doubt('nvidia-smi.other-query', 'This is a query of processes or of retired pages: its rows are no GPUs. Query the GPUs with --query-gpu.', line);
      return;
    }
    const isHeader = areTitles && columns.some((column) => column?.field !== undefined || column?.name === 'index');
    if (!isHeader) {
      const isRow = cells.length > 2 && !/\bnvidia-smi\b/.test(text) && !readErrorText(text, this.session.collector, line);
      if (isRow) this.noHeader(line);
      else this.session.other(text, line);
      return;
    }
    this.columns = columns.filter((column) => column !== undefined);
    this.session.collector.context['columns'] = columns.length;
    this.session.collector.context['columnsRead'] = this.columns.filter(({ field }) => field !== undefined).length;
    const titles = cells.map((cell) => TITLE.exec(cell)?.[1]);
    if (new Set(titles).size !== titles.length) this.session.collector.doubt('nvidia-smi.duplicate-column', 'A column stands twice in the header.', line);
  }

  /** An error text can stand before, between and behind healthy rows. With one or two columns it has as many cells as a row. */
  private errorText(columns: readonly Column[], cells: readonly string[], text: string, line: number): boolean {
    if (cells.length === columns.length && columns.length > 2) return false;
    if (readErrorText(text, this.session.collector, line)) return true;
    if (cells.length === columns.length) return false;
    const message = `This line has ${cells.length} cells, the header ${columns.length}: it is cut, or no GPU row.`;
    this.session.collector.doubt('nvidia-smi.row-cells', message, line);
    return true;
  }

  private row(columns: readonly Column[], cells: readonly string[], line: number): void {
    const cell = (name: string): string | undefined => {
      const at = columns.findIndex((column) => column.name === name || column.field?.columns.includes(name) === true);
      return at === -1 ? undefined : cells[at];
    };
    const identities = [identity(cell('uuid')), identity(cell('pci.bus_id'))];
    const isRepeatable = columns.some(({ name }) => name === 'timestamp');
    const indexCell = cell('index');
    const index = indexCell === undefined ? ((isRepeatable ? this.census.indexOf(identities) : undefined) ?? this.rows) : parseInteger(indexCell);
    if (index === undefined || index < 0 || index > 1023) {
      this.session.collector.doubt('nvidia-smi.bad-index', `The index of this row is ${JSON.stringify((indexCell ?? '').slice(0, 40))}.`, line);
      return this.values(columns, cells, { gpu: '?', line });
    }
    if (isRepeatable && indexCell === undefined && this.rows > 0 && identities.every((known) => known === undefined)) {
      this.session.collector.doubt('nvidia-smi.rows-unnamed', 'The rows name no GPU and a time: they can be several GPUs, or one again and again. Query the index too.', line);
      return;
    }
    const round = isRepeatable ? this.rounds.add(index, line) : 1;
    if (round > 1) this.census.confirm(index, line, identities);
    else {
      this.rows++;
      this.census.add(index, line, identities);
    }
    this.readCount(cell('count'), line);
    this.values(columns, cells, { gpu: String(index), line, ...(round > 1 ? { sample: String(round) } : {}) });
  }

  private values(columns: readonly Column[], cells: readonly string[], row: Omit<CellPlace, 'name'>): void {
    columns.forEach(({ name, titleUnit, field }, at) => {
      if (!field) return;
      const place = { ...row, name, ...(titleUnit === undefined ? {} : { titleUnit }) };
      const value = recordGpuValue(field, cells[at] ?? '', place, this.session.collector);
      if (field.metric === 'gpu.driver' && typeof value === 'string') this.drivers.add(value);
    });
  }

  private readCount(text: string | undefined, line: number): void {
    if (text === undefined) return;
    const count = parseInteger(text);
    if (count === undefined || (this.statedCount !== undefined && this.statedCount !== count)) {
      this.session.collector.doubt('nvidia-smi.bad-count', `The count of this row is ${JSON.stringify(text.slice(0, 40))}.`, line);
    } else this.statedCount = count;
  }

  private judgeCount(): void {
    if (this.statedCount === undefined || this.statedCount === this.census.count) return;
    const message = `The driver counts ${this.statedCount} GPUs, the output has ${this.census.count} of them: it is cut, or a GPU is missing.`;
    this.session.collector.doubt('nvidia-smi.row-count', message);
  }
}

/** Only what can identify a GPU; `[N/A]` in every row would make all GPUs one. */
function identity(cell: string | undefined): string | undefined {
  return cell !== undefined && /^(?:GPU-)?[0-9a-f]{4,8}[-:][0-9a-f.:-]+$/i.test(cell) ? cell : undefined;
}

export const probe: ProbeDefinition = {
  id: ID,
  parser: PARSER,
  title: 'GPU properties (nvidia-smi --query-gpu)',
  proves: 'Driver, memory, ECC, row remap, PCIe, clocks, power and temperature of each GPU at this moment.',
  metrics: [{ metric: 'gpu.count', title: 'GPUs', valueType: 'number', better: 'higher' }, ...describeFields(GPU_FIELDS.filter(({ columns }) => columns.length > 0))],
  createParser: (options) => new QueryParser(options),
  plan: planQuery,
};
