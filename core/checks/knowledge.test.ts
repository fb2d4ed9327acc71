import { describe, expect, it } from 'vitest';
import { profileOfGpu } from './knowledge';

describe('the profile of a GPU name', () => {
  it.each([
    ['NVIDIA H100 80GB HBM3', 'h100-sxm'],
    ['NVIDIA H100 PCIe', 'h100-pcie'],
    ['NVIDIA H200', 'h200'],
    ['NVIDIA GH200 480GB', undefined],
    ['NVIDIA A100-SXM4-80GB', 'a100-sxm-80gb'],
    ['NVIDIA A100-SXM4-40GB', 'a100-sxm-40gb'],
    ['NVIDIA A10G', 'a10g'],
    ['NVIDIA L4', 'l4'],
    ['NVIDIA L40S', 'l40s'],
    ['NVIDIA B200', 'b200'],
    ['NVIDIA GB200', 'gb200'],
    ['AMD Instinct MI300X', 'mi300x'],
    ['Tesla T4', undefined],
    ['an H100', undefined],
  ])('%s is %s', (name, id) => {
    expect(profileOfGpu(name)?.id).toBe(id);
  });
});
