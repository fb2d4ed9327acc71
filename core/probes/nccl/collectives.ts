/** Bus bandwidth over algorithm bandwidth, by number of ranks (nccl-tests doc/PERFORMANCE.md and GetBw in src). */
const FACTORS: Readonly<Record<string, (ranks: number) => number>> = {
  all_reduce: (n) => (2 * (n - 1)) / n,
  all_gather: (n) => (n - 1) / n,
  reduce_scatter: (n) => (n - 1) / n,
  alltoall: (n) => (n - 1) / n,
  alltoallv: (n) => (n - 1) / n,
  gather: (n) => (n - 1) / n,
  scatter: (n) => (n - 1) / n,
  broadcast: () => 1,
  reduce: () => 1,
  sendrecv: () => 1,
  hypercube: () => 1,
};

export const COLLECTIVES = Object.keys(FACTORS);

export function busBandwidthFactor(collective: string, ranks: number): number | undefined {
  return FACTORS[collective]?.(ranks);
}

/** `all_reduce_perf`, `/opt/nccl-tests/build/all_reduce_perf_mpi` → `all_reduce`. */
export function collectiveOf(program: string): string | undefined {
  const name = /(?:^|[\s/"'])([a-z_]+)_perf\w*/.exec(program)?.[1];
  return name !== undefined && name in FACTORS ? name : undefined;
}
