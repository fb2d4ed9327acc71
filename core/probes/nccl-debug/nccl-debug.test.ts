import { describe, expect, it } from 'vitest';
import { parseText } from '../parse';
import { expectNeverCleaner } from '../testing/mutations';
import { probe } from './index';

const info = (text: string, host = 'node0'): string => `${host}:41:57 [0] NCCL INFO ${text}\n`;
const warn = (text: string, host = 'node0'): string => `\n[2026-11-30 10:00:00] ${host}:41:57 [0] misc/x.cc:88 NCCL WARN ${text}\n`;
const parse = (text: string, end: object = { exitCode: 0 }) => parseText(probe, text, end);
const measured = (text: string): Record<string, unknown> => Object.fromEntries(parse(text).measurements.map(({ metric, labels, value }) => [`${metric}${labels ? `:${labels['kind']}` : ''}`, value]));

const NVLINK = info('Using network IB') + info('Channel 00/24 : 0 1 2 3') + info('Channel 00/0 : 0[0] -> 1[1] via P2P/CUMEM/read') + info('Channel 01/0 : 1[1] -> 0[0] via P2P/IPC') + info('24 coll channels, 0 collnet channels, 16 nvls channels, 32 p2p channels, 32 p2p channels per peer');

describe('nccl-debug', () => {
  it('counts channel lines by the kind of their path', () => {
    expect(measured(NVLINK)).toEqual({ 'nccl.network': 'IB', 'nccl.transport:P2P': 2, 'nccl.nvls_channels': 16 });
    expect(parse(NVLINK).outcome).toBe('measured');
  });

  it('fails on traffic over TCP', () => {
    const log = info('Using network Socket') + info('Channel 00/0 : 0[0] -> 8[0] [send] via NET/Socket/0');
    expect(parse(log)).toMatchObject({ outcome: 'failed', reasons: [{ code: 'nccl.tcp-fallback', line: 2 }] });
    expect(measured(log)).toMatchObject({ 'nccl.gdrdma': 0, 'nccl.network': 'Socket' });
  });

  it('does not take the control network for the data path', () => {
    expect(parse(info('Bootstrap : Using eth0:192.0.2.4<0>') + info('Using internal network plugin.')).outcome).toBe('inconclusive');
    expect(parse(info('Using network Socket') + info('Channel 00/0 : 0[0] -> 1[1] via P2P/IPC')).outcome).toBe('measured');
  });

  it('gives the share of channels with GPUDirect', () => {
    const log = info('Channel 00/0 : 0[0] -> 8[0] [send] via NET/IB/0/GDRDMA') + info('Channel 01/0 : 8[0] -> 0[0] [receive] via NET/IB/1');
    expect(parse(log)).toMatchObject({ outcome: 'measured', reasons: [{ code: 'nccl.no-gpudirect' }] });
    expect(measured(log)).toEqual({ 'nccl.transport:NET/IB': 2, 'nccl.gdrdma': 0.5 });
  });

  it('remarks shared memory and adapters that differ between hosts', () => {
    const log = info('NET/IB : Using [0]mlx5_0:1/IB [1]mlx5_1:1/IB; OOB eth0:192.0.2.1<0>', 'node0') + info('NET/IB : Using [0]mlx5_0:1/IB; OOB eth0:192.0.2.2<0>', 'node1') + info('Channel 00 : 0[0] -> 1[1] via SHM/direct/direct');
    expect(parse(log).reasons.map(({ code }) => code)).toEqual(['nccl.shared-memory', 'nccl.adapters-differ']);
  });

  it('names the first warning and leaves out what follows from it', () => {
    const log = NVLINK + warn('Error while creating shared memory segment /dev/shm/nccl-a (size 9), error: No space left on device (28)') + warn('Socket recv failed', 'node1');
    expect(parse(log)).toMatchObject({ outcome: 'inconclusive', reasons: [{ code: 'nccl.shm' }], context: { consequences: 1 } });
  });

  it('does not call a log whole that does not show its end', () => {
    expect(parse(NVLINK, {}).outcome).toBe('inconclusive');
    expect(parse(NVLINK + info('comm 0x1 rank 0 nranks 2 - Destroy COMPLETE'), {}).outcome).toBe('measured');
  });

  it('is inconclusive without a log and behind a bad exit', () => {
    expect(parse('# Using devices\n').outcome).toBe('inconclusive');
    expect(parse(NVLINK, { exitCode: 3 }).outcome).toBe('inconclusive');
  });

  it('is never cleaner when cut or damaged', () => {
    expect(expectNeverCleaner(probe, NVLINK + warn('Got completion from peer 192.0.2.9<1> with status=12 opcode=0 len=0 vendor err 129'))).toBeGreaterThan(100);
  });
});
