/**
 * The block `Root Cause (first observed failure):` of torchrun's summary (torch/distributed/elastic/multiprocessing/errors). The
 * block `Failures:` before it lists in the same form the processes that ended later.
 */
const BEGIN = /\bRoot Cause \(first observed failure\):/;
const END = /={20,}/;
const RANK = /\brank\s*:\s*(\d+) \(local_rank: \d+\)/;
const HOST = /\bhost\s*:\s*(\S+)/;

export class RootCause {
  private isInside = false;
  private rank: string | undefined;
  private host: string | undefined;

  /** Every line passes here. The process that ended first when the line tells how it ended; otherwise undefined. */
  line(text: string): string | undefined {
    if (BEGIN.test(text)) {
      this.isInside = true;
      this.rank = this.host = undefined;
    } else if (END.test(text)) this.isInside = false;
    if (!this.isInside) return undefined;
    this.host ??= HOST.exec(text)?.[1];
    this.rank ??= RANK.exec(text)?.[1];
    if (this.rank === undefined || !/\bexitcode\s*:/.test(text)) return undefined;
    return `Rank ${this.rank}${this.host === undefined ? '' : ` on ${this.host}`} ended first`;
  }
}
