import type { NcclLogLine } from '../nccl/log-line';

const NVLS_CHANNELS = /(\d+) nvls channels/;
/** Threads remembered; a larger job's further threads count as an unknown communicator. */
const MOST_THREADS = 20_000;

/**
 * `16 coll channels, 0 collnet channels, 16 nvls channels, …` (NCCL src/init.cc; without collnet in 2.18) names no communicator.
 * A small communicator beside the one of all ranks rightly has none, so the number belongs to the largest one of its thread.
 */
export class NvlsChannels {
  private readonly ranksOfThread = new Map<string, number>();
  private best: { ranks: number; value: number; line: number } | undefined;

  communicator(thread: string, ranks: string | undefined): void {
    if (ranks !== undefined && (this.ranksOfThread.has(thread) || this.ranksOfThread.size < MOST_THREADS)) this.ranksOfThread.set(thread, Number(ranks));
  }

  channels({ text, thread }: NcclLogLine, line: number): void {
    const found = NVLS_CHANNELS.exec(text)?.[1];
    if (found === undefined) return;
    const [ranks, value] = [this.ranksOfThread.get(thread) ?? 0, Number(found)];
    // Ranks of one communicator may differ; the smallest number is the one that limits.
    if (!this.best || ranks > this.best.ranks || (ranks === this.best.ranks && value < this.best.value)) this.best = { ranks, value, line };
  }

  get fewest(): { value: number; line: number } | undefined {
    return this.best;
  }
}
