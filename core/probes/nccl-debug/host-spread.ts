const RANK = /\brank (\d+) nranks (\d+)/i;
/** Sizes of communicators and ranks of one size that are remembered. */
const MOST_SIZES = 64;
const MOST_RANKS = 20_000;

interface Communicators {
  hostOfRank: Map<string, string>;
  hosts: Set<string>;
  /** The same rank on two hosts: these are separate communicators of the same size. */
  areSeveral: boolean;
}

/** Whether a communicator goes over several hosts, also where the version does not say how many nodes it has (before 2.19). */
export class HostSpread {
  private readonly bySize = new Map<string, Communicators>();

  line(text: string, host: string): void {
    const [, rank, size] = RANK.exec(text) ?? [];
    if (rank === undefined || size === undefined || host === '') return;
    let seen = this.bySize.get(size);
    if (!seen) {
      if (this.bySize.size >= MOST_SIZES) return;
      this.bySize.set(size, (seen = { hostOfRank: new Map(), hosts: new Set(), areSeveral: false }));
    }
    const known = seen.hostOfRank.get(rank);
    if (known !== undefined && known !== host) seen.areSeveral = true;
    if (known !== undefined || seen.hostOfRank.size >= MOST_RANKS) return;
    seen.hostOfRank.set(rank, host);
    seen.hosts.add(host);
  }

  get isOverHosts(): boolean {
    return [...this.bySize.values()].some(({ hosts, areSeveral }) => hosts.size > 1 && !areSeveral);
  }
}
