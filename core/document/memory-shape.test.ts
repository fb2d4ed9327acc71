import { describe, expect, it } from 'vitest';
import { adamStateBytes, bytesOf, computedParts, formatGiB, kvCacheBytes, mostBytesOf, perGpuBytes, type Sharding, statedParts, weightBytes } from './memory-shape';

const GIB = 2 ** 30;

describe('memory shape', () => {
  it('counts weights by their format', () => {
    expect(weightBytes(7e9, 'bf16')).toBe(14e9);
    expect(weightBytes(7e9, 'int4')).toBe(3.5e9);
    expect(weightBytes(7e9, 'tf32')).toBe(weightBytes(7e9, 'fp32'));
  });

  it('counts a key and a value for each layer, head and token', () => {
    // 32 layers x 8 heads x 128 x 2 bytes x 2 = 128 KiB a token.
    const cache = kvCacheBytes({ layers: 32, kvHeads: 8, headSize: 128, format: 'bf16', contextTokens: 8192, concurrency: 16 });
    expect(cache).toBe(16 * GIB);
    expect(kvCacheBytes({ layers: 32, kvHeads: 8, headSize: 128, format: 'fp8', contextTokens: 8192, concurrency: 16 })).toBe(8 * GIB);
  });

  it('adds up to the 16 bytes a parameter of mixed-precision Adam', () => {
    const parts = computedParts({ memoryShape: { architecture: { parameters: 1e9 } }, precision: { weights: 'bf16', optimizer: 'fp32' }, workload: { kind: 'training' } });
    expect(Object.values(parts).reduce((sum, { bytes }) => sum + bytes, 0)).toBe(16e9);
    expect(parts.optimizerState!.formula).toBe('Adam: 1 billion parameters × (momentum and variance, 2 × 4 B (fp32) + copy of the weights, 4 B (fp32))');
    expect(adamStateBytes(1e9, 'fp32', 'fp32')).toBe(8e9);
  });

  it('does not guess the size of an adapter', () => {
    const parts = computedParts({ memoryShape: { architecture: { parameters: 1e9 } }, precision: { weights: 'bf16', optimizer: 'fp32' }, workload: { kind: 'fine-tuning' } });
    expect(parts).toEqual({ weights: { bytes: 2e9, formula: '1 billion parameters × 2 B (bf16)' } });
  });

  it('computes nothing that a number is missing for', () => {
    expect(computedParts({})).toEqual({});
    expect(computedParts({ memoryShape: { architecture: { layers: 32, kvHeads: 8 }, contextTokens: 1, concurrency: 1 }, precision: { kvCache: 'bf16' } })).toEqual({});
  });

  it('shows how it computes', () => {
    const memoryShape = { architecture: { layers: 32, kvHeads: 8, headSize: 128 }, contextTokens: 8192, concurrency: 16 };
    const { kvCache } = computedParts({ memoryShape, precision: { weights: 'bf16' } });
    expect(kvCache).toEqual({ bytes: 16 * GIB, formula: 'key and value, 2 × 32 layers × 8 KV heads × 128 × 2 B (bf16) × 8192 tokens × 16 sequences' });
  });

  describe('of one GPU', () => {
    const parts = { weights: 160 * GIB, kvCache: 80 * GIB, headroom: 40 * GIB };

    it('is shared by tensor and pipeline ranks', () => {
      expect(perGpuBytes(parts, { tensor: 4, pipeline: 2, data: 1, sharding: 'none' })).toBe(35 * GIB);
    });

    it('repeats the state for each data-parallel rank unless it is sharded', () => {
      expect(perGpuBytes(parts, { tensor: 1, pipeline: 1, data: 8, sharding: 'none' })).toBe(175 * GIB);
      expect(perGpuBytes(parts, { tensor: 1, pipeline: 1, data: 8, sharding: 'weights' })).toBe(35 * GIB);
    });

    it('holds what its kind of sharding leaves', () => {
      const training = { weights: 16 * GIB, gradients: 16 * GIB, optimizerState: 96 * GIB };
      const held = (sharding: Sharding): number => perGpuBytes(training, { tensor: 1, pipeline: 2, data: 4, sharding }) / GIB;
      expect([held('none'), held('optimizer-state'), held('gradients'), held('weights')]).toEqual([64, 28, 22, 16]);
    });

    it('repeats key-value heads when there are more ranks than heads', () => {
      expect(perGpuBytes({ kvCache: 80 * GIB }, { tensor: 8, pipeline: 1, data: 1, sharding: 'none', kvHeads: 4 })).toBe(20 * GIB);
    });
  });

  it('reads what a brief states, or nothing when a part cannot be read', () => {
    expect(statedParts({ memoryShape: { weights: '10 GiB', headroom: '2 GB' } })).toEqual({ weights: 10 * GIB, headroom: 2e9 });
    expect(statedParts({ memoryShape: { weights: '10 GiB', kvCache: 'plenty' } })).toBeUndefined();
    expect(statedParts({})).toEqual({});
  });

  it('reads a data sheet as generously as drivers count', () => {
    expect(mostBytesOf('80 GB')).toBe(80 * GIB);
    expect(mostBytesOf('79 GiB')).toBe(79 * GIB);
    expect(mostBytesOf('many')).toBeUndefined();
    expect(bytesOf('1 h')).toBeUndefined();
  });

  it('writes sizes for people', () => {
    expect([formatGiB(39.46 * GIB), formatGiB(291.6 * GIB), formatGiB(2 * GIB)]).toEqual(['39.5 GiB', '292 GiB', '2 GiB']);
  });
});
