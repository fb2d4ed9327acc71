/** Where the ranks stood when PyTorch's watchdog ended a collective (ProcessGroupNCCL.cpp, 1.13 and newer). */

/** `[rankN]` in front is the rank in the job, `Rank N` behind it the rank in its process group. */
const TIMEOUT = /(?:\[rank(\d+)\]:.*)?\[(?:PG [^\]]*)?Rank (\d+)\] Watchdog caught collective operation timeout: WorkNCCL\(SeqNum=(\d+), OpType=(\w+)/;
/**
 * The line behind it names the group: `[PG ID 2 PG GUID 3(tp) Rank 1] Exception … detected by watchdog at work: 808, last enqueued …`,
 * since 2.7 `… failure detected by watchdog at work sequence id: 808 PG status: last enqueued …`.
 */
const GROUP = /(?:\[rank(\d+)\]:.*)?\[PG (?:ID )?(\d+)[^\]]*? Rank (\d+)\].* work(?: sequence id)?: (\d+)(?:,| PG status:) last enqueued/;
const MOST_RANKS = 20_000;
const MOST_SENTENCES = 4;

interface Waiting {
  rank: number;
  sequence: number;
  operation: string;
  /** Absent where the version does not name it. */
  group?: string;
}

export class Watchdog {
  /** By rank and sequence: a rank can wait in several groups at once. */
  private readonly waiting = new Map<string, Waiting>();

  line(text: string): void {
    if (!text.includes(' work: ') && !text.includes('atchdog caught')) return;
    const [, jobRank, groupRank, sequence, operation] = TIMEOUT.exec(text) ?? [];
    if (groupRank !== undefined && sequence !== undefined && operation !== undefined) {
      const rank = jobRank ?? groupRank;
      const key = `${rank} ${sequence}`;
      if (!this.waiting.has(key) && this.waiting.size < MOST_RANKS) this.waiting.set(key, { rank: Number(rank), sequence: Number(sequence), operation });
      return;
    }
    const [, ownRank, group, rankInGroup, work] = GROUP.exec(text) ?? [];
    const waiting = this.waiting.get(`${ownRank ?? rankInGroup} ${work}`);
    if (waiting && group !== undefined) waiting.group ??= group;
  }

  /** Who holds the others up; undefined without a timeout. Each process group counts its operations for itself. */
  get suspicion(): string | undefined {
    const groups = new Map<string | undefined, Map<number, Waiting>>();
    for (const waiting of this.waiting.values()) {
      const ranks = groups.get(waiting.group) ?? new Map<number, Waiting>();
      groups.set(waiting.group, ranks);
      if (waiting.sequence < (ranks.get(waiting.rank)?.sequence ?? Infinity)) ranks.set(waiting.rank, waiting);
    }
    const sentences = [...groups.values()].slice(0, MOST_SENTENCES).map((ranks) => sentenceOn([...ranks.values()], groups.size > 1));
    return sentences.length === 0 ? undefined : sentences.join(' ');
  }
}

function sentenceOn(waiting: Waiting[], isOneOfSeveral: boolean): string {
  const ranks = waiting.sort((a, b) => a.sequence - b.sequence || a.rank - b.rank);
  const [first, last] = [ranks[0]!, ranks.at(-1)!];
  const where = isOneOfSeveral && first.group !== undefined ? `In process group ${first.group}: ` : '';
  if (first.sequence < last.sequence) {
    const behind = ranks.filter(({ sequence }) => sequence === first.sequence).map(({ rank }) => rank);
    return `${where}Rank ${behind.slice(0, 8).join(', ')} is behind: it waits in ${first.operation} number ${first.sequence}, others in number ${last.sequence}. Look at that rank first.`;
  }
  const named = ranks.map(({ rank }) => rank);
  return `${where}Rank ${named.slice(0, 8).join(', ')}${named.length > 8 ? ', …' : ''} waited in ${first.operation} number ${first.sequence}; a rank that reports no timeout may be the one that never came.`;
}
