import type { Cost } from '../../schemas';

export type BilledKind = NonNullable<Cost['components']>[number]['kind'];

/** One line of a bill, as far as it is written. */
export interface BilledLine {
  kind?: BilledKind;
  description?: string;
  amount?: number;
  from?: string;
  until?: string;
  includes?: BilledKind[];
}

/** A cost record as far as it is written. */
export interface CostRecord {
  currency?: string;
  completedWork?: string;
  acceptedCount?: number;
  rejectedCount?: number;
  retriedCount?: number;
  period?: { from?: string; until?: string };
  components?: BilledLine[];
  diagnostics?: { idleHours?: number; failedJobs?: number };
  ceiling?: number;
}

/** Milliseconds since 1970. */
export interface Interval {
  from: number;
  until: number;
}

/** Undefined when an end is missing, is no date, or is not behind the beginning. */
export function intervalOf({ from, until }: { from?: string; until?: string }): Interval | undefined {
  const interval = { from: Date.parse(from ?? ''), until: Date.parse(until ?? '') };
  return interval.from < interval.until ? interval : undefined;
}

/** A line without a period of its own is billed for the record's. */
export function linePeriod(line: BilledLine, record: CostRecord): Interval | undefined {
  const own = line.from !== undefined || line.until !== undefined;
  return intervalOf(own ? { from: line.from ?? record.period?.from ?? '', until: line.until ?? record.period?.until ?? '' } : (record.period ?? {}));
}
