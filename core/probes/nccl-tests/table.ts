import { busBandwidthFactor } from '../nccl/collectives';
import { parseDecimal, parseInteger } from '../text/numbers';
import type { ResultCollector } from '../text/result-collector';
import { bandwidthProblem, FactorRange } from './consistency';
import { RankList } from './rank-list';
import type { Row, RowHalf } from './row';

/** One test of a file: rank list, rows, footer. Judged when it ends, because several tests can stand behind each other. */
export class TestTable {
  readonly ranks = new RankList();
  private readonly factors = new FactorRange();
  private rowCount = 0;
  private wrongValues = 0;
  private busBandwidthSum = 0;
  private busBandwidthCells = 0;
  private outOfBounds: { count: number; ok: boolean; line: number } | undefined;
  private average: { value: number; line: number } | undefined;
  private halfRow: number | undefined;
  /** `#wrong` holds counts; the `error` of older versions holds deviations, which are no counts. */
  checkColumn: 'wrong' | 'error' | undefined;
  hasOldUnits = false;

  constructor(
    private readonly collector: ResultCollector,
    readonly collective: string | undefined,
  ) {}

  get hasRows(): boolean {
    return this.rowCount > 0;
  }

  get isEnded(): boolean {
    return this.average !== undefined;
  }

  row(row: Row, line: number): void {
    this.rowCount++;
    for (const place of ['out', 'in'] as const) this.half(row, row[place], place, line);
  }

  cutRow(line: number): void {
    this.halfRow = line;
  }

  private half(row: Row, half: RowHalf, place: 'out' | 'in', line: number): void {
    const { collector } = this;
    const labels = { ...(this.collective === undefined ? {} : { collective: this.collective }), sizeBytes: String(row.sizeBytes), place };
    const { timeUs, algBandwidth, busBandwidth, check } = half;
    if (timeUs) collector.measure({ metric: 'nccl.time', value: timeUs.value, unit: 'us', labels, line });
    if (algBandwidth) collector.measure({ metric: 'nccl.algbw', value: algBandwidth.value, unit: 'GB/s', labels, line });
    if (busBandwidth) {
      collector.measure({ metric: 'nccl.busbw', value: busBandwidth.value, unit: 'GB/s', labels, line });
      this.busBandwidthSum += busBandwidth.value;
      this.busBandwidthCells++;
    }
    this.checkValue(check, labels, line);
    // Versions with an `error` column counted the bytes of gathering collectives in another way.
    if (this.checkColumn === 'error') return;
    const problem = bandwidthProblem(row, half);
    if (problem) collector.doubt('nccl.inconsistent-row', problem, line);
    if (!this.factors.add(half)) collector.doubt('nccl.inconsistent-row', `The bus bandwidth of ${row.sizeBytes} bytes does not fit the other rows: one table has one factor.`, line);
  }

  private checkValue(check: string, labels: Record<string, string>, line: number): void {
    if (this.checkColumn === 'error') return;
    const wrong = parseDecimal(check);
    if (wrong === undefined || wrong < 0 || !Number.isInteger(wrong)) return;
    this.collector.measure({ metric: 'nccl.wrong', value: wrong, labels, line });
    if (wrong > 0) {
      this.wrongValues += wrong;
      this.collector.fault('nccl.wrong-data', `${wrong} values of ${labels['sizeBytes']} bytes (${labels['place']} of place) are wrong: the collective gives wrong results.`, line);
    }
  }

  /** True when the line is part of the footer. */
  footer(text: string, line: number): boolean {
    const bounds = /^#?\s*Out of bounds values\s*:\s*(\d+)\s+(\w+)/.exec(text);
    if (bounds) {
      this.outOfBounds = { count: parseInteger(bounds[1]!) ?? Number.NaN, ok: bounds[2] === 'OK', line };
      return true;
    }
    const average = /^#?\s*Avg bus bandwidth\s*:\s*(\S+)(?:\s+(OK|FAILED))?\s*$/.exec(text);
    const value = average && parseDecimal(average[1]!);
    if (value === undefined || value === null) return false;
    this.average = { value, line };
    this.collector.measure({ metric: 'nccl.avg_busbw', value, unit: 'GB/s', line });
    if (average![2] === 'FAILED') this.collector.remark('warning', 'nccl.below-minimum', 'The average is below the NCCL_TESTS_MIN_BW that was set for the test.', line);
    return true;
  }

  end(): void {
    const { collector, ranks } = this;
    const { count, nodes, sharedGpu } = ranks;
    const knownRanks = this.ranksThatFit(count);
    if (knownRanks !== undefined) {
      collector.measure({ metric: 'nccl.ranks', value: knownRanks });
      if (nodes !== undefined) collector.measure({ metric: 'nccl.nodes', value: nodes });
      if (knownRanks === 1) collector.doubt('nccl.one-rank', 'The test ran with one rank, so nothing went between GPUs.');
    }
    if (sharedGpu !== undefined) collector.doubt('nccl.shared-gpu', `Two ranks ran on the same GPU (${sharedGpu}).`);
    if (this.hasOldUnits) collector.doubt('nccl.old-format', 'This is the output of nccl-tests before version 2, which is not read.');
    this.judgeFooter();
  }

  /** The list counts only when the rows' factor fits it; a shortened list must not become a number of ranks. */
  private ranksThatFit(count: number | undefined): number | undefined {
    if (count === undefined || this.collective === undefined || !this.hasRows || this.checkColumn === 'error') return count;
    const factor = busBandwidthFactor(this.collective, count);
    if (factor === undefined || this.factors.includes(factor)) return count;
    this.collector.doubt('nccl.ranks-do-not-fit', `The rank list has ${count} ranks, but bus bandwidth over algorithm bandwidth is that of another number.`);
    return undefined;
  }

  private judgeFooter(): void {
    const { collector, outOfBounds, average } = this;
    if (outOfBounds && (!outOfBounds.ok || outOfBounds.count > 0)) {
      collector.fault('nccl.out-of-bounds', `${outOfBounds.count} checks found wrong values: the collective gives wrong results.`, outOfBounds.line);
    } else if (this.wrongValues > 0 && outOfBounds) {
      collector.doubt('nccl.contradiction', 'Rows hold wrong values, but the footer says that all is well.', outOfBounds.line);
    }
    if (this.halfRow !== undefined) collector.doubt('nccl.cut-row', 'A row is only half there.', this.halfRow);
    if (!this.hasRows) collector.doubt('nccl.no-rows', this.ranks.isEmpty ? 'There is no row of results.' : 'The test was initialised, but there is no row of results: it hung or was cut.');
    else if (!average || !outOfBounds) collector.doubt('nccl.no-footer', 'The footer is missing, so the test may not have come to its end.');
    else this.checkAverage(average);
  }

  /** The footer's average is the plain mean of all bus bandwidth cells (writeResultFooter). */
  private checkAverage({ value, line }: { value: number; line: number }): void {
    if (this.busBandwidthCells === 0) return;
    const mean = this.busBandwidthSum / this.busBandwidthCells;
    if (Math.abs(mean - value) <= 0.01 + 0.001 * Math.abs(value)) return;
    this.collector.doubt('nccl.average-does-not-fit', `The average is given as ${value} GB/s, but the rows have ${mean.toFixed(4)} GB/s: rows are missing or were changed.`, line);
  }
}
