import type { WorkloadBrief } from '../../schemas';
import { convert, parseQuantity } from './quantity';

/**
 * The memory shape of a model: what must be in accelerator memory, and what of it each GPU holds. Pure; all sizes in bytes.
 *
 * Sources of the formulas:
 * - weights, gradients, Adam state: Rajbhandari et al., "ZeRO: Memory Optimizations Toward Training Trillion Parameter Models"
 *   (2020), section 3: per parameter 2 bytes of weights, 2 of gradients, and 12 of state (fp32 copy, momentum, variance);
 * - KV cache: Kwon et al., "Efficient Memory Management for Large Language Model Serving with PagedAttention" (2023), with
 *   key-value heads in the place of heads for grouped queries (Ainslie et al., "GQA", 2023);
 * - tensor and pipeline parallelism: Narayanan et al., "Efficient Large-Scale Language Model Training on GPU Clusters" (2021).
 */

export type NumberFormat = 'fp32' | 'tf32' | 'bf16' | 'fp16' | 'fp8' | 'int8' | 'fp6' | 'fp4' | 'int4';

/** tf32 is a format of computing; in memory its values are fp32. */
const BYTES_PER_VALUE: Readonly<Record<NumberFormat, number>> = { fp32: 4, tf32: 4, bf16: 2, fp16: 2, fp8: 1, int8: 1, fp6: 0.75, fp4: 0.5, int4: 0.5 };

/** Scales and zero points of quantised weights are not in it: a few per cent more. */
export const weightBytes = (parameters: number, format: NumberFormat): number => parameters * BYTES_PER_VALUE[format];

export interface KvCacheShape {
  layers: number;
  kvHeads: number;
  headSize: number;
  format: NumberFormat;
  contextTokens: number;
  /** Sequences held at the same time. */
  concurrency: number;
}

/** A key and a value for each layer, head and token. Attention that keeps less (sliding windows, latent attention) needs less. */
export function kvCacheBytes({ layers, kvHeads, headSize, format, contextTokens, concurrency }: KvCacheShape): number {
  return 2 * layers * kvHeads * headSize * BYTES_PER_VALUE[format] * contextTokens * concurrency;
}

/** Momentum and variance of Adam in `format`, and an fp32 copy of weights that are kept in a smaller format. */
export function adamStateBytes(parameters: number, format: NumberFormat, weights: NumberFormat): number {
  const masterCopy = BYTES_PER_VALUE[weights] < BYTES_PER_VALUE.fp32 ? BYTES_PER_VALUE.fp32 : 0;
  return parameters * (2 * BYTES_PER_VALUE[format] + masterCopy);
}

export const gradientBytes = (parameters: number, format: NumberFormat): number => parameters * BYTES_PER_VALUE[format];

export const MEMORY_PARTS = ['weights', 'kvCache', 'optimizerState', 'gradients', 'activations', 'headroom'] as const;
export type MemoryPart = (typeof MEMORY_PARTS)[number];
/** Bytes of each part over all GPUs of a replica; absent: not needed. */
export type MemoryParts = Partial<Record<MemoryPart, number>>;

export interface Split {
  tensor: number;
  pipeline: number;
  data: number;
  /** Weights, gradients and optimiser state are cut over the data-parallel ranks too (ZeRO stage 3, FSDP). */
  isSharded: boolean;
  /** A tensor-parallel rank holds at least one whole head, so more ranks than heads repeat them. */
  kvHeads?: number;
}

/**
 * What one GPU must hold. Tensor and pipeline ranks share the model's state; data-parallel ranks repeat it unless it is
 * sharded. KV cache, activations and headroom belong to requests and batches, which are spread over all GPUs.
 */
export function perGpuBytes(parts: MemoryParts, { tensor, pipeline, data, isSharded, kvHeads }: Split): number {
  const state = (parts.weights ?? 0) + (parts.optimizerState ?? 0) + (parts.gradients ?? 0);
  const kvRanks = kvHeads === undefined ? tensor : Math.min(tensor, kvHeads);
  return (
    state / (tensor * pipeline * (isSharded ? data : 1)) +
    (parts.kvCache ?? 0) / (kvRanks * pipeline * data) +
    ((parts.activations ?? 0) + (parts.headroom ?? 0)) / (tensor * pipeline * data)
  );
}

export const totalBytes = (parts: MemoryParts): number => MEMORY_PARTS.reduce((sum, part) => sum + (parts[part] ?? 0), 0);

/** Half-written parts of a brief. */
export interface MemoryBrief {
  memoryShape?: Partial<Omit<NonNullable<WorkloadBrief['memoryShape']>, 'architecture' | 'parallelism'>> & {
    architecture?: NonNullable<WorkloadBrief['memoryShape']>['architecture'];
    parallelism?: NonNullable<WorkloadBrief['memoryShape']>['parallelism'];
  };
  precision?: Partial<NonNullable<WorkloadBrief['precision']>>;
  workload?: { kind?: NonNullable<WorkloadBrief['workload']>['kind'] };
}

/** The parts that a brief states; undefined when one of them cannot be read, since the sum would be too small. */
export function statedParts({ memoryShape }: MemoryBrief): MemoryParts | undefined {
  const stated = MEMORY_PARTS.flatMap((part) => {
    const text = memoryShape?.[part];
    return text === undefined ? [] : [[part, bytesOf(text)] as const];
  });
  return stated.some(([, bytes]) => bytes === undefined) ? undefined : (Object.fromEntries(stated) as MemoryParts);
}

/** The parts that follow from the architecture; what cannot be computed is absent. */
export function computedParts({ memoryShape = {}, precision, workload }: MemoryBrief): MemoryParts {
  const { architecture: { parameters, layers, kvHeads, headSize } = {}, contextTokens, concurrency } = memoryShape;
  const weights = precision?.weights;
  // Servers keep the cache in the model's own format unless told otherwise; quantised weights do not show which one that is.
  const cacheFormat = precision?.kvCache ?? (weights === 'bf16' || weights === 'fp16' ? weights : undefined);
  const parts: MemoryParts = {};
  if (parameters !== undefined && weights !== undefined) {
    parts.weights = weightBytes(parameters, weights);
    // Fine-tuning may train an adapter alone; how large it is, a brief does not say.
    if (workload?.kind === 'training') {
      parts.gradients = gradientBytes(parameters, weights);
      if (precision?.optimizer !== undefined) parts.optimizerState = adamStateBytes(parameters, precision.optimizer, weights);
    }
  }
  if (layers !== undefined && kvHeads !== undefined && headSize !== undefined && cacheFormat !== undefined && contextTokens !== undefined && concurrency !== undefined) {
    parts.kvCache = kvCacheBytes({ layers, kvHeads, headSize, format: cacheFormat, contextTokens, concurrency });
  }
  return parts;
}

/** Bytes of `80 GiB`; undefined when it is not an amount of memory. */
export function bytesOf(text: string): number | undefined {
  const quantity = parseQuantity(text);
  return quantity && convert(quantity, 'B');
}

/**
 * The most that a GPU of a data sheet's `80 GB` can have. Vendors write GB where drivers report up to as many GiB, so a
 * decimal unit is read as the binary one: only what exceeds this is impossible.
 */
export function mostBytesOf(dataSheet: string): number | undefined {
  return bytesOf(dataSheet.replace(/([MGTP])B\s*$/, '$1iB'));
}

/** `39.5 GiB`, for messages. */
export function formatGiB(bytes: number): string {
  const gibibytes = bytes / 2 ** 30;
  return `${gibibytes >= 100 ? Math.round(gibibytes) : Number(gibibytes.toPrecision(3))} GiB`;
}
