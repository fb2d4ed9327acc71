interface Rank {
  host: string;
  group: string;
  device: string;
  /** Bus id as printed: `0000:04:00`, or in older versions only the bus, `0x04`. */
  busId: string;
}

/** One line of the `# Using devices` list (nccl-tests src/common.cu, v1.0 to v2.19), behind any launcher's prefix. */
const RANK = /\bRank\s+(\d+)(?:\s+Group\s+(\d+))?(?:\s+Pid\s+\d+)?\s+on\s+(\S+)\s+device\s+(\d+)\s+\[([^\]]*)\]/;
const ELISION = /^[#\s]*(?:\.\.\.|…|\[\.\.\.)/;

/** True for a line of the list: it begins a test where the lines before it were left out. */
export const isRankLine = (text: string): boolean => RANK.test(text);

/** The number of ranks and nodes of a test, known only when the list is whole. */
export class RankList {
  private readonly ranks = new Map<number, Rank>();
  private isElided = false;
  /** The last line was a rank: more may have been cut off behind it. */
  private isOpen = false;
  private declared: { ranks: number; nodes?: number } | undefined;
  /** The first rank that was listed twice: several copies of the test ran at once. */
  repeatedRank: number | undefined;

  /** True when the line belongs to the list. Every line of the output must pass here. */
  line(text: string): boolean {
    const match = RANK.exec(text);
    if (!match) {
      // A list that was too long for its buffer, or that someone shortened.
      if (this.isOpen && ELISION.test(text)) this.isElided = true;
      this.isOpen = false;
      return false;
    }
    const [, number, group = '0', host, device, busId] = match as unknown as [string, string, string | undefined, string, string, string];
    const rank = Number(number);
    if (this.ranks.has(rank)) this.repeatedRank ??= rank;
    this.ranks.set(rank, { host, group, device, busId });
    this.isOpen = true;
    return true;
  }

  /** A number that the tool's own record states, where it has no list. */
  declare(ranks: number, nodes?: number): void {
    this.declared = { ranks, ...(nodes === undefined ? {} : { nodes }) };
  }

  get isEmpty(): boolean {
    return this.ranks.size === 0 && this.declared === undefined;
  }

  /** Ranks run in `perProcess` at a time (threads × GPUs), so a whole list has a multiple of that. */
  count(perProcess = 1): number | undefined {
    if (this.declared) return this.declared.ranks;
    const size = this.ranks.size;
    if (size === 0 || this.isElided || this.isOpen || this.repeatedRank !== undefined || size % perProcess !== 0) return undefined;
    return [...this.ranks.keys()].every((rank) => rank < size) ? size : undefined;
  }

  nodes(perProcess = 1): number | undefined {
    if (this.declared) return this.declared.nodes;
    return this.count(perProcess) === undefined ? undefined : new Set([...this.ranks.values()].map(({ host }) => host)).size;
  }

  /** NCCL_TESTS_SPLIT makes several communicators; each then has its own bandwidth. */
  get groups(): number {
    return Math.max(1, new Set([...this.ranks.values()].map(({ group }) => group)).size);
  }

  /** Two ranks on one GPU of one host. A bus number alone proves nothing: GPUs of different PCI domains can share it. */
  get sharedGpu(): string | undefined {
    const seen = new Set<string>();
    for (const { host, busId } of this.ranks.values()) {
      if (!busId.includes(':')) continue;
      const key = `${host} ${busId}`;
      if (seen.has(key)) return key;
      seen.add(key);
    }
    return undefined;
  }
}
