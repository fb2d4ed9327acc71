import type { HardwareProfile, WorkloadBrief } from '../../schemas';
import { bytesOf, type ComputedPart, formatGiB, type MemoryPart, mostBytesOf, perGpuBytes, type Sharding, type Split, statedParts, totalBytes } from '../document/memory-shape';
import type { CheckContext, Draft, Fix } from './contract';
import { fix, setPath } from './edits';

type Brief = Draft<WorkloadBrief> | undefined;
type Profile = HardwareProfile | undefined;

/** How a replica is cut, as far as the brief says it; undefined when the parallelism contradicts the number of GPUs. */
export function splitOf(brief: Brief): Omit<Split, 'sharding'> | undefined {
  const { gpus, parallelism, architecture } = brief?.memoryShape ?? {};
  const { tensor = 1, pipeline = 1, data = 1 } = parallelism ?? {};
  const heads = architecture?.kvHeads === undefined ? {} : { kvHeads: architecture.kvHeads };
  if (gpus === undefined && parallelism === undefined) return undefined;
  if (gpus === undefined || tensor * pipeline * data === gpus) return { tensor, pipeline, data, ...heads };
  // Data-parallel ranks may be counted as further replicas.
  if (tensor * pipeline === gpus) return { tensor, pipeline, data: 1, ...heads };
  return parallelism === undefined ? { tensor: gpus, pipeline: 1, data: 1 } : undefined;
}

/** Memory of one GPU: what the brief demands, or else the most that the named hardware can have. */
export function gpuMemory(brief: Brief, profile: Profile): { bytes: number; origin: 'memoryPerGpu' | 'profile' } | undefined {
  const demanded = bytesOf(brief?.memoryShape?.memoryPerGpu ?? '');
  if (demanded !== undefined) return { bytes: demanded, origin: 'memoryPerGpu' };
  const most = profile && mostBytesOf(profile.memory.perGpu);
  return most === undefined ? undefined : { bytes: most, origin: 'profile' };
}

/** Bytes that one GPU must hold. `atLeast` and `atMost` differ while the brief does not say what data-parallel ranks share. */
export function perGpuNeed(brief: Brief): { atLeast: number; atMost: number; total: number } | undefined {
  const split = splitOf(brief);
  const parts = brief && statedParts(brief);
  if (!split || !parts || totalBytes(parts) === 0) return undefined;
  const stated = brief?.memoryShape?.parallelism?.sharding;
  const needWith = (sharding: Sharding): number => perGpuBytes(parts, { ...split, sharding });
  return { atLeast: needWith(stated ?? 'weights'), atMost: needWith(stated ?? 'none'), total: totalBytes(parts) };
}

/** `120 GiB, 30 GiB per GPU`; a range where the brief does not say what data-parallel ranks share. Undefined when a part cannot be read. */
export function memoryNeedText(brief: Brief): string | undefined {
  const parts = brief && statedParts(brief);
  const total = parts && totalBytes(parts);
  if (!total) return undefined;
  const need = perGpuNeed(brief);
  if (!need) return formatGiB(total);
  const [least, most] = [formatGiB(need.atLeast), formatGiB(need.atMost)];
  return `${formatGiB(total)}, ${least === most ? least : `${least} to ${most}`} per GPU`;
}

/** Writes what was computed in the place of what is stated, or of nothing. */
export function computedFix({ document }: CheckContext, part: MemoryPart, { bytes }: ComputedPart): Fix[] {
  return fix(`Write the computed ${formatGiB(bytes)}`, setPath(document, ['memoryShape', part], formatGiB(bytes)));
}
