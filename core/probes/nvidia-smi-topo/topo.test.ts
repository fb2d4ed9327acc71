import { describe, expect, it } from 'vitest';
import type { ParseResult } from '../contract';
import { TOPOLOGY } from '../nvidia-smi/testing/fixtures';
import { parseText } from '../parse';
import { expectNeverCleaner } from '../testing/mutations';
import { probe } from './index';

const find = ({ measurements }: ParseResult, metric: string, labels: Record<string, string> = {}): number | string | undefined =>
  measurements.find((found) => found.metric === metric && Object.entries(labels).every(([key, value]) => found.labels?.[key] === value))?.value;

const withBlanks = (text: string): string => text.replace(/\t+/g, '    ');

describe('nvidia-smi topo -m', () => {
  it('reads devices, links, affinities and the NIC legend', () => {
    const result = parseText(probe, TOPOLOGY);
    expect(result.outcome).toBe('measured');
    expect(find(result, 'gpu.count')).toBe(4);
    expect(find(result, 'nic.count')).toBe(2);
    expect(find(result, 'topology.link', { from: 'GPU0', to: 'GPU3' })).toBe('NV6');
    expect(find(result, 'topology.link', { from: 'GPU3', to: 'NIC1' })).toBe('NODE');
    expect(find(result, 'topology.cpu_affinity', { gpu: '2' })).toBe('24-47,72-95');
    expect(find(result, 'topology.numa_affinity', { gpu: '2' })).toBe('1');
    expect(find(result, 'topology.gpu_numa_id', { gpu: '2' })).toBeUndefined();
    expect(find(result, 'nic.name', { nic: 'NIC1' })).toBe('mlx5_bond_0');
    expect(result.measurements.filter(({ metric }) => metric === 'topology.link')).toHaveLength(15);
  });

  it('reads copies with blanks instead of tabs', () => {
    const result = parseText(probe, withBlanks(TOPOLOGY));
    expect(result.outcome).toBe('measured');
    expect(find(result, 'topology.link', { from: 'GPU2', to: 'NIC1' })).toBe('PHB');
    expect(find(result, 'topology.cpu_affinity', { gpu: '3' })).toBe('24-47,72-95');
  });

  it('reads old tables with device names as titles and without NUMA columns', () => {
    const text = '\tGPU0\tGPU1\tmlx5_0\tCPU Affinity\nGPU0\t X \tSOC\tPIX\t0-9\nGPU1\tSOC\t X \tSOC\t10-19\nmlx5_0\tPIX\tSOC\t X \t\n';
    const result = parseText(probe, text);
    expect(result.outcome).toBe('measured');
    expect(find(result, 'topology.link', { from: 'GPU0', to: 'mlx5_0' })).toBe('PIX');
  });

  it.each([
    ['escape codes that lost their escape character', TOPOLOGY.replace(/\x1b/g, ''), 'measured'],
    ['escape characters that were replaced', TOPOLOGY.replace(/\x1b/g, '\ufffd'), 'measured'],
    ['a legend without indentation', TOPOLOGY.replace(/^ +/gm, ''), 'measured'],
    ['one blank between all words', TOPOLOGY.replace(/\x1b\[\d+m/g, '').replace(/[\t ]+/g, ' ').replace(/^ /gm, ''), 'measured'],
    ['the prompt of a shell before and behind it', `[me@node-3 ~]$ nvidia-smi topo -m\n${TOPOLOGY}\n(base) [me@node-3 ~]$ \n`, 'measured'],
    ['a title above it', `GPU Topology:\n=============\n${TOPOLOGY}`, 'measured'],
    ['an unknown line above it', `GPU Topology is not whole\n${TOPOLOGY}`, 'inconclusive'],
  ])('reads a copy with %s', (_what, text, outcome) => {
    const result = parseText(probe, text);
    expect(result.outcome).toBe(outcome);
    expect(find(result, 'topology.link', { from: 'GPU0', to: 'GPU3' })).toBe('NV6');
    expect(find(result, 'topology.cpu_affinity', { gpu: '3' })).toBe('24-47,72-95');
  });

  it('finds the column of a lone word by its place', () => {
    const copy = (row: string): string => `        GPU0    CPU Affinity    NUMA Affinity   GPU NUMA ID\n${row}\n`;
    const result = parseText(probe, copy('GPU0     X                      1               N/A'));
    expect(result.outcome).toBe('measured');
    expect([find(result, 'topology.cpu_affinity'), find(result, 'topology.numa_affinity')]).toEqual([undefined, '1']);
    expect(parseText(probe, copy('GPU0     X         1')).outcome).toBe('inconclusive');
  });

  it('leaves an affinity out that a container hides', () => {
    const result = parseText(probe, '\tGPU0\tCPU Affinity\tNUMA Affinity\tGPU NUMA ID\nGPU0\t X \t\tN/A\t\tN/A\n');
    expect(result.outcome).toBe('measured');
    expect(find(result, 'topology.cpu_affinity')).toBeUndefined();
  });

  it('reads lists of CPUs with a numeric GPU NUMA id', () => {
    const result = parseText(probe, '\tGPU0\tCPU Affinity\tNUMA Affinity\tGPU NUMA ID\nGPU0\t X \t0,3-9,11-17\t0,2-9\t\t1\n');
    expect(find(result, 'topology.cpu_affinity', { gpu: '0' })).toBe('0,3-9,11-17');
    expect(find(result, 'topology.gpu_numa_id', { gpu: '0' })).toBe('1');
  });

  it('tells that a virtual machine hides the topology instead of failing', () => {
    const row = (gpu: number): string => `GPU${gpu}\t${[0, 1].map((other) => (other === gpu ? ' X ' : 'PHB')).join('\t')}\t0-31\t0\t\tN/A`;
    const result = parseText(probe, `\tGPU0\tGPU1\tCPU Affinity\tNUMA Affinity\tGPU NUMA ID\n${row(0)}\n${row(1)}\n`);
    expect(result.outcome).toBe('measured');
    expect(result.reasons).toContainEqual(expect.objectContaining({ code: 'topology.hidden', severity: 'warning' }));
  });

  it.each([
    ['a missing row', TOPOLOGY.replace(/GPU3\tNV6.*\n/, '')],
    ['a cell that is no link', TOPOLOGY.replace('NV6\tPXB\tSYS\t0-23', 'NV6\tPXB\tSY24\t0-23')],
    ['a matrix that disagrees with itself', TOPOLOGY.replace('GPU3\tNV6', 'GPU3\tSYS')],
    ['a row that appears twice', TOPOLOGY.replace('GPU1\tNV6\t X', 'GPU0\t X \tNV6')],
    ['lost separators', TOPOLOGY.replace('NV6\tPXB', 'NV6PXB')],
    ['a NIC legend that is cut', TOPOLOGY.replace('  NIC1: mlx5_bond_0\n', '')],
    ['another table', '\tGPU0\tGPU1\t\nGPU0\tX\tOK\t\nGPU1\tOK\tX\t\n'],
    ['nothing', ''],
  ])('is inconclusive with %s', (_what, text) => {
    expect(parseText(probe, text).outcome).toBe('inconclusive');
  });

  it('never becomes cleaner when it is damaged', () => {
    expectNeverCleaner(probe, TOPOLOGY, {}, { count: 800 });
    expectNeverCleaner(probe, TOPOLOGY.replace('NV6\tPXB', 'NV6PXB'));
    expectNeverCleaner(probe, 'Failed to initialize NVML: Driver/library version mismatch\n');
  });
});
