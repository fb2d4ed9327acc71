import { describe, expect, it } from 'vitest';
import type { Criterion } from '../../schemas';
import { judgeOne, probeRun, resultWith } from './testing';

describe('the GPU model that a threshold is written for', () => {
  const stateOn = (name: string, gpuModel: string): string => {
    const criterion: Criterion = { id: 'power', metric: 'gpu.power.draw', comparator: '<=', value: '800 W', context: { gpuModel } };
    return judgeOne(criterion, [probeRun(resultWith([{ metric: 'gpu.name', value: name, labels: { gpu: '0' } }, { metric: 'gpu.power.draw', value: 300, unit: 'W', labels: { gpu: '0' } }]))]).state;
  };

  it.each([
    ['NVIDIA H100 80GB HBM3', 'H100'],
    ['NVIDIA H100 80GB HBM3', 'NVIDIA H100 80GB HBM3'],
    ['NVIDIA A100-SXM4-80GB', 'A100 SXM4 80GB'],
    ['NVIDIA A100-SXM4-80GB', 'a100-sxm'],
    ['NVIDIA GeForce RTX 4090', 'RTX4090'],
    ['NVIDIA L40S', 'L40S'],
  ])('%s is measured as %s', (name, model) => {
    expect(stateOn(name, model)).toBe('pass');
  });

  it.each([
    ['NVIDIA L40S', 'L4'],
    ['NVIDIA L40S', 'L40'],
    ['NVIDIA A100-SXM4-80GB', 'A10'],
    ['NVIDIA GB200', 'B200'],
    ['NVIDIA H200', 'H20'],
    ['NVIDIA H200', 'H100'],
    ['NVIDIA H100 80GB HBM3', '-'],
  ])('%s is not taken for %s', (name, model) => {
    expect(stateOn(name, model)).toBe('inconclusive');
  });
});
