import { findOverlaps } from './overlap';
import type { BilledKind, CostRecord } from './record';

/** Why there is no number. `unpriced-line`: a line without its kind or amount. */
export type CostObstacle = 'no-components' | 'unpriced-line' | 'negative-amount' | 'counted-twice' | 'no-currency' | 'no-completed-work' | 'no-accepted-count' | 'nothing-accepted';

export interface CostPerWork {
  currency?: string;
  completedWork?: string;
  /** Sum of the lines by kind, in the record's currency. */
  byKind: Partial<Record<BilledKind, number>>;
  total: number;
  /** `total` by accepted outputs or completed jobs. Absent while there is an obstacle. */
  perCompletedWork?: number;
  obstacles: CostObstacle[];
  /** Rejected of all judged outputs, 0…1; absent when either number is missing. */
  rejectedShare?: number;
  /** Absent when there is no ceiling or no number to compare. */
  isAboveCeiling?: boolean;
}

/**
 * Cost per completed work: every billed line once, over what was accepted. Idle hours and failed jobs are inside the billed
 * accelerator time; they explain the result and are never added.
 */
export function costPerCompletedWork(record: CostRecord): CostPerWork {
  const lines = record.components ?? [];
  const byKind: CostPerWork['byKind'] = {};
  for (const { kind, amount } of lines) if (kind !== undefined && amount !== undefined) byKind[kind] = (byKind[kind] ?? 0) + amount;
  const total = Object.values(byKind).reduce((sum, amount) => sum + amount, 0);
  const obstacles = obstaclesOf(record);
  const perCompletedWork = obstacles.length === 0 ? total / record.acceptedCount! : undefined;
  const judged = record.rejectedCount === undefined || record.acceptedCount === undefined ? 0 : record.rejectedCount + record.acceptedCount;
  return {
    ...(record.currency === undefined ? {} : { currency: record.currency }),
    ...(record.completedWork === undefined ? {} : { completedWork: record.completedWork }),
    byKind,
    total,
    obstacles,
    ...(perCompletedWork === undefined ? {} : { perCompletedWork }),
    ...(judged > 0 ? { rejectedShare: record.rejectedCount! / judged } : {}),
    ...(perCompletedWork === undefined || record.ceiling === undefined ? {} : { isAboveCeiling: perCompletedWork > record.ceiling }),
  };
}

function obstaclesOf(record: CostRecord): CostObstacle[] {
  const lines = record.components ?? [];
  const found: [CostObstacle, boolean][] = [
    ['no-components', lines.length === 0],
    ['unpriced-line', lines.some(({ kind, amount }) => kind === undefined || amount === undefined || !Number.isFinite(amount))],
    ['negative-amount', lines.some(({ amount = 0 }) => amount < 0)],
    ['counted-twice', findOverlaps(record).length > 0],
    ['no-currency', record.currency === undefined],
    ['no-completed-work', (record.completedWork ?? '').trim() === ''],
    ['no-accepted-count', record.acceptedCount === undefined || !Number.isFinite(record.acceptedCount)],
    ['nothing-accepted', record.acceptedCount !== undefined && record.acceptedCount <= 0],
  ];
  return found.filter(([, holds]) => holds).map(([obstacle]) => obstacle);
}
