/** How the `size` column counts: the whole buffer of one rank, or all ranks' shares together (nccl-tests GetCollByteCount). */
type BufferKind = 'whole' | 'shares';

interface Collective {
  buffer: BufferKind;
  /** Bus bandwidth over algorithm bandwidth, by number of ranks (nccl-tests doc/PERFORMANCE.md and GetBw in src). */
  factor: (ranks: number) => number;
  /** Absent when the factor does not depend on the number of ranks. */
  inverse?: {
    ranksOf: (factor: number) => number;
    /** What the factor comes near to with many ranks. */
    limit: number;
  };
}

const ALL_REDUCE: Collective = { buffer: 'whole', factor: (n) => (2 * (n - 1)) / n, inverse: { ranksOf: (factor) => 2 / (2 - factor), limit: 2 } };
const SHARES: Collective = { buffer: 'shares', factor: (n) => (n - 1) / n, inverse: { ranksOf: (factor) => 1 / (1 - factor), limit: 1 } };
const ONE_TO_ONE: Collective = { buffer: 'whole', factor: () => 1 };

const COLLECTIVES: Readonly<Record<string, Collective>> = {
  all_reduce: ALL_REDUCE,
  all_gather: SHARES,
  reduce_scatter: SHARES,
  alltoall: SHARES,
  alltoallv: SHARES,
  gather: SHARES,
  scatter: SHARES,
  broadcast: ONE_TO_ONE,
  reduce: ONE_TO_ONE,
  sendrecv: ONE_TO_ONE,
  hypercube: { buffer: 'shares', factor: () => 1 },
};

export function busBandwidthFactor(collective: string, ranks: number): number | undefined {
  return Object.hasOwn(COLLECTIVES, collective) ? COLLECTIVES[collective]?.factor(ranks) : undefined;
}

/** `all_reduce_perf`, `/opt/nccl-tests/build/all_reduce_perf_mpi`, `all_reduce` → `all_reduce`. */
export function collectiveOf(program: string): string | undefined {
  const name = /(?:^|[\s/"'=])([a-z_]+?)(?:_perf\w*)?(?=$|[\s"',;])/.exec(program)?.[1];
  return name !== undefined && Object.hasOwn(COLLECTIVES, name) ? name : undefined;
}

/** The collective that a command line starts, anywhere in a line of a launcher's or a shell's output. */
export function collectiveOnCommandLine(text: string): string | undefined {
  const name = /(?:^|[\s/"'=])([a-z_]+)_perf\w*(?=$|[\s"',;])/.exec(text)?.[1];
  return name !== undefined && Object.hasOwn(COLLECTIVES, name) ? name : undefined;
}

/** True when the collective can have a factor between the bounds: with `ranks` ranks, or with any number when that is unknown. */
export function factorFits(collective: string, ranks: number | undefined, low: number, high: number): boolean {
  const known = COLLECTIVES[collective];
  if (!known) return true;
  const within = (factor: number): boolean => factor >= low && factor <= high;
  if (ranks !== undefined || !known.inverse) return within(known.factor(ranks ?? 1));
  if (within(known.factor(1))) return true;
  const { ranksOf, limit } = known.inverse;
  if (high >= limit) return low <= limit;
  return Math.floor(ranksOf(high)) >= Math.max(2, Math.ceil(ranksOf(low)));
}

/** The one number of ranks that has a factor between the bounds; undefined when there are several, or none. */
export function ranksFromFactor(collective: string, low: number, high: number): number | undefined {
  const inverse = COLLECTIVES[collective]?.inverse;
  if (!inverse || low <= 0 || high >= inverse.limit) return undefined;
  const [least, most] = [Math.ceil(inverse.ranksOf(low)), Math.floor(inverse.ranksOf(high))];
  return least === most && least >= 2 ? least : undefined;
}

/** Collectives that a table without a name can be, by its columns and its way of counting bytes. */
export function possibleCollectives({ redop, isRooted }: { redop?: string; isRooted: boolean }, buffer: BufferKind | undefined): string[] {
  const byColumns = redop !== undefined
    ? isRooted
      ? ['reduce']
      : ['all_reduce', 'reduce_scatter', 'sendrecv', 'hypercube']
    : isRooted
      ? ['broadcast', 'scatter', 'gather', 'reduce']
      : ['all_gather', 'alltoall', 'alltoallv', 'sendrecv', 'hypercube', 'gather', 'scatter'];
  return byColumns.filter((name) => buffer === undefined || COLLECTIVES[name]?.buffer === buffer);
}

const TYPE_BYTES: Readonly<Record<string, number>> = {
  char: 1, int8: 1, uint8: 1, f8e4m3: 1, f8e5m2: 1, fp8_e4m3: 1, fp8_e5m2: 1,
  half: 2, bfloat16: 2,
  int: 4, int32: 4, uint32: 4, float: 4,
  int64: 8, uint64: 8, double: 8,
};

/** Words of the `type` column (nccl-tests src/common.cu test_typenames; NCCL 1 tests). */
export const DATA_TYPES = Object.keys(TYPE_BYTES);

export const bytesOfType = (type: string): number | undefined => TYPE_BYTES[type];
