import { parseDecimal } from '../text/numbers';
import type { ResultCollector } from '../text/result-collector';
import { type BenchDialect, expectDialect, isSglangRow } from './bench-dialect';
import type { ConsoleReader } from './load-parser';
import { type LatencyMetric, type LoadRun, type Located, statName } from './load-run';

const TITLE = /^={3,}.*\bBenchmark Result\b.*={3,}$/i;
const END = /^={20,}$/;
const ROW = /^([A-Za-z][^:]*?):\s+(\S.*)$/;
/** What launchers and log collectors put in front of a line. */
const PREFIX = /^(?:\(\w+ pid=\d+\)|\[\w+\]:|\d{4}-\d\d-\d\d[T ][\d:.,]+Z?)\s+/;
const LATENCY = /^(mean|median|p\d+(?:\.\d+)?) (ttft|tpot|itl|e2el|e2e latency) \(ms\)$/;

const METRICS: Readonly<Record<string, LatencyMetric>> = { ttft: 'ttft', tpot: 'tpot', itl: 'itl', e2el: 'e2e', 'e2e latency': 'e2e' };
/** Sections of latencies by their first words; a section that stands empty was cut. */
const LATENCY_SECTION = /^(?:time to first token|time per output token|inter-token latency|end-to-end latency)/i;

type RowField = 'completed' | 'failed' | 'durationS' | 'inputTokens' | 'outputTokens' | 'retokenizedTokens' | 'requestThroughput' | 'goodput' | 'outputThroughput' | 'configuredRate' | 'concurrencyLimit';

/** Rows of `vllm bench serve`, its forerunner benchmark_serving.py, and sglang.bench_serving, in lower case. */
const FIELDS: ReadonlyMap<string, RowField> = new Map(Object.entries<RowField>({
  'successful requests': 'completed',
  'failed requests': 'failed',
  'benchmark duration (s)': 'durationS',
  'total input tokens': 'inputTokens',
  'total generated tokens': 'outputTokens',
  'total generated tokens (retokenized)': 'retokenizedTokens',
  'request throughput (req/s)': 'requestThroughput',
  'request goodput (req/s)': 'goodput',
  'output token throughput (tok/s)': 'outputThroughput',
  'request rate configured (rps)': 'configuredRate',
  'traffic request rate': 'configuredRate',
  'maximum request concurrency': 'concurrencyLimit',
  'max request concurrency': 'concurrencyLimit',
  // As SGLang wrote it for some time.
  'max reqeuest concurrency': 'concurrencyLimit',
}));
/** Words for "no limit"; `trace` takes the times of a recorded load. */
const UNLIMITED = new Set(['inf', 'not set', 'none', 'trace']);
type LimitField = 'configuredRate' | 'concurrencyLimit';
const isLimit = (field: RowField | undefined): field is LimitField => field === 'configuredRate' || field === 'concurrencyLimit';

interface Problem {
  code: string;
  message: string;
  line: number;
}

interface Block {
  run: LoadRun;
  titleLine?: number;
  hasEnd: boolean;
  /** The latency section that was begun and has no row yet. */
  emptySection: { name: string; line: number } | undefined;
  dialect: BenchDialect;
  /** What the tool printed of its limits before the title, with more digits than in the block. */
  announced: Pick<LoadRun, LimitField>;
  problems: Problem[];
}

/** Both tools print two decimals. */
const ROUNDING = 0.005;
/** A log that repeats a row without end must not fill the memory. */
const MAX_PROBLEMS = 100;

const newBlock = (titleLine?: number): Block => ({ run: { latencies: [], rounding: ROUNDING }, ...(titleLine === undefined ? {} : { titleLine }), hasEnd: false, emptySection: undefined, dialect: 'vllm', announced: {}, problems: [] });

/** Reads the result blocks of `vllm bench serve` and sglang.bench_serving: rows of `label: value` between two lines of `=`. */
export class BenchBlockReader implements ConsoleReader {
  private readonly blocks: Block[] = [];
  private block: Block | undefined;
  private announced: Block['announced'] = {};

  constructor(private readonly dialect: BenchDialect) {}

  line(raw: string, lineNumber: number): void {
    const text = raw.trim().replace(PREFIX, '');
    if (TITLE.test(text)) this.begin(newBlock(lineNumber));
    else if (END.test(text)) this.close();
    else this.content(text, lineNumber);
  }

  private begin(block: Block): Block {
    block.announced = this.announced;
    this.announced = {};
    this.blocks.push(block);
    this.block = block;
    return block;
  }

  private close(): void {
    if (this.block) this.block.hasEnd = true;
    this.block = undefined;
  }

  private content(text: string, line: number): void {
    if (this.block && text.startsWith('---') && text.endsWith('---')) {
      const name = text.replace(/^-+|-+$/g, '').trim();
      this.reportEmptySection(this.block);
      this.block.emptySection = LATENCY_SECTION.test(name) ? { name, line } : undefined;
      return;
    }
    const row = ROW.exec(text);
    if (row) this.row(row[1]!.trim().toLowerCase().replace(/\s+/g, ' '), row[2]!, line);
  }

  /** Rows without a title are read too, so that an excerpt shows its numbers; it stays doubtful. */
  private row(label: string, value: string, line: number): void {
    const latency = LATENCY.exec(label);
    const field = FIELDS.get(label);
    if (this.block && isSglangRow(label)) this.block.dialect = 'sglang';
    if (!latency && field === undefined) return;
    if (!this.block && isLimit(field)) return this.announce(field, value, line);
    const block = this.block ?? this.begin(newBlock());
    if (latency) this.latency(block, METRICS[latency[2]!]!, statName(latency[1]!), value, line);
    else this.field(block, field!, label, value, line);
  }

  /** Stands before the title; what is no number is no limit. */
  private announce(field: LimitField, text: string, line: number): void {
    const value = field === 'configuredRate' && text === 'inf' ? Infinity : parseDecimal(text);
    if (value !== undefined) this.announced[field] = { value, line };
  }

  private latency(block: Block, metric: LatencyMetric, stat: string | undefined, text: string, line: number): void {
    block.emptySection = undefined;
    if (stat === undefined) return;
    const value = readNumber(block, `${stat} ${metric}`, text, line);
    if (value === undefined) return;
    const earlier = block.run.latencies.find((latency) => latency.metric === metric && latency.stat === stat);
    if (!earlier) block.run.latencies.push({ metric, stat, value, line });
    else if (earlier.value !== value) report(block, contradiction(`${stat} ${metric}`, line));
  }

  private field(block: Block, field: RowField, label: string, text: string, line: number): void {
    if (isLimit(field) && UNLIMITED.has(text.toLowerCase())) {
      if (field === 'configuredRate' && text !== 'trace') block.run.configuredRate = { value: Infinity, line };
      return;
    }
    const value = readNumber(block, label, text, line);
    if (value === undefined) return;
    const earlier: Located | undefined = block.run[field];
    if (!earlier) block.run[field] = { value, line };
    else if (earlier.value !== value) report(block, contradiction(label, line));
  }

  private reportEmptySection(block: Block): void {
    const { emptySection } = block;
    if (emptySection) report(block, { code: 'load.empty-section', message: `The section "${emptySection.name}" has no rows.`, line: emptySection.line });
  }

  runs(collector: ResultCollector): LoadRun[] {
    for (const block of this.blocks) {
      this.reportEmptySection(block);
      for (const { code, message, line } of block.problems) collector.doubt(code, message, line);
      judgeWhole(block, collector);
      if (block.titleLine !== undefined) expectDialect(block.dialect, this.dialect, collector, block.titleLine);
    }
    return this.blocks.map(({ run, announced }) => ({ ...announced, ...run }));
  }
}

function report({ problems }: Block, problem: Problem): void {
  if (problems.length < MAX_PROBLEMS) problems.push(problem);
}

const contradiction = (label: string, line: number): Problem => ({ code: 'load.contradiction', message: `The row "${label}" stands twice with different values.`, line });

/** `nan` is what the tools print for the mean of nothing: no value. Anything else that is no number makes the block doubtful. */
function readNumber(block: Block, label: string, text: string, line: number): number | undefined {
  if (/^-?nan$/i.test(text)) return undefined;
  const value = parseDecimal(text);
  if (value === undefined) report(block, { code: 'load.unreadable', message: `The row "${label}" holds no number: ${text.slice(0, 40)}`, line });
  return value;
}

function judgeWhole({ titleLine, hasEnd }: Block, collector: ResultCollector): void {
  if (titleLine === undefined) collector.doubt('load.excerpt', 'The rows have no title line, so this is only a part of a result.');
  else if (!hasEnd) collector.doubt('load.cut', 'The result block has no end line, so it was cut.', titleLine);
}
