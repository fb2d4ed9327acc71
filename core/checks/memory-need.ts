import type { HardwareProfile, WorkloadBrief } from '../../schemas';
import { bytesOf, mostBytesOf, perGpuBytes, type Split, statedParts, totalBytes } from '../document/memory-shape';
import type { Draft } from './contract';

type Brief = Draft<WorkloadBrief> | undefined;
type Profile = HardwareProfile | undefined;

/** How a replica is cut, as far as the brief says it; undefined when the parallelism contradicts the number of GPUs. */
export function splitOf(brief: Brief): Omit<Split, 'isSharded'> | undefined {
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

/** Bytes that one GPU must hold at least (state sharded over data-parallel ranks) and at most (repeated on each). */
export function perGpuNeed(brief: Brief): { atLeast: number; atMost: number; total: number } | undefined {
  const split = splitOf(brief);
  const parts = brief && statedParts(brief);
  if (!split || !parts || totalBytes(parts) === 0) return undefined;
  return { atLeast: perGpuBytes(parts, { ...split, isSharded: true }), atMost: perGpuBytes(parts, { ...split, isSharded: false }), total: totalBytes(parts) };
}
