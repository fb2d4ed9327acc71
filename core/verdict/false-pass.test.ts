import { describe, expect, it } from 'vitest';
import type { Criterion } from '../../schemas';
import type { ParseResult, StreamEnd } from '../probes/contract';
import { parseText } from '../probes/parse';
import { findProbe } from '../probes/registry';
import { judgeRuns, probeRun, problem, resultWith } from './testing';

/**
 * Ways in which test suites for GPU machines were publicly reported to have passed a bad machine. Each is tried here on the
 * verdict itself: whatever went wrong on the way, the card must not end as accepted.
 */

const parse = (id: string, text: string, end: StreamEnd = {}): ParseResult => parseText(findProbe(id)!, text, end);
const count: Criterion = { id: 'gpu-count', metric: 'gpu.count', comparator: '==', value: 8 };
const diag: Criterion = { id: 'diag', metric: 'dcgm.diag.status', comparator: '==', value: 'pass' };
const busbw: Criterion = { id: 'busbw', metric: 'nccl.busbw', comparator: '>=', value: '440 GB/s' };
const eight = probeRun(resultWith([{ metric: 'gpu.count', value: 8 }]));

/** A diagnostic report of DCGM 4 with one result a GPU. */
const report = (statuses: string[], over: object = {}): string =>
  JSON.stringify({
    'DCGM Diagnostic': {
      test_categories: [{ category: 'Hardware', tests: [{ name: 'memory', results: statuses.map((status, entity_id) => ({ entity_group: 'GPU', entity_group_id: 1, entity_id, status, ...over })), test_summary: { status: 'Pass' } }] }],
    },
    metadata: { version: '4.3.1' },
  });

const diagRun = (text: string, end: StreamEnd = { exitCode: 0 }) => probeRun(parse('dcgmi-diag', text, end));

describe('never accepted', () => {
  it.each<[mechanism: string, criteria: Criterion[], runs: ReturnType<typeof probeRun>[]]>([
    ['a metric that is missing counts as no violation', [count, { ...count, id: 'missing', metric: 'nvlink.active' }], [eight]],
    ['NaN counts as no violation', [busbw], [probeRun(resultWith([{ metric: 'nccl.busbw', value: Number.NaN, unit: 'GB/s' }]))]],
    ['a rule for a test that gave nothing is only logged', [count, busbw], [eight, probeRun(resultWith([], { probe: 'nccl-tests' }))]],
    ['no results at all end as success', [count], []],
    ['an exception while reading a value skips its evaluation', [count], [probeRun(resultWith([{ metric: 'gpu.count', value: 8 }], { outcome: 'inconclusive', reasons: [problem('x', 'The output cannot be read.')] }))]],
    ['a threshold that cannot be read is no threshold', [{ ...busbw, value: 'fast enough' }], [probeRun(resultWith([{ metric: 'nccl.busbw', value: 470, unit: 'GB/s' }]))]],
    ['a unit mismatch is only a warning', [{ ...busbw, value: '440 MHz' }], [probeRun(resultWith([{ metric: 'nccl.busbw', value: 470, unit: 'GB/s' }]))]],
    ['a check over its time keeps the old result', [count], [probeRun(parse('nvidia-smi-list', 'GPU 0: NVIDIA H100 80GB HBM3 (UUID: GPU-0)\n', { cut: 'timeout', exitCode: null }))]],
    ['a missing tool prints an error and exits 0', [count], [probeRun(parse('nvidia-smi-list', 'sh: 1: nvidia-smi: not found\n', { exitCode: 0 }))]],
    ['an unsupported combination is a passing skip', [count, busbw], [eight, probeRun(undefined, { probe: 'nccl-tests', notRun: problem('nccl.not-installed', 'There is no nccl-tests.') })]],
    ['an unsupported platform exits 0', [diag], [diagRun('Unsupported platform.\n')]],
    ['a skip has the rank of a pass', [diag], [diagRun(report(['Skip', 'Skip']))]],
    ['some skips beside passes are passes', [diag], [diagRun(report(['Pass', 'Skip']))]],
    ['only the first GPU’s result is read', [diag], [diagRun(report(['Pass', 'Pass', 'Pass', 'Fail']))]],
    ['"Successfully ran diagnostic" is read as success', [diag], [diagRun('Successfully ran diagnostic for group.\n')]],
    ['an unknown state has the lowest rank', [count, { ...count, id: 'other', metric: 'mig.count' }], [eight]],
    ['an error that a passed test recorded is not read', [diag], [diagRun(report(['Pass'], { warnings: [{ warning: 'Allocation failed.', error_id: 14, error_severity: 1 }] }))]],
    ['health says healthy while a GPU needs a reset', [{ id: 'health', metric: 'dcgm.health', comparator: '==', value: 'healthy' }], [probeRun(parse('dcgmi-health', '{"body":{"Overall Health":{"value":"Healthy"}}}\n', { exitCode: 0 })), probeRun(parse('nvidia-smi-query', 'index, uuid, remapped_rows.pending\n0, GPU-0, Yes\n', { exitCode: 0 }))]],
    ['a machine that cannot be reached passes silently', [count], [probeRun(undefined, { notRun: problem('run.connection-lost', 'The connection was lost.') })]],
    ['a gate is green without a measurement', [{ ...count, level: 'advisory' }], [eight]],
    ['one rank measures nothing between GPUs', [{ ...busbw, metric: 'nccl.wrong', comparator: '==', value: 0 }], [probeRun(parse('nccl-tests', '# nThread 1 nGpus 1 minBytes 8 maxBytes 8\n#  Rank  0 Group  0 Pid 1 on a device  0 [0000:1b:00] H100\n8 2 float sum -1 1.00 0.01 0.00 0 1.00 0.01 0.00 0\n# Out of bounds values : 0 OK\n# Avg bus bandwidth    : 0\n', { exitCode: 0 }))]],
    ['a number from another fabric meets the threshold', [{ ...busbw, context: { fabric: 'NVLink' } }], [probeRun(resultWith([{ metric: 'nccl.busbw', value: 470, unit: 'GB/s' }]))]],
    ['a quantile above the last bucket is its bound', [{ id: 'ttft', metric: 'vllm.ttft', labels: { stat: 'p95' }, comparator: '<=', value: '30 s' }], [probeRun(resultWith([{ metric: 'vllm.ttft', value: 20, unit: 's', labels: { stat: 'p95', bound: 'lower' }, interval: { low: 20 } }]))]],
    ['a failed load run reports zero latency', [{ id: 'gpus', metric: 'gpu.count', comparator: '==', value: 8 }], [probeRun(parse('vllm-metrics', '# TYPE python_info gauge\npython_info 1\n', { exitCode: 0 })), eight]],
  ])('%s', (_, criteria, runs) => {
    expect(judgeRuns(criteria, runs).state).not.toBe('accepted');
  });

  it('accepts the same shapes when nothing is wrong, so that this file tests the faults and not the shapes', () => {
    expect(judgeRuns([count], [eight]).state).toBe('accepted');
    expect(judgeRuns([diag], [diagRun(report(['Pass', 'Pass']))]).state).toBe('accepted');
    expect(judgeRuns([busbw], [probeRun(resultWith([{ metric: 'nccl.busbw', value: 470, unit: 'GB/s' }]))]).state).toBe('accepted');
  });
});
