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

/** Weights of a smaller format are updated in an fp32 copy. */
const hasMasterCopy = (weights: NumberFormat): boolean => BYTES_PER_VALUE[weights] < BYTES_PER_VALUE.fp32;

/** Momentum and variance of Adam in `format`, and the fp32 copy of weights that are kept in a smaller format. */
export function adamStateBytes(parameters: number, format: NumberFormat, weights: NumberFormat): number {
  return parameters * (2 * BYTES_PER_VALUE[format] + (hasMasterCopy(weights) ? BYTES_PER_VALUE.fp32 : 0));
}

export const gradientBytes = (parameters: number, format: NumberFormat): number => parameters * BYTES_PER_VALUE[format];

export const MEMORY_PARTS = ['weights', 'kvCache', 'optimizerState', 'gradients', 'activations', 'headroom'] as const;
export type MemoryPart = (typeof MEMORY_PARTS)[number];
/** Bytes of each part over all GPUs of a replica; absent: not needed. */
export type MemoryParts = Partial<Record<MemoryPart, number>>;

/** What data-parallel ranks share: each kind also shares what the ones before it share (ZeRO stages 1 to 3; FSDP: `weights`). */
export type Sharding = 'none' | 'optimizer-state' | 'gradients' | 'weights';

const SHARED_PARTS: Readonly<Record<Sharding, readonly MemoryPart[]>> = {
  none: [],
  'optimizer-state': ['optimizerState'],
  gradients: ['optimizerState', 'gradients'],
  weights: ['optimizerState', 'gradients', 'weights'],
};

export interface Split {
  tensor: number;
  pipeline: number;
  data: number;
  sharding: Sharding;
  /** A tensor-parallel rank holds at least one whole head, so more ranks than heads repeat them. */
  kvHeads?: number;
}

/**
 * What one GPU must hold. Tensor and pipeline ranks share the model's state; data-parallel ranks repeat it unless it is
 * sharded. KV cache, activations and headroom belong to requests and batches, which are spread over all GPUs.
 */
export function perGpuBytes(parts: MemoryParts, { tensor, pipeline, data, sharding, kvHeads }: Split): number {
  const shared = SHARED_PARTS[sharding];
  const state = (['weights', 'gradients', 'optimizerState'] as const).reduce((sum, part) => sum + (parts[part] ?? 0) / (shared.includes(part) ? data : 1), 0);
  const kvRanks = kvHeads === undefined ? tensor : Math.min(tensor, kvHeads);
  return (
    state / (tensor * pipeline) +
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

export interface ComputedPart {
  bytes: number;
  /** The computation in numbers, for a reader: `8e9 parameters × 2 B (bf16)`. */
  formula: string;
}

/** The parts that follow from the architecture; what cannot be computed is absent. */
export function computedParts(brief: MemoryBrief): Partial<Record<MemoryPart, ComputedPart>> {
  return { ...computedState(brief), ...computedKvCache(brief) };
}

function computedState({ memoryShape, precision, workload }: MemoryBrief): Partial<Record<MemoryPart, ComputedPart>> {
  const parameters = memoryShape?.architecture?.parameters;
  const weights = precision?.weights;
  if (parameters === undefined || weights === undefined) return {};
  const perParameter = `${inBillions(parameters)} parameters × ${bytesText(weights)}`;
  const state = { weights: { bytes: weightBytes(parameters, weights), formula: perParameter } };
  // Fine-tuning may train an adapter alone; how large it is, a brief does not say.
  if (workload?.kind !== 'training') return state;
  const optimizer = precision?.optimizer;
  return {
    ...state,
    gradients: { bytes: gradientBytes(parameters, weights), formula: perParameter },
    ...(optimizer === undefined ? {} : { optimizerState: { bytes: adamStateBytes(parameters, optimizer, weights), formula: `Adam: ${inBillions(parameters)} parameters × (momentum and variance, 2 × ${bytesText(optimizer)}${hasMasterCopy(weights) ? ' + copy of the weights, 4 B (fp32)' : ''})` } }),
  };
}

function computedKvCache({ memoryShape = {}, precision }: MemoryBrief): Partial<Record<MemoryPart, ComputedPart>> {
  const { architecture: { layers, kvHeads, headSize } = {}, contextTokens, concurrency } = memoryShape;
  const weights = precision?.weights;
  // Servers keep the cache in the model's own format unless told otherwise; quantised weights do not show which one that is.
  const format = precision?.kvCache ?? (weights === 'bf16' || weights === 'fp16' ? weights : undefined);
  if (layers === undefined || kvHeads === undefined || headSize === undefined || format === undefined || contextTokens === undefined || concurrency === undefined) return {};
  const formula = `key and value, 2 × ${layers} layers × ${kvHeads} KV heads × ${headSize} × ${bytesText(format)} × ${contextTokens} tokens × ${concurrency} sequences`;
  return { kvCache: { bytes: kvCacheBytes({ layers, kvHeads, headSize, format, contextTokens, concurrency }), formula } };
}

const inBillions = (parameters: number): string => `${Number((parameters / 1e9).toPrecision(4))} billion`;
const bytesText = (format: NumberFormat): string => `${BYTES_PER_VALUE[format]} B (${format})`;

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
