import { type BilledLine, type CostRecord, type Interval, linePeriod } from './record';

export type OverlapReason =
  /** The same thing for the same period. */
  | 'same-line'
  /** The same thing for periods that share some time. */
  | 'shared-time'
  /** One line says that it covers the kind of the other. */
  | 'included';

export interface Overlap {
  reason: OverlapReason;
  /** Index of the line that came first, or that includes the other. */
  first: number;
  second: number;
}

/**
 * Pairs of billed lines that count something twice. Lines of one kind with different descriptions are different things (two
 * nodes, two volumes); lines without any description are the same thing only when their amounts are equal too.
 */
export function findOverlaps(record: CostRecord): Overlap[] {
  const lines = record.components ?? [];
  return lines.flatMap((second, index) =>
    lines.slice(0, index).flatMap((first, earlier) => {
      const reason = overlapOf(first, second, record);
      return reason === undefined ? [] : [{ reason: reason.reason, ...(reason.isReversed ? { first: index, second: earlier } : { first: earlier, second: index }) }];
    }),
  );
}

function overlapOf(first: BilledLine, second: BilledLine, record: CostRecord): { reason: OverlapReason; isReversed?: boolean } | undefined {
  const time = sharedTime(first, second, record);
  if (time === 'none' || first.kind === undefined || second.kind === undefined) return undefined;
  if (first.kind === second.kind) return isSameThing(first, second) ? { reason: time === 'all' ? 'same-line' : 'shared-time' } : undefined;
  if (first.includes?.includes(second.kind)) return { reason: 'included' };
  return second.includes?.includes(first.kind) ? { reason: 'included', isReversed: true } : undefined;
}

function isSameThing(first: BilledLine, second: BilledLine): boolean {
  const [one, other] = [first, second].map(({ description = '' }) => description.trim().toLowerCase().replace(/\s+/g, ' '));
  return one === other && (one !== '' || first.amount === second.amount);
}

/** Lines without any period are of the same bill; where one has a period and the other none, nothing is known. */
function sharedTime(first: BilledLine, second: BilledLine, record: CostRecord): 'all' | 'some' | 'none' {
  const [one, other] = [linePeriod(first, record), linePeriod(second, record)];
  if (!one || !other) return one === other && !hasOwnPeriod(first) && !hasOwnPeriod(second) ? 'all' : 'none';
  if (one.from === other.from && one.until === other.until) return 'all';
  return overlaps(one, other) ? 'some' : 'none';
}

const hasOwnPeriod = ({ from, until }: BilledLine): boolean => from !== undefined || until !== undefined;
/** Periods that touch do not overlap. */
const overlaps = (one: Interval, other: Interval): boolean => one.from < other.until && other.from < one.until;
