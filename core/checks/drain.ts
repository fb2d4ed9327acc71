import type { CheckContext } from './contract';
import { entriesOf, type LocatedEntry } from './criteria';

/** Level 1 checks software and starts no load. */
const HIGHEST_READ_ONLY_LEVEL = 1;

/** Probes that take real capacity, as far as the card says it: the plan on the host decides in the end. */
export function invasiveEntries({ card }: Pick<CheckContext, 'card'>): LocatedEntry[] {
  return entriesOf(card).filter(({ entry }) => {
    if (entry.from !== undefined) return false;
    const level = (entry.with as { level?: unknown } | undefined)?.level;
    if (entry.id === 'dcgmi-diag') return typeof level === 'number' && level > HIGHEST_READ_ONLY_LEVEL;
    return entry.id === 'nccl-tests' || entry.id === 'torch-distributed';
  });
}
