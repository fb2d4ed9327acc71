import { describe, expect, it } from 'vitest';
import { parseText } from '../parse';
import { expectNeverCleaner } from '../testing/mutations';
import { probe } from './index';

interface TableOptions {
  sizes?: number[];
  ranks?: number;
  hosts?: number;
  busBandwidthGBps?: number;
  wrong?: number;
  footer?: boolean;
  prefix?: string;
}

/** A table that agrees with itself, as the tool would print it. */
function table({ sizes = [8_388_608, 1_073_741_824], ranks = 8, hosts = 1, busBandwidthGBps = 430, wrong = 0, footer = true, prefix = '' }: TableOptions = {}): string {
  const factor = (2 * (ranks - 1)) / ranks;
  const rankLines = Array.from({ length: ranks }, (_, rank) => `#  Rank ${String(rank).padStart(2)} Group  0 Pid  ${900 + rank} on node${Math.floor((rank * hosts) / ranks)} device ${String(rank % 8).padStart(2)} [0000:${(16 + rank).toString(16)}:00] NVIDIA H100 80GB HBM3`);
  const cells: number[] = [];
  const rows = sizes.map((size) => {
    const algbw = (busBandwidthGBps / factor) * (size > 1e8 ? 1 : 0.2);
    const half = (check: number): string => {
      const busbw = algbw * factor;
      cells.push(Number(busbw.toFixed(2)));
      return `${(size / algbw / 1e3).toFixed(2)} ${algbw.toFixed(2)} ${busbw.toFixed(2)} ${check}`;
    };
    return `${size} ${size / 4} float sum -1 ${half(wrong)} ${half(0)}`;
  });
  const average = cells.reduce((a, b) => a + b, 0) / cells.length;
  const lines = [
    '# nccl-tests version 2.18.1 nccl-headers=22803 nccl-library=22803',
    '# Collective test starting: all_reduce_perf',
    '# nThread 1 nGpus 8 minBytes 8388608 maxBytes 1073741824 step: 2(factor) warmup iters: 5 iters: 20 agg iters: 1 validation: 1 graph: 0',
    '#',
    '# Using devices',
    ...rankLines,
    '#',
    '#       size         count      type   redop    root     time   algbw   busbw  #wrong     time   algbw   busbw  #wrong',
    '#        (B)    (elements)                               (us)  (GB/s)  (GB/s)             (us)  (GB/s)  (GB/s)',
    ...rows,
    ...(footer ? [`# Out of bounds values : ${wrong > 0 ? `${sizes.length} FAILED` : '0 OK'}`, `# Avg bus bandwidth    : ${average.toPrecision(6)}`, '#', '# Collective test concluded: all_reduce_perf', '#', ''] : ['']),
  ];
  return lines.map((line) => prefix + line).join('\n');
}

const parse = (text: string, end = {}) => parseText(probe, text, end);
const values = (text: string, metric: string) => parse(text).measurements.filter((measurement) => measurement.metric === metric).map(({ value }) => value);
const codes = (text: string, end = {}) => parse(text, end).reasons.map(({ code }) => code);

describe('nccl-tests', () => {
  it('reads rows, footer, ranks and nodes, with the line of each row', () => {
    const result = parse(table({ ranks: 16, hosts: 2 }), { exitCode: 0 });
    expect(result).toMatchObject({ outcome: 'measured', reasons: [], context: { ncclTestsVersion: '2.18.1', collective: 'all_reduce' } });
    expect(result.measurements.find(({ metric }) => metric === 'nccl.busbw')).toMatchObject({ value: 86, unit: 'GB/s', labels: { collective: 'all_reduce', sizeBytes: '8388608', place: 'out' }, line: 25 });
    expect(values(table({ ranks: 16, hosts: 2 }), 'nccl.ranks')).toEqual([16]);
    expect(values(table({ ranks: 16, hosts: 2 }), 'nccl.nodes')).toEqual([2]);
  });

  it.each(['[1,0]<stdout>:', '0: ', '(worker pid=4711, ip=192.0.2.8) ', '2026-11-30 10:11:12.345 ', 'node1: '])('sees through the launcher prefix %j', (prefix) => {
    expect(parse(table({ prefix })).outcome).toBe('measured');
  });

  it('is not disturbed by the log of the library between the rows', () => {
    const noisy = table().replace('1073741824 268435456', 'node0:900:911 [0] NCCL INFO Channel 00/0 : 0[0] -> 1[1] via P2P/CUMEM\n1073741824 268435456');
    expect(parse(noisy).outcome).toBe('measured');
  });

  it('fails on wrong values', () => {
    expect(parse(table({ wrong: 12 })).outcome).toBe('failed');
    expect(values(table({ wrong: 12 }), 'nccl.wrong')).toEqual([12, 0, 12, 0]);
  });

  it('does not take an unchecked test for a checked one', () => {
    const unchecked = table().replace(/ 0(?=\s|$)/gm, (match, offset: number, text: string) => (/^\d+ \d+ float/.test(text.slice(text.lastIndexOf('\n', offset) + 1)) ? ' N/A' : match));
    expect(values(unchecked, 'nccl.wrong')).toEqual([]);
  });

  it.each<[string, string, string]>([
    ['there is no footer', table({ footer: false }), 'nccl.no-footer'],
    ['a row is cut', `${table({ footer: false }).trimEnd()}\n2147483648 536870912 float sum -1 7012.3`, 'nccl.cut-row'],
    ['a time was changed', table().replace(/(\d+\.\d\d) (\d+\.\d\d) (\d+\.\d\d) 0/, '11.11 $2 $3 0'), 'nccl.inconsistent-row'],
    ['a bandwidth was changed', table({ sizes: [1_073_741_824] }).replace(' 430.00 ', ' 480.00 '), 'nccl.inconsistent-row'],
    ['a row was taken out', table({ sizes: [8_388_608, 134_217_728, 1_073_741_824] }).replace(/^8388608 .*\n/m, ''), 'nccl.average-does-not-fit'],
    ['rank lines are missing', table({ ranks: 16 }).replace(/^#  Rank (8|9|1\d) .*\n/gm, ''), 'nccl.ranks-do-not-fit'],
    ['only one rank ran', table({ ranks: 1, busBandwidthGBps: 0 }), 'nccl.one-rank'],
    ['two ranks share a GPU', table().replace('[0000:11:00]', '[0000:10:00]'), 'nccl.shared-gpu'],
    ['it hangs after the start', table().split('\n').slice(0, 14).join('\n'), 'nccl.no-rows'],
    ['the library failed', 'node0: Test NCCL failure common.cu:958 \'unhandled system error (run with NCCL_DEBUG=INFO for details)\'\n', 'nccl.failure'],
    ['it is empty', '', 'parse.nothing-measured'],
  ])('is inconclusive when %s', (_, text, code) => {
    expect(parse(text).outcome).toBe('inconclusive');
    expect(codes(text)).toContain(code);
  });

  it('names a driver that is too old as a fault of the machine', () => {
    expect(parse("gpu1: Test CUDA failure common.cu:1101 'CUDA driver version is insufficient for CUDA runtime version'\n").outcome).toBe('failed');
  });

  it.each([1, 3, 137, null])('does not believe a whole table behind exit code %s', (exitCode) => {
    expect(parse(table(), { exitCode }).outcome).toBe('inconclusive');
  });

  it('reads several tests in one file, each with its own collective', () => {
    const second = table().replaceAll('all_reduce', 'broadcast').replace(/(\d+\.\d\d) (\d+\.\d\d) (\d+\.\d\d) 0/g, '$1 $2 $2 0').replace(/# Avg.*/, '# Avg bus bandwidth    : 147.429');
    const result = parse(table() + second);
    expect(result.outcome).toBe('measured');
    expect(new Set(result.measurements.flatMap(({ labels }) => labels?.['collective'] ?? []))).toEqual(new Set(['all_reduce', 'broadcast']));
  });

  it('is never cleaner when cut or damaged', () => {
    expect(expectNeverCleaner(probe, table({ wrong: 3 }))).toBeGreaterThan(500);
    expect(expectNeverCleaner(probe, table({ footer: false }))).toBeGreaterThan(500);
  });

  it('plans the named collective with the log that proves the transport', () => {
    const host = { tools: { all_gather_perf: { path: '/opt/nccl-tests/build/all_gather_perf' } }, isRoot: false, gpuCount: 8 };
    expect(probe.plan!({ collective: 'all_gather', maxBytes: '1G' }, host)).toMatchObject({
      argv: ['/opt/nccl-tests/build/all_gather_perf', '-b', '8M', '-e', '1G', '-f', '2', '-g', '8', '-c', '1', '-n', '20', '-w', '5'],
      env: { NCCL_DEBUG: 'INFO' },
      invasive: true,
    });
    expect(probe.plan!({}, host)).toMatchObject({ kind: 'unprovable' });
  });
});
