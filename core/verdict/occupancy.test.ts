import { describe, expect, it } from 'vitest';
import type { Criterion } from '../../schemas';
import type { HostCapabilities } from '../probes/contract';
import { judgeCard } from './judge';
import { cardWith, findCriterion, NOW, probeRun, resultWith } from './testing';

const bandwidth: Criterion = { id: 'busbw', metric: 'nccl.busbw', comparator: '>=', value: '400 GB/s' };
const wrong: Criterion = { id: 'wrong', metric: 'nccl.wrong', comparator: '==', value: 0 };
const host = (over: Partial<HostCapabilities> = {}): HostCapabilities => ({ tools: {}, isRoot: false, ...over });

/** One all-reduce beside whatever the machine said of its GPUs. */
function judge(busBandwidth: number, wrongValues: number, capabilities: HostCapabilities) {
  const labels = { collective: 'all_reduce', sizeBytes: '1024', place: 'out' };
  const measurements = [
    { metric: 'nccl.busbw', value: busBandwidth, unit: 'GB/s', labels },
    { metric: 'nccl.wrong', value: wrongValues, labels },
  ];
  const card = cardWith([bandwidth, wrong], { stages: { 'environment-smoke': { probes: [{ id: 'nccl-tests' }], criteria: [bandwidth, wrong] } } });
  const results = [probeRun(resultWith(measurements, { probe: 'nccl-tests', parser: 'nccl-tests/1' }))];
  return judgeCard({ card, stages: ['environment-smoke'], results, capabilities, now: NOW });
}

describe('GPUs that others use', () => {
  it('make a missed bandwidth inconclusive, and say which GPUs', () => {
    const verdict = judge(310, 0, host({ busyGpus: [3, 1] }));
    expect(verdict.state).toBe('inconclusive');
    const { state, reason, measured } = findCriterion(verdict, 'busbw');
    expect({ state, measured }).toEqual({ state: 'inconclusive', measured: '310 GB/s' });
    expect(reason).toContain('310 GB/s (collective all_reduce, sizeBytes 1024, place out) is not ≥ 400 GB/s.');
    expect(reason).toContain('GPUs 1, 3 were in use by other processes when the run began.');
    expect(findCriterion(judge(310, 0, host({ busyMigDevices: 2 })), 'busbw').state).toBe('inconclusive');
  });

  it('do not excuse wrong data, and do not spoil a bandwidth that was reached', () => {
    expect(judge(310, 4, host({ busyGpus: [0] })).state).toBe('rejected');
    expect(judge(450, 0, host({ busyGpus: [0] })).state).toBe('accepted');
  });

  it('are no excuse when they were idle, or when the machine did not say', () => {
    expect(judge(310, 0, host({ busyGpus: [] })).state).toBe('rejected');
    expect(judge(310, 0, host()).state).toBe('rejected');
  });
});
