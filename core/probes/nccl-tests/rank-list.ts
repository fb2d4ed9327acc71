interface Rank {
  host: string;
  /** Bus id as printed; empty in formats that print none. */
  device: string;
}

/** The `# Using devices` list (nccl-tests src/common.cu, v1.0 to v2.19). */
const RANK = /^#?\s*Rank\s+(\d+)(?:\s+Group\s+\d+)?(?:\s+Pid\s+\d+)?\s+on\s+(\S+)\s+device\s+\d+\s+\[([^\]]*)\]/;

export class RankList {
  private readonly ranks = new Map<number, Rank>();
  private isElided = false;

  /** True when the line belongs to the list. */
  line(text: string): boolean {
    const match = RANK.exec(text);
    if (match) {
      this.ranks.set(Number(match[1]), { host: match[2]!, device: match[3]! });
      return true;
    }
    // A list that was too long for its buffer, or that someone shortened.
    if (this.ranks.size > 0 && /^#?\s*(\.\.\.|…|\[\.\.\.\])/.test(text)) this.isElided = true;
    return false;
  }

  get isEmpty(): boolean {
    return this.ranks.size === 0;
  }

  /** The number of ranks; undefined when the list has gaps, so that it is not the whole list. */
  get count(): number | undefined {
    const size = this.ranks.size;
    if (size === 0 || this.isElided) return undefined;
    return [...this.ranks.keys()].every((rank) => rank < size) ? size : undefined;
  }

  get nodes(): number | undefined {
    return this.count === undefined ? undefined : new Set([...this.ranks.values()].map(({ host }) => host)).size;
  }

  /** Two ranks on one GPU of one host. Formats that print 0x00 for every GPU say nothing. */
  get sharedGpu(): string | undefined {
    const seen = new Set<string>();
    for (const { host, device } of this.ranks.values()) {
      if (/^(0x0+)?$/.test(device)) return undefined;
      const key = `${host} ${device}`;
      if (seen.has(key)) return key;
      seen.add(key);
    }
    return undefined;
  }
}
