import type { Row, RowHalf } from './row';

/** Slack beyond the rounding of the printed cells: the program computes in double precision and prints once. */
const RELATIVE_SLACK = 1e-5;

/**
 * Undefined when size over time is the printed algorithm bandwidth (GB/s, decimal) within rounding; otherwise one sentence.
 * `leastShare`: the smallest part of the size that the version counts. Before v2.1 gathering collectives left the rank's own
 * share out, so their bandwidth lies between half the quotient (2 ranks) and the whole.
 */
export function bandwidthProblem(row: Row, half: RowHalf, leastShare: number): string | undefined {
  const { timeUs, algBandwidth } = half;
  if (!timeUs || !algBandwidth || row.sizeBytes === 0 || timeUs.value <= timeUs.error) return undefined;
  const low = (leastShare * row.sizeBytes) / (timeUs.value + timeUs.error) / 1e3;
  const high = row.sizeBytes / (timeUs.value - timeUs.error) / 1e3;
  const slack = algBandwidth.error + RELATIVE_SLACK * algBandwidth.value;
  if (algBandwidth.value >= low - slack && algBandwidth.value <= high + slack) return undefined;
  return `The row of ${row.sizeBytes} bytes does not agree with itself: ${row.sizeBytes} bytes in ${timeUs.value} us are not ${algBandwidth.value} GB/s.`;
}

/** What all rows together say of bus bandwidth over algorithm bandwidth. One table has one factor. */
export class FactorRange {
  low = 0;
  high = Number.POSITIVE_INFINITY;

  /** False when this half contradicts the halves before it. */
  add({ algBandwidth, busBandwidth }: RowHalf): boolean {
    if (!algBandwidth || !busBandwidth || algBandwidth.value <= 2 * algBandwidth.error) return true;
    const low = ((busBandwidth.value - busBandwidth.error) / (algBandwidth.value + algBandwidth.error)) * (1 - RELATIVE_SLACK);
    const high = ((busBandwidth.value + busBandwidth.error) / (algBandwidth.value - algBandwidth.error)) * (1 + RELATIVE_SLACK);
    if (low > this.high || high < this.low) return false;
    this.low = Math.max(this.low, low);
    this.high = Math.min(this.high, high);
    return true;
  }
}
