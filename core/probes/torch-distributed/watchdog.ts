/** Where the ranks stood when PyTorch's watchdog ended a collective (ProcessGroupNCCL.cpp, 1.13 and newer). */

const TIMEOUT = /\[Rank (\d+)\] Watchdog caught collective operation timeout: WorkNCCL\(SeqNum=(\d+), OpType=(\w+)/;
const LAST_COMPLETED = /Rank (\d+)\] .*last completed NCCL work: (\d+)/;
const MOST_RANKS = 20_000;

export class Watchdog {
  private readonly waiting = new Map<number, { sequence: number; operation: string }>();
  private readonly completed = new Map<number, number>();

  line(text: string): void {
    if (!text.includes('atchdog')) return;
    const timeout = TIMEOUT.exec(text);
    if (timeout && this.waiting.size < MOST_RANKS) this.waiting.set(Number(timeout[1]), { sequence: Number(timeout[2]), operation: timeout[3]! });
    const completed = LAST_COMPLETED.exec(text);
    if (completed && this.completed.size < MOST_RANKS) this.completed.set(Number(completed[1]), Number(completed[2]));
  }

  /** One sentence on who holds the others up; undefined without a timeout. */
  get suspicion(): string | undefined {
    if (this.waiting.size === 0) return undefined;
    const ranks = [...this.waiting].sort(([, a], [, b]) => a.sequence - b.sequence);
    const [first, last] = [ranks[0]![1], ranks.at(-1)![1]];
    if (first.sequence < last.sequence) {
      const behind = ranks.filter(([, { sequence }]) => sequence === first.sequence).map(([rank]) => rank);
      return `Rank ${behind.slice(0, 8).join(', ')} is behind: it waits in ${first.operation} number ${first.sequence}, others in number ${last.sequence}. Look at that rank first.`;
    }
    const named = ranks.map(([rank]) => rank).sort((a, b) => a - b);
    return `Rank ${named.slice(0, 8).join(', ')}${named.length > 8 ? ', …' : ''} waited in ${first.operation} number ${first.sequence}; a rank that reports no timeout may be the one that never came.`;
  }
}
