import { describe, expect, it } from 'vitest';
import type { Criterion } from '../../schemas';
import type { Measurement } from '../probes/contract';
import { judgeOne, probeRun, problem, resultWith } from './testing';

const criterion = (over: Partial<Criterion> = {}): Criterion => ({ id: 'c', metric: 'nccl.busbw', comparator: '>=', value: '440 GB/s', ...over });
const busbw = (value: number, labels: Record<string, string> = {}): Measurement => ({ metric: 'nccl.busbw', value, unit: 'GB/s', labels, line: 40 });
const state = (over: Partial<Criterion>, measurements: Measurement[], result = {}) => judgeOne(criterion(over), [probeRun(resultWith(measurements, result))]).state;

describe('a criterion', () => {
  it('passes on a positive measurement and shows where it stands', () => {
    const verdict = judgeOne(criterion(), [probeRun(resultWith([busbw(461.2)]))]);
    expect(verdict).toMatchObject({ state: 'pass', measured: '461.2 GB/s', expected: '≥ 440 GB/s', samples: 1 });
    expect(verdict.evidence).toEqual([{ probeRun: 'environment-smoke/nvidia-smi-list/1', line: 40 }]);
  });

  it('fails on one value of many and shows that one', () => {
    const verdict = judgeOne(criterion(), [probeRun(resultWith([busbw(461), busbw(301.5, { sizeBytes: '64' }), busbw(470)]))]);
    expect(verdict).toMatchObject({ state: 'fail', measured: '301.5 GB/s' });
    expect(verdict.reason).toContain('sizeBytes 64');
  });

  it.each<[string, Partial<Criterion>, Measurement[], object]>([
    ['nothing was measured', {}, [], {}],
    ['the label does not match', { labels: { place: 'in' } }, [busbw(461, { place: 'out' })], {}],
    ['the output is not whole', {}, [busbw(461)], { outcome: 'inconclusive', reasons: [problem('x.cut', 'It was cut.')] }],
    ['a bad value comes from output that is not whole', {}, [busbw(1)], { outcome: 'inconclusive' }],
    ['the output proves a fault elsewhere', {}, [busbw(461)], { outcome: 'failed' }],
    ['the value is not a number', {}, [busbw(Number.NaN)], {}],
    ['the value is infinite', {}, [busbw(Number.POSITIVE_INFINITY)], {}],
    ['the threshold has no unit', { value: 440 }, [busbw(461)], {}],
    ['the threshold has another dimension', { value: '440 ms' }, [busbw(461)], {}],
    ['the threshold cannot be read', { value: 'fast' }, [busbw(461)], {}],
    ['a measurement is missing', { expectedCount: 2 }, [busbw(461)], {}],
    ['there is one measurement too many', { expectedCount: 1 }, [busbw(461), busbw(462)], {}],
    ['there are too few samples', { minimumSamples: 20 }, [{ ...busbw(461), samples: 19 }], {}],
    ['text is compared by size', { metric: 'gpu.name', value: 'H100' }, [{ metric: 'gpu.name', value: 'H100' }], {}],
    ['units differ within a mean', { statistic: 'mean' }, [busbw(461), { ...busbw(461), unit: 'MB/s' }], {}],
    ['a bound is averaged', { statistic: 'mean' }, [busbw(461, { bound: 'lower' })], {}],
  ])('is inconclusive when %s', (_, over, measurements, result) => {
    expect(state(over, measurements, result)).toBe('inconclusive');
  });

  it('judges more values than fit into the arguments of one call', () => {
    const many = Array.from({ length: 200_000 }, () => ({ ...busbw(461), samples: 20 }));
    expect(state({ minimumSamples: 20 }, many, {})).toBe('pass');
  });

  it('is not run when its probe was not, and says why', () => {
    const verdict = judgeOne(criterion({ probe: 'collective' }), [probeRun(undefined, { entry: 'collective', notRun: problem('x', 'There is no nccl-tests on the machine.') })]);
    expect(verdict).toMatchObject({ state: 'not-run', reason: 'There is no nccl-tests on the machine.' });
    expect(judgeOne(criterion({ probe: 'other' }), []).state).toBe('not-run');
  });

  it.each<[string, string, Criterion['value'], 'pass' | 'fail' | 'inconclusive']>([
    ['lower', '>=', '440 GB/s', 'pass'],
    ['lower', '<=', '440 GB/s', 'fail'],
    ['lower', '<=', '500 GB/s', 'inconclusive'],
    ['lower', '>=', '500 GB/s', 'inconclusive'],
    ['upper', '<=', '500 GB/s', 'pass'],
    ['upper', '>=', '500 GB/s', 'fail'],
    ['upper', '>=', '440 GB/s', 'inconclusive'],
    ['lower', '==', '461 GB/s', 'inconclusive'],
  ])('knows that a %s bound can decide %s %s only one way', (bound, comparator, value, expected) => {
    expect(state({ comparator: comparator as Criterion['comparator'], value }, [busbw(461, { bound })])).toBe(expected);
  });

  it.each<[string, Criterion['value'], 'pass' | 'fail' | 'inconclusive']>([
    ['<=', '500 ms', 'pass'],
    ['<=', '250 ms', 'fail'],
    ['<=', '350 ms', 'inconclusive'],
    ['>=', '250 ms', 'pass'],
    ['>=', '600 ms', 'fail'],
    ['>=', '350 ms', 'inconclusive'],
    ['==', '310 ms', 'inconclusive'],
    ['!=', '900 ms', 'pass'],
  ])('decides a quantile of a bucket by the whole bucket: %s %s', (comparator, value, expected) => {
    const quantile: Measurement = { metric: 'vllm.ttft', value: 0.31, unit: 's', labels: { stat: 'p95' }, interval: { low: 0.25, high: 0.5 } };
    expect(state({ metric: 'vllm.ttft', comparator: comparator as Criterion['comparator'], value }, [quantile])).toBe(expected);
  });

  it('converts units without guessing', () => {
    const seconds: Measurement = { metric: 'vllm.ttft', value: 0.31, unit: 's' };
    const ttft = (value: string) => judgeOne(criterion({ metric: 'vllm.ttft', comparator: '<=', value }), [probeRun(resultWith([seconds]))]).state;
    expect(ttft('350 ms')).toBe('pass');
    expect(ttft('300 ms')).toBe('fail');
    const memory = (value: string) => judgeOne(criterion({ metric: 'm', value }), [probeRun(resultWith([{ metric: 'm', value: 81559, unit: 'MiB' }]))]).state;
    expect(memory('79 GiB')).toBe('pass');
    expect(memory('80 GiB')).toBe('fail');
    expect(memory('85 GB')).toBe('pass');
  });

  it('shows what was measured in the unit of what was expected, and no value as if it met the bound', () => {
    const shown = (value: number, expected: string): string | undefined => judgeOne(criterion({ metric: 'vllm.ttft', comparator: '<=', value: expected }), [probeRun(resultWith([{ metric: 'vllm.ttft', value, unit: 's' }]))]).measured;
    expect([shown(0.238576, '500 ms'), shown(0.238576, '1 s'), shown(0.5000000001, '500 ms'), shown(0.57, '570 ms')]).toEqual(['238.576 ms', '0.238576 s', '500.0000001 ms', '570 ms']);
  });

  it('compares text without regard to case, and lists', () => {
    const remap: Measurement[] = [{ metric: 'gpu.remap.pending', value: 'No' }];
    expect(state({ metric: 'gpu.remap.pending', comparator: '==', value: 'no' }, remap)).toBe('pass');
    expect(state({ metric: 'gpu.remap.pending', comparator: '!=', value: 'No' }, remap)).toBe('fail');
    expect(state({ metric: 'gpu.remap.pending', comparator: 'in', value: ['No', 'N/A'] }, remap)).toBe('pass');
    expect(state({ metric: 'n', comparator: 'in', value: [4, 8] }, [{ metric: 'n', value: 8 }])).toBe('pass');
    expect(state({ metric: 'n', comparator: 'in', value: [4, 8] }, [{ metric: 'n', value: 6 }])).toBe('fail');
  });

  it.each([
    ['min', 1],
    ['max', 9],
    ['mean', 4],
    ['median', 2],
    ['p90', 9],
    ['last', 4],
    ['sum', 16],
    ['count', 4],
  ] as const)('reduces by %s', (statistic, expected) => {
    const measurements = [1, 9, 2, 4].map((value) => ({ metric: 'n', value }));
    const verdict = judgeOne(criterion({ metric: 'n', statistic, comparator: '==', value: expected }), [probeRun(resultWith(measurements))]);
    expect(verdict).toMatchObject({ state: 'pass', measuredValue: expected });
  });

  it('matches labels by beginning when they end with a star', () => {
    const links = [
      { metric: 'topology.link', value: 'NV18', labels: { from: 'GPU0', to: 'GPU1' } },
      { metric: 'topology.link', value: 'PXB', labels: { from: 'GPU0', to: 'NIC0' } },
    ];
    const labels = { from: 'GPU*', to: 'GPU*' };
    expect(state({ metric: 'topology.link', labels, comparator: '==', value: 'NV18' }, links)).toBe('pass');
  });
});

describe('the context of a threshold', () => {
  const collective = (over: object = {}) =>
    probeRun(
      resultWith([{ ...busbw(461, { collective: 'all_reduce', sizeBytes: '8589934592' }) }, { metric: 'nccl.ranks', value: 8 }, { metric: 'nccl.nodes', value: 1 }], { probe: 'nccl-tests' }),
      { entry: 'collective', ...over },
    );
  const log = (measurements: Measurement[]) => probeRun(resultWith(measurements, { probe: 'nccl-debug' }), { entry: 'transport', from: 'collective' });
  const peerToPeer: Measurement = { metric: 'nccl.transport', value: 48, labels: { kind: 'P2P' } };
  const topology = (link: string) => probeRun(resultWith([{ metric: 'topology.link', value: link, labels: { from: 'GPU0', to: 'GPU1' } }], { probe: 'nvidia-smi-topo' }));
  const judged = (context: Criterion['context'], ...more: ReturnType<typeof probeRun>[]) => judgeOne(criterion({ probe: 'collective', ...(context ? { context } : {}) }), [collective(), ...more]);

  it('lets a matching measurement pass', () => {
    expect(judged({ ranks: 8, nodes: 1, collective: 'all_reduce', messageSize: '8 GiB' }).state).toBe('pass');
  });

  it.each<[string, Criterion['context']]>([
    ['ranks', { ranks: 16 }],
    ['nodes', { nodes: 2 }],
    ['collective', { collective: 'all_gather' }],
    ['messageSize', { messageSize: '8 GB' }],
    ['a fact that the evidence does not hold', { precision: 'fp8' }],
    ['a load point that the evidence does not hold', { load: { concurrency: 32 } }],
  ])('is inconclusive for another value of %s', (_, context) => {
    expect(judged(context)).toMatchObject({ state: 'inconclusive', measured: '461 GB/s' });
  });

  it('needs two proofs for NVLink', () => {
    const context = { fabric: 'NVLink' };
    expect(judged(context).state).toBe('inconclusive');
    expect(judged(context, log([peerToPeer])).state).toBe('inconclusive');
    expect(judged(context, log([peerToPeer]), topology('PHB')).state).toBe('inconclusive');
    expect(judged(context, log([peerToPeer, { metric: 'nccl.transport', value: 2, labels: { kind: 'SHM' } }]), topology('NV18')).state).toBe('inconclusive');
    expect(judged(context, log([peerToPeer]), topology('NV18')).state).toBe('pass');
  });

  it('takes the network from the log when traffic leaves the node', () => {
    const sockets = log([{ metric: 'nccl.transport', value: 8, labels: { kind: 'NET/Socket' } }, { metric: 'nccl.network', value: 'Socket' }]);
    expect(judged({ fabric: 'IB' }, sockets).state).toBe('inconclusive');
    expect(judged({ fabric: 'Socket' }, sockets).state).toBe('pass');
  });
});
