import type { Criterion, HardwareProfile } from '../../schemas';
import { convert, parseQuantity } from '../document/quantity';
import type { Draft } from './contract';

export interface CeilingShare {
  /** 0…1 and above: a threshold over the ceiling cannot be met. */
  share: number;
  ceiling: string;
  source: string;
}

/** A threshold as a share of the hardware's ceiling for the same metric, where every condition of the ceiling is met. */
export function shareOfCeiling(criterion: Draft<Criterion>, profile: HardwareProfile | undefined): CeilingShare | undefined {
  const { value } = criterion;
  const ceiling = profile?.ceilings?.find(({ metric, context }) => metric === criterion.metric && holds(context ?? {}, criterion));
  const threshold = typeof value === 'string' ? parseQuantity(value) : undefined;
  const limit = ceiling && parseQuantity(String(ceiling.value));
  const inSameUnit = threshold && limit && convert(threshold, limit.unit);
  if (!ceiling || !limit || inSameUnit === undefined || limit.value === 0) return undefined;
  return { share: inSameUnit / limit.value, ceiling: String(ceiling.value), source: ceiling.source.publisher };
}

/** A ceiling holds under its conditions; one that the criterion does not state is not known to be met. */
function holds(conditions: Readonly<Record<string, string | number>>, criterion: Draft<Criterion>): boolean {
  const stated: Record<string, unknown> = { ...criterion.labels, ...criterion.context };
  return Object.entries(conditions).every(([name, wanted]) => String(stated[name] ?? '').toLowerCase() === String(wanted).toLowerCase());
}
