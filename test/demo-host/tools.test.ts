import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ParseResult } from '../../core/probes/contract';
import { parseText } from '../../core/probes/parse';
import { findProbe } from '../../core/probes/registry';
import { ROOT } from '../cli/command-line';
import { Sandbox, toolsEntry } from './sandbox';
import { isScenario, type ScenarioName } from './scenarios';

const SPEED = 1000;
let sandbox: Sandbox;
beforeAll(() => {
  sandbox = new Sandbox(toolsEntry(ROOT));
});
afterAll(() => sandbox.dispose());

interface Said {
  stdout: string;
  exitCode: number | null;
}

function call(command: string, { scenario = 'healthy', seed = 1 }: { scenario?: ScenarioName; seed?: number } = {}): Said {
  const [program, ...args] = command.split(' ');
  const { stdout, status } = spawnSync(join(sandbox.bin, program!), args, { encoding: 'utf8', env: { ...sandbox.environment(scenario, seed, SPEED), NCCL_DEBUG: 'INFO' } });
  return { stdout, exitCode: status };
}

function parse(id: string, { stdout, exitCode }: Said): ParseResult {
  const probe = findProbe(id);
  if (!probe) throw new Error(`There is no probe ${id}.`);
  return parseText(probe, stdout, { exitCode });
}

const COMMANDS = [
  ['nvidia-smi-list', 'nvidia-smi -L'],
  ['nvidia-smi-query', 'nvidia-smi --query-gpu=index,uuid,name,memory.total,remapped_rows.pending --format=csv'],
  ['nvidia-smi-topo', 'nvidia-smi topo -m'],
  ['nvidia-smi-nvlink', 'nvidia-smi nvlink -s'],
  ['nvidia-smi-xml', 'nvidia-smi -q -x'],
  ['dcgmi-discovery', 'dcgmi discovery -l'],
  ['dcgmi-diag', 'dcgmi diag -r 1 -j'],
  ['dcgmi-diag', 'dcgmi diag -r 3 -j'],
  ['dcgmi-diag', 'dcgmi diag -r 2'],
  ['dcgmi-dmon', 'dcgmi dmon -e 203,150,155,100 -d 1000 -c 3'],
  ['dcgmi-health', 'dcgmi health -g 0 -c -j'],
  ['dcgmi-health', 'dcgmi health -g 0 -c'],
  ['dcgmi-nvlink', 'dcgmi nvlink -s'],
  ['kernel-xid', 'dmesg'],
  ['nccl-tests', 'all_reduce_perf -b 8M -e 8G -f 2 -g 8'],
  ['nccl-tests', 'all_gather_perf -b 1M -e 1G -f 2 -g 4'],
  ['nccl-debug', 'all_reduce_perf -b 8M -e 16M -f 2 -g 8'],
] as const;

describe("the demo machine's programs", () => {
  it.each(COMMANDS)('%s measures a healthy machine from `%s`', (id, command) => {
    const result = parse(id, call(command));
    expect(result.outcome, JSON.stringify(result.reasons)).toBe('measured');
    expect(result.reasons.filter(({ severity }) => severity === 'error')).toEqual([]);
    expect(result.measurements.length).toBeGreaterThan(0);
  });

  it.each([
    ['ecc-remap-pending', 'nvidia-smi-xml', 'nvidia-smi -q -x', 'failed'],
    ['ecc-remap-pending', 'dcgmi-diag', 'dcgmi diag -r 2', 'failed'],
    ['ecc-remap-pending', 'dcgmi-diag', 'dcgmi diag -r 1 -j', 'failed'],
    ['gpu-missing', 'kernel-xid', 'dmesg', 'failed'],
    ['driver-mismatch', 'kernel-xid', 'dmesg', 'failed'],
    ['driver-mismatch', 'nvidia-smi-list', 'nvidia-smi -L', 'failed'],
    ['driver-mismatch', 'dcgmi-discovery', 'dcgmi discovery -l', 'inconclusive'],
    ['driver-mismatch', 'nccl-tests', 'all_reduce_perf -g 8', 'failed'],
    ['gpu-missing', 'nccl-tests', 'all_reduce_perf -g 8', 'inconclusive'],
  ] as const)('on %s, %s finds `%s` %s', (scenario, id, command, outcome) => {
    expect(parse(id, call(command, { scenario })).outcome).toBe(outcome);
  });

  it('warns of a waiting row remap in the health of DCGM, and shows its Xid', () => {
    const health = parse('dcgmi-health', call('dcgmi health -g 0 -c -j', { scenario: 'ecc-remap-pending' }));
    expect(health.measurements).toContainEqual(expect.objectContaining({ metric: 'dcgm.health', value: 'warning' }));
    const log = parse('kernel-xid', call('dmesg', { scenario: 'ecc-remap-pending' }));
    expect(log.measurements).toContainEqual(expect.objectContaining({ metric: 'gpu.xid', value: 63, labels: { pci: '0000:c3:00' } }));
  });

  it('says of TCP what NCCL would say', () => {
    const { measurements } = parse('nccl-debug', call('all_reduce_perf -b 8M -e 16M -f 2 -g 8', { scenario: 'tcp-fallback' }));
    expect(measurements).toContainEqual(expect.objectContaining({ metric: 'nccl.network', value: 'Socket' }));
  });

  it('gives the same numbers for the same seed and others for another one', () => {
    const sweep = (seed: number): string => call('all_reduce_perf -b 8M -e 8G -f 2 -g 8', { seed }).stdout.replace(/\d+:\d+ \[|Pid +\d+/g, '');
    expect(call('nvidia-smi -L', { seed: 7 })).toEqual(call('nvidia-smi -L', { seed: 7 }));
    expect(call('nvidia-smi -L', { seed: 8 })).not.toEqual(call('nvidia-smi -L', { seed: 7 }));
    expect(sweep(7)).not.toBe(sweep(8));
  });

  it('refuses what the real tools refuse', () => {
    expect(call('nvidia-smi --no-such-option').exitCode).toBe(2);
    expect(call('nvidia-smi --query-gpu=no.such.field --format=csv').stdout).toContain('is not a valid field to query');
    expect(call('dcgmi nonsense').exitCode).not.toBe(0);
    expect(isScenario('no-such-scenario')).toBe(false);
  });
});
