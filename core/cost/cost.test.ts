import { describe, expect, it } from 'vitest';
import { findOverlaps } from './overlap';
import { costPerCompletedWork } from './per-work';
import type { BilledLine, CostRecord } from './record';

const DAY = { from: '2026-11-03T00:00:00Z', until: '2026-11-04T00:00:00Z' };
const RECORD: CostRecord = {
  currency: 'EUR',
  completedWork: 'accepted clip',
  acceptedCount: 640,
  rejectedCount: 160,
  period: DAY,
  components: [
    { kind: 'accelerator', amount: 180, includes: ['host'] },
    { kind: 'storage', amount: 9 },
    { kind: 'egress', amount: 3 },
  ],
  diagnostics: { idleHours: 7, failedJobs: 12 },
  ceiling: 0.35,
};
const withLines = (components: BilledLine[], more: CostRecord = {}): CostRecord => ({ ...RECORD, ...more, components });

describe('cost per completed work', () => {
  it('divides every billed line by what was accepted; idle time and failures add nothing', () => {
    expect(costPerCompletedWork(RECORD)).toEqual({
      currency: 'EUR',
      completedWork: 'accepted clip',
      byKind: { accelerator: 180, storage: 9, egress: 3 },
      total: 192,
      obstacles: [],
      perCompletedWork: 0.3,
      rejectedShare: 0.2,
      isAboveCeiling: false,
    });
  });

  it('shows a ceiling that was passed, and none where there is none', () => {
    expect(costPerCompletedWork({ ...RECORD, ceiling: 0.29 }).isAboveCeiling).toBe(true);
    const { ceiling: _ceiling, ...open } = RECORD;
    expect(costPerCompletedWork(open)).not.toHaveProperty('isAboveCeiling');
  });

  it.each<[string, Partial<CostRecord>, string]>([
    ['no lines', { components: [] }, 'no-components'],
    ['a line without amount', { components: [{ kind: 'accelerator' }] }, 'unpriced-line'],
    ['an amount that is no number', { components: [{ kind: 'accelerator', amount: Number.NaN }] }, 'unpriced-line'],
    ['a credit', { components: [{ kind: 'accelerator', amount: -5 }] }, 'negative-amount'],
    ['a line twice', { components: [{ kind: 'storage', amount: 9 }, { kind: 'storage', amount: 9 }] }, 'counted-twice'],
    ['nothing accepted', { acceptedCount: 0 }, 'nothing-accepted'],
    ['a blank denominator', { completedWork: ' ' }, 'no-completed-work'],
  ])('gives no number for %s', (_name, change, obstacle) => {
    const result = costPerCompletedWork({ ...RECORD, ...change });
    expect(result.obstacles).toEqual([obstacle]);
    expect(result).not.toHaveProperty('perCompletedWork');
    expect(result).not.toHaveProperty('isAboveCeiling');
  });

  it('gives no number for an empty record', () => {
    expect(costPerCompletedWork({})).toEqual({ byKind: {}, total: 0, obstacles: ['no-components', 'no-currency', 'no-completed-work', 'no-accepted-count'] });
  });
});

describe('lines that count something twice', () => {
  it('are the same thing in the same period', () => {
    expect(findOverlaps(withLines([{ kind: 'storage', description: 'Volume  A', amount: 2 }, { kind: 'storage', description: 'volume a', amount: 3 }]))).toEqual([{ reason: 'same-line', first: 0, second: 1 }]);
  });

  it('are not two nodes', () => {
    expect(findOverlaps(withLines([{ kind: 'accelerator', description: 'node 1', amount: 90 }, { kind: 'accelerator', description: 'node 2', amount: 90 }]))).toEqual([]);
    expect(findOverlaps(withLines([{ kind: 'accelerator', amount: 90 }, { kind: 'accelerator', amount: 45 }]))).toEqual([]);
  });

  it('are the same thing in periods that overlap, and not in those that touch', () => {
    const noon = '2026-11-03T12:00:00Z';
    const evening = '2026-11-03T18:00:00Z';
    const line = { kind: 'accelerator', description: 'node 1', amount: 90 } as const;
    expect(findOverlaps(withLines([{ ...line, from: DAY.from, until: evening }, { ...line, from: noon, until: DAY.until }]))).toEqual([{ reason: 'shared-time', first: 0, second: 1 }]);
    expect(findOverlaps(withLines([{ ...line, from: DAY.from, until: noon }, { ...line, from: noon, until: DAY.until }]))).toEqual([]);
  });

  it('are a line and another that includes it, in either order', () => {
    expect(findOverlaps(withLines([{ kind: 'accelerator', amount: 90, includes: ['host'] }, { kind: 'host', amount: 20 }]))).toEqual([{ reason: 'included', first: 0, second: 1 }]);
    expect(findOverlaps(withLines([{ kind: 'host', amount: 20 }, { kind: 'accelerator', amount: 90, includes: ['host'] }]))).toEqual([{ reason: 'included', first: 1, second: 0 }]);
  });

  it('are not known where a period is missing or broken', () => {
    const line = { kind: 'storage', description: 'volume', amount: 3 } as const;
    const { period: _period, ...open } = RECORD;
    expect(findOverlaps({ ...open, components: [{ ...line, ...DAY }, line] })).toEqual([]);
    expect(findOverlaps({ ...open, components: [{ ...line, from: 'soon', until: 'later' }, line] })).toEqual([]);
    expect(findOverlaps({ ...open, components: [line, line] })).toHaveLength(1);
  });
});
