import { bytesOfType, factorFits, possibleCollectives, ranksFromFactor } from '../nccl/collectives';
import { parseDecimal } from '../text/numbers';
import type { ResultCollector } from '../text/result-collector';
import { bandwidthProblem, FactorRange } from './consistency';
import { type Average, type OutOfBounds, readAverage, readOutOfBounds } from './footer';
import { RankList } from './rank-list';
import type { Row, RowHalf, RowLayout } from './row';
import { sweepLength, type TestParameters } from './sweep';

/** How the last cell of a half is named: a count of wrong values, or in older versions the largest deviation. */
export type CheckColumn = 'wrong' | 'error';

/** One test of a file: parameters, rank list, rows, footer. Judged when it ends, because several tests can stand behind each other. */
export class TestTable {
  readonly ranks = new RankList();
  parameters: TestParameters = {};
  layout: RowLayout | undefined;
  checkColumn: CheckColumn | undefined;
  /** Versions that name the test at its start (v2.16.7 and newer) also say when it has concluded. */
  announcesEnd = false;
  isConcluded = false;
  hasDeviceHeading = false;
  /** The size in a row that was begun and never finished. */
  unfinishedRow: { line: number; sizeBytes: string } | undefined;
  private readonly factors = new FactorRange();
  private rowCount = 0;
  private checkedHalves = 0;
  private wrongHalves = 0;
  private busBandwidth = { sum: 0, error: 0, cells: 0 };
  private firstRow: Row | undefined;
  private bufferShares: number | undefined;
  private outOfBounds: OutOfBounds | undefined;
  private average: Average | undefined;
  private averageMayBeCut = false;

  constructor(
    private readonly collector: ResultCollector,
    public collective: string | undefined,
  ) {}

  get hasRows(): boolean {
    return this.rowCount > 0;
  }

  /** Something of a test has been seen, so the next start line begins another one. */
  get hasBegun(): boolean {
    return this.hasRows || !this.ranks.isEmpty || this.parameters.minBytes !== undefined || this.announcesEnd || this.hasDeviceHeading;
  }

  get isEnded(): boolean {
    return this.average !== undefined;
  }

  row(row: Row, line: number): void {
    this.rowCount++;
    this.firstRow ??= row;
    this.countShares(row);
    for (const place of ['out', 'in'] as const) this.half(row, row[place], place, line);
  }

  private half(row: Row, half: RowHalf, place: 'out' | 'in', line: number): void {
    const { collector } = this;
    const labels = this.labelsOf(row, place);
    const { timeUs, algBandwidth, busBandwidth, check } = half;
    if (timeUs) collector.measure({ metric: 'nccl.time', value: timeUs.value, unit: 'us', labels, line });
    if (algBandwidth) collector.measure({ metric: 'nccl.algbw', value: algBandwidth.value, unit: 'GB/s', labels, line });
    if (busBandwidth) {
      collector.measure({ metric: 'nccl.busbw', value: busBandwidth.value, unit: 'GB/s', labels, line });
      const { sum, error, cells } = this.busBandwidth;
      this.busBandwidth = { sum: sum + busBandwidth.value, error: error + busBandwidth.error, cells: cells + 1 };
    }
    this.checkValue(row, check, labels, line);
    this.checkArithmetic(row, half, line);
  }

  /** Type and reduction too: one test can go through all of them (-d all, -o all), and each has its own bandwidth. */
  private labelsOf({ sizeBytes, type, redop }: Row, place: 'out' | 'in'): Record<string, string> {
    return { ...(this.collective === undefined ? {} : { collective: this.collective }), ...(type === '' ? {} : { type }), ...(redop === undefined ? {} : { redop }), sizeBytes: String(sizeBytes), place };
  }

  private checkValue(row: Row, check: string, labels: Record<string, string>, line: number): void {
    const isMarked = check.endsWith('*');
    const value = parseDecimal(isMarked ? check.slice(0, -1) : check);
    if (value === undefined) return;
    this.checkedHalves++;
    if (isMarked) this.wrongData('nccl.wrong-data', `The deviation of ${row.sizeBytes} bytes (${placeWords(labels)}), ${value}, is over the test's own bound`, line);
    if (!this.isCount(row, check)) return;
    if (value < 0 || !Number.isInteger(value)) {
      this.collector.doubt('nccl.inconsistent-row', `The count of wrong values of ${row.sizeBytes} bytes is ${check}, which is no count.`, line);
      return;
    }
    this.collector.measure({ metric: 'nccl.wrong', value, labels, line });
    if (value === 0) return;
    this.wrongHalves++;
    this.wrongData('nccl.wrong-data', `${value} values of ${row.sizeBytes} bytes (${placeWords(labels)}) are wrong`, line);
  }

  /** hypercube_perf reports wrong values on sound machines when one process drives several GPUs, so there they prove nothing. */
  private wrongData(code: string, what: string, line: number): void {
    if (this.collective === 'hypercube') this.collector.doubt(code, `${what}, but hypercube reports that on sound machines too: use another collective.`, line);
    else this.collector.fault(code, `${what}: the collective gives wrong results.`, line);
  }

  /** Without a header, `2e-07` in a row of the old layout is a deviation. */
  private isCount(row: Row, check: string): boolean {
    if (this.checkColumn !== undefined) return this.checkColumn === 'wrong';
    return row.isFullLayout || !/^\de[-+]\d\d$/.test(check);
  }

  private checkArithmetic(row: Row, half: RowHalf, line: number): void {
    if (this.collective === 'hypercube') return;
    const problem = bandwidthProblem(row, half, this.checkColumn === 'error' ? 0.5 : 1);
    if (problem) this.collector.doubt('nccl.inconsistent-row', problem, line);
    if (this.factors.add(half)) return;
    this.collector.doubt('nccl.inconsistent-row', `The bus bandwidth of ${row.sizeBytes} bytes does not fit the other rows: one table has one factor.`, line);
  }

  /** The size column holds all ranks' shares or one buffer; with shares it tells the number of ranks. */
  private countShares({ sizeBytes, count, type }: Row): void {
    const bytes = bytesOfType(type);
    if (bytes === undefined || sizeBytes === 0 || count === 0) return;
    const shares = sizeBytes / (count * bytes);
    this.bufferShares = this.bufferShares === undefined || this.bufferShares === shares ? shares : Number.NaN;
  }

  /** Every line passes here; true when it is part of the list of ranks or of the footer. */
  line(text: string, line: number): boolean {
    if (this.averageMayBeCut) this.commitAverage();
    return this.ranks.line(text) || this.footer(text, line);
  }

  private footer(text: string, line: number): boolean {
    const outOfBounds = readOutOfBounds(text, line);
    if (outOfBounds) {
      if (this.outOfBounds) this.copies(line);
      this.outOfBounds = outOfBounds;
      return true;
    }
    const read = readAverage(text, line);
    if (!read) return false;
    if (this.average) this.copies(line);
    this.average = read.average;
    this.averageMayBeCut = !read.isWhole;
    if (read.isWhole) this.commitAverage();
    return true;
  }

  private commitAverage(): void {
    this.averageMayBeCut = false;
    if (!this.average) return;
    const { value, line, isBelowMinimum } = this.average;
    this.collector.measure({ metric: 'nccl.avg_busbw', value, unit: 'GB/s', line });
    if (isBelowMinimum) this.collector.remark('warning', 'nccl.below-minimum', 'The average is below the NCCL_TESTS_MIN_BW that was set for the test.', line);
  }

  private copies(line: number): void {
    this.collector.doubt('nccl.copies', COPIES, line);
  }

  /** `isLastLineWhole`: a line break or the exit code says that nothing is missing at its end. */
  end(isLastLineWhole: boolean): void {
    if (this.averageMayBeCut && isLastLineWhole) this.commitAverage();
    this.judgeRanks();
    this.judgeRows();
    this.judgeFooter();
  }

  private judgeRanks(): void {
    const { collector, ranks } = this;
    const perProcess = (this.parameters.threads ?? 1) * (this.parameters.gpus ?? 1);
    const count = this.ranksThatFit(ranks.count(perProcess));
    if (ranks.repeatedRank !== undefined) collector.doubt('nccl.copies', COPIES);
    if (ranks.sharedGpu !== undefined) collector.doubt('nccl.shared-gpu', `Two ranks ran on the same GPU (${ranks.sharedGpu}): this is no result of that many GPUs.`);
    if (count === 1 || (count === undefined && this.factors.high < LEAST_FACTOR)) {
      collector.doubt('nccl.one-rank', 'The test ran with one rank, so nothing went between GPUs and its bus bandwidth of 0 says nothing.');
    }
    if (count === undefined) return;
    collector.measure({ metric: 'nccl.ranks', value: count });
    const nodes = ranks.nodes(perProcess);
    if (nodes !== undefined) collector.measure({ metric: 'nccl.nodes', value: nodes });
  }

  /** A shortened list must not become a number of ranks: the rows have to fit it. */
  private ranksThatFit(count: number | undefined): number | undefined {
    const perGroup = count === undefined ? undefined : count / this.ranks.groups;
    const names = this.candidates(count);
    const isOld = this.checkColumn === 'error';
    const fits = (ranks: number | undefined): boolean =>
      (isOld && this.factors.low <= 1 && this.factors.high >= 1) || names.some((name) => factorFits(name, ranks, this.factors.low, this.factors.high));
    if (!this.hasRows || (fits(perGroup) && this.sharesFit(perGroup))) {
      if (this.hasRows && count === undefined) this.noteImpliedRanks(names);
      return count;
    }
    if (fits(undefined) && count !== undefined) this.collector.doubt('nccl.ranks-do-not-fit', `The rank list has ${count} ranks, but bus bandwidth over algorithm bandwidth is that of another number.`);
    else this.collector.doubt('nccl.inconsistent-rows', 'Bus bandwidth over algorithm bandwidth is a ratio that this collective never has.');
    return undefined;
  }

  private candidates(ranks: number | undefined): string[] {
    if (this.collective !== undefined || !this.firstRow) return [this.collective ?? ''];
    const shares = this.bufferShares;
    // The one share of one rank is the whole buffer.
    const isUnknown = shares === undefined || Number.isNaN(shares) || (shares === 1 && ranks === 1);
    return possibleCollectives(this.firstRow, isUnknown ? undefined : shares > 1 ? 'shares' : 'whole');
  }

  private sharesFit(ranks: number | undefined): boolean {
    const shares = this.bufferShares;
    return ranks === undefined || shares === undefined || Number.isNaN(shares) || shares <= 1 || shares === ranks;
  }

  /** What the rows say of the number of ranks where there is no list: no measurement, for the tool did not give it. */
  private noteImpliedRanks(names: readonly string[]): void {
    const byShares = this.bufferShares !== undefined && this.bufferShares > 1 ? this.bufferShares : undefined;
    const implied = byShares ?? (names.length === 1 ? ranksFromFactor(names[0]!, this.factors.low, this.factors.high) : undefined);
    if (implied !== undefined) this.collector.context['impliedRanks'] = implied;
  }

  private judgeRows(): void {
    const { collector } = this;
    if (this.unfinishedRow) collector.doubt('nccl.cut-row', `The row of ${this.unfinishedRow.sizeBytes} bytes is only half there: the test hung, crashed or was cut at this size.`, this.unfinishedRow.line);
    if (!this.hasRows) return collector.doubt('nccl.no-rows', this.stuckWhere());
    if (this.checkedHalves === 0) collector.remark('warning', 'nccl.not-checked', 'The received data was not checked (the check cells are N/A), so nothing is known of its correctness.');
    return undefined;
  }

  private stuckWhere(): string {
    if (this.layout) return 'There is a table without a row of results: the test hung in its first size, or was cut.';
    if (!this.ranks.isEmpty) return 'The test listed its ranks and then stopped: it hung while NCCL connected them, or was cut.';
    return 'The test was started, but there is no row of results: it hung, failed or was cut before it listed its ranks.';
  }

  private judgeFooter(): void {
    const { collector, outOfBounds, average } = this;
    if (outOfBounds && !outOfBounds.isOk) {
      this.wrongData('nccl.out-of-bounds', `${outOfBounds.count} checks found wrong values (row halves times processes)`, outOfBounds.line);
    } else if (this.wrongHalves > 0 && outOfBounds) {
      collector.doubt('nccl.contradiction', 'Rows hold wrong values, but the footer says that all is well.', outOfBounds.line);
    }
    if (!this.hasRows) return;
    if (!average || !outOfBounds || this.averageMayBeCut) collector.doubt('nccl.no-footer', 'The footer is missing or not whole, so the test may not have come to its end.');
    else {
      this.checkAverage(average);
      this.checkSweep(average.line);
    }
    if (this.announcesEnd && !this.isConcluded) collector.doubt('nccl.no-conclusion', 'This version says when a test has concluded, and that line is missing.');
  }

  /** The footer's average is the plain mean of all bus bandwidth cells (nccl-tests src/util.cu writeResultFooter). */
  private checkAverage({ value, error, line }: Average): void {
    const { sum, error: cellError, cells } = this.busBandwidth;
    if (cells === 0) return;
    const mean = sum / cells;
    if (Math.abs(mean - value) <= cellError / cells + error + 1e-5 * Math.abs(value)) return;
    this.collector.doubt('nccl.average-does-not-fit', `The average is given as ${value} GB/s, but the rows have ${mean.toFixed(4)} GB/s: rows are missing or were changed.`, line);
  }

  /** Repeated cycles, types and reductions go through the whole sweep each, so the rows are a multiple of it. */
  private checkSweep(line: number): void {
    const expected = sweepLength(this.parameters);
    if (expected === undefined || this.rowCount % expected === 0) return;
    this.collector.doubt('nccl.sweep-does-not-fit', `The parameters ask for ${expected} sizes, but there are ${this.rowCount} rows: the sizes that were asked for did not all run, or the text is put together.`, line);
  }
}

/** Two ranks that gather have the smallest ratio of bus bandwidth to algorithm bandwidth; only a single one has a smaller: 0. */
const LEAST_FACTOR = 0.5;

const COPIES = 'Several copies of the test ran side by side instead of one test over all ranks: it was not started as one MPI job.';

const placeWords = (labels: Readonly<Record<string, string>>): string => (labels['place'] === 'in' ? 'in place' : 'out of place');
