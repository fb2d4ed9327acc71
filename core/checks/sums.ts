import type { Cost, Criterion, HardwareProfile, WorkloadBrief } from '../../schemas';
import { statedParts, totalBytes } from '../document/memory-shape';
import { convert, parseQuantity } from '../document/quantity';
import type { Draft } from './contract';

/** Small computations over briefs and cards that the editor shows beside the text. */

export interface MemorySum {
  totalGiB: number;
  /** Absent when the number of GPUs is not given. */
  perGpuGiB?: number;
}

/** What the parts of a memory shape need together; undefined when there is none, or one cannot be read. */
export function sumMemoryShape(shape: Draft<WorkloadBrief>['memoryShape']): MemorySum | undefined {
  const parts = statedParts({ memoryShape: shape ?? {} });
  if (!parts || Object.keys(parts).length === 0) return undefined;
  const totalGiB = totalBytes(parts) / 2 ** 30;
  return { totalGiB, ...(shape?.gpus === undefined ? {} : { perGpuGiB: totalGiB / shape.gpus }) };
}

/** The sum of the billed components; undefined when there is none. */
export function sumCost(cost: Draft<Cost> | undefined): number | undefined {
  const amounts = (cost?.components ?? []).map(({ amount }) => amount);
  const isWhole = amounts.length > 0 && amounts.every((amount) => amount !== undefined);
  return isWhole ? amounts.reduce<number>((sum, amount) => sum + amount!, 0) : undefined;
}

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
