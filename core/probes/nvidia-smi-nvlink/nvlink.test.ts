import { describe, expect, it } from 'vitest';
import type { ParseResult } from '../contract';
import { linksOf, uuidOf } from '../nvidia-smi/testing/fixtures';
import { parseText } from '../parse';
import { expectNeverCleaner } from '../testing/mutations';
import { probe } from './index';

const valueOf = ({ measurements }: ParseResult, metric: string, gpu: string): number | string | undefined =>
  measurements.find((found) => found.metric === metric && found.labels?.['gpu'] === gpu)?.value;

const codes = (result: ParseResult): string[] => result.reasons.map(({ code }) => code);

describe('nvidia-smi nvlink -s', () => {
  it('counts links and gives the speed of one', () => {
    const result = parseText(probe, linksOf(0, 18) + linksOf(1, 18));
    expect(result.outcome).toBe('measured');
    expect([valueOf(result, 'nvlink.active', '1'), valueOf(result, 'nvlink.inactive', '1'), valueOf(result, 'nvlink.speed', '1')]).toEqual([18, 0, 53.125]);
  });

  it('keeps inactive links out of the speed', () => {
    const result = parseText(probe, `${linksOf(0, 4)}\t Link 4: <inactive>\n`);
    expect(result.outcome).toBe('measured');
    expect([valueOf(result, 'nvlink.active', '0'), valueOf(result, 'nvlink.inactive', '0'), valueOf(result, 'nvlink.speed', '0')]).toEqual([4, 1, 53.125]);
    expect(codes(result)).toContain('nvlink.inactive');
  });

  it('gives the slowest link when they differ', () => {
    const result = parseText(probe, `${linksOf(0, 3)}\t Link 3: 26.562 GB/s\n`);
    expect(valueOf(result, 'nvlink.speed', '0')).toBe(26.562);
    expect(codes(result)).toContain('nvlink.uneven-speed');
  });

  it.each([
    ['NVML: Unable to retrieve NVLink information as all links are inActive', 'nvlink.all-inactive'],
    ['NVML: Unable to retrieve Nvlink information as all links are inactive', 'nvlink.all-inactive'],
    ['Nvlink queries are not supported for Devices in MIG mode', 'nvlink.mig'],
    ['Device does not have or support Nvlink', 'nvlink.not-supported'],
    ['\t NVML: Unable to retrieve NVLink information: Not Supported', 'nvlink.not-supported'],
    ['\t Link 0: [Unknown Error]', 'nvlink.unknown-state'],
    ['', 'nvlink.no-links'],
  ])('is inconclusive when a GPU says %j, whatever the others say', (text, code) => {
    const result = parseText(probe, `${linksOf(0, 18)}GPU 1: NVIDIA B200 (UUID: ${uuidOf(1)})\n${text}\n`);
    expect(result.outcome).toBe('inconclusive');
    expect(codes(result)).toContain(code);
    expect(valueOf(result, 'nvlink.active', '0')).toBe(18);
    expect(valueOf(result, 'nvlink.speed', '1')).toBeUndefined();
  });

  it('reads the error counters of nvlink -e, and takes them for no links', () => {
    const counters = (gpu: number, values: readonly number[]): string =>
      `GPU ${gpu}: NVIDIA B200 (UUID: ${uuidOf(gpu)})\n${values.map((value, at) => `\t Link ${at >> 1}: ${['Replay', 'CRC'][at & 1]} Errors: ${value}\n`).join('')}`;
    const result = parseText(probe, counters(0, [0, 0, 0, 7]) + counters(1, [0, 0, 0, 0]));
    expect(result).toMatchObject({ outcome: 'measured', reasons: [{ code: 'nvlink.errors', severity: 'warning', line: 5 }] });
    expect(result.measurements).toContainEqual({ metric: 'nvlink.errors', value: 7, labels: { gpu: '0', link: '1', kind: 'crc' }, line: 5 });
    expect(result.measurements.every(({ metric }) => metric === 'nvlink.errors')).toBe(true);
    expect(codes(parseText(probe, counters(0, [0, 0, 0, 0]) + counters(1, [0, 0, 0])))).toContain('nvlink.cut');
  });

  it.each(['\t Link 0, P2P is supported: true', '\t Link 0: Data Tx: 4711 KiB'])('does not count links in the report with %j', (text) => {
    const result = parseText(probe, `GPU 0: NVIDIA B200 (UUID: ${uuidOf(0)})\n${text}\n`);
    expect(result).toMatchObject({ outcome: 'inconclusive', measurements: [] });
    expect(codes(result)).toContain('nvlink.other-report');
  });

  it('sees that the last GPU was cut off', () => {
    expect(codes(parseText(probe, linksOf(0, 12) + linksOf(1, 5)))).toContain('nvlink.cut');
  });

  it('never becomes cleaner when it is damaged', () => {
    expectNeverCleaner(probe, linksOf(0, 6) + linksOf(1, 6));
    expectNeverCleaner(probe, `GPU 0: NVIDIA B200 (UUID: ${uuidOf(0)})\nNvlink queries are not supported for Devices in MIG mode\n`);
  });

  it('is unprovable in MIG mode', () => {
    const host = { tools: { 'nvidia-smi': { path: 'nvidia-smi' } }, isRoot: false };
    expect(probe.plan?.({}, { ...host, migEnabled: true })).toMatchObject({ kind: 'unprovable', reason: { code: 'nvlink.mig' } });
    expect(probe.plan?.({}, host)).toMatchObject({ argv: ['nvidia-smi', 'nvlink', '-s'] });
  });
});
