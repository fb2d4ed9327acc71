import type { CostRecord } from '../cost/record';
import type { CheckContext } from './contract';

/** The cost record of the checked document itself; undefined when it has none. */
export function ownCost({ subject, brief, card }: CheckContext): CostRecord | undefined {
  return subject === 'card' ? card?.cost : brief?.cost;
}
