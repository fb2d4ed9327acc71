import { describe, expect, it } from 'vitest';
import { parseText } from '../parse';
import { expectNeverCleaner } from '../testing/mutations';
import { probe } from './index';

const rank = (index: number, over: object = {}): object => ({ rank: index, contextMs: 812.5, wrongValues: 0, secondsPerAllReduce: 0.0042, ...over });
const result = (reports: object[], over: object = {}): string => `gpu-acceptance-torch ${JSON.stringify({ torch: '2.6.0', cuda: '12.4', gpus: 2, ranks: 2, reports, ...over })}\n`;
const outcome = (text: string, end = {}): string => parseText(probe, text, end).outcome;
const codes = (text: string): string[] => parseText(probe, text).reasons.map(({ code }) => code);

describe('torch-distributed', () => {
  it('measures each rank of the smoke test', () => {
    const parsed = parseText(probe, result([rank(0), rank(1)]), { exitCode: 0 });
    expect(parsed).toMatchObject({ outcome: 'measured', context: { ranks: 2 } });
    expect(parsed.measurements.filter(({ metric }) => metric === 'torch.allreduce.busbw').map(({ value }) => value)).toEqual([255.653, 255.653]);
  });

  it('fails on wrong values and on missing GPUs', () => {
    expect(outcome(result([rank(0), rank(1, { wrongValues: 4 })]))).toBe('failed');
    expect(outcome('gpu-acceptance-torch {"torch":"2.6.0","gpus":7,"ranks":8,"error":"8 GPUs were asked for, PyTorch sees 7"}\n')).toBe('failed');
    expect(outcome(result([rank(0), { rank: 1, error: 'RuntimeError: The NVIDIA driver on your system is too old' }]))).toBe('failed');
  });

  it('is inconclusive when a rank is silent, the line is cut or the exit code is bad', () => {
    expect(outcome(result([rank(0)]))).toBe('inconclusive');
    expect(outcome(result([rank(0), rank(1)]).slice(0, -9))).toBe('inconclusive');
    expect(outcome(result([rank(0), rank(1)]), { exitCode: 1 })).toBe('inconclusive');
    expect(outcome('')).toBe('inconclusive');
  });

  it('names the cause before its consequences', () => {
    const log = ['[rank1]:[E ProcessGroupNCCL.cpp:616] [Rank 1] Some NCCL operations have failed or timed out.', 'torch.distributed.elastic.multiprocessing.errors.ChildFailedError:', '  exitcode  : -6 (pid: 41)', 'Duplicate GPU detected : rank 3 and rank 1 both on CUDA device 1a000'].join('\n');
    expect(codes(log)).toEqual(['torch.duplicate-gpu']);
    expect(codes('ChildFailedError:\n  exitcode  : -6 (pid: 41)\n')).toEqual(['torch.exit']);
  });

  it('is never cleaner when cut or damaged', () => {
    expect(expectNeverCleaner(probe, result([rank(0), rank(1, { wrongValues: 9 })]))).toBeGreaterThan(100);
  });
});
