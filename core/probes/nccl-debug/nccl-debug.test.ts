import { describe, expect, it } from 'vitest';
import { probe as nccltests } from '../nccl-tests';
import { table } from '../nccl-tests/testing';
import { parseText } from '../parse';
import { expectNeverCleaner } from '../testing/mutations';
import { probe } from './index';

const info = (text: string, host = 'node0', thread = 57): string => `${host}:41:${thread} [0] NCCL INFO ${text}\n`;
const warn = (text: string, host = 'node0', time = '10:00:00'): string => `\n[2026-11-30 ${time}] ${host}:41:57 [0] misc/x.cc:88 NCCL WARN ${text}\n`;
const parse = (text: string, end: object = { exitCode: 0 }) => parseText(probe, text, end);
const codes = (text: string, end?: object): string[] => parse(text, end).reasons.map(({ code }) => code);
const measured = (text: string): Record<string, unknown> => Object.fromEntries(parse(text).measurements.map(({ metric, labels, value }) => [`${metric}${labels ? `:${labels['kind']}` : ''}`, value]));

const CHANNELS = '24 coll channels, 0 collnet channels, 16 nvls channels, 32 p2p channels, 32 p2p channels per peer';
const NVLINK = info('Using network IB') + info('Channel 00/24 : 0 1 2 3') + info('Channel 00/0 : 0[0] -> 1[1] via P2P/CUMEM/read') + info('Channel 01/0 : 1[1] -> 0[0] via P2P/IPC') + info(CHANNELS);
const TWO_NODES = info('comm 0x5 rank 0 nRanks 16 nNodes 2 localRanks 8 localRank 0 MNNVL 0');

describe('nccl-debug: transport', () => {
  it('counts channel lines by the kind of their path', () => {
    expect(measured(NVLINK)).toEqual({ 'nccl.network': 'IB', 'nccl.transport:P2P': 2, 'nccl.nvls_channels': 16 });
    expect(parse(NVLINK)).toMatchObject({ outcome: 'measured', reasons: [] });
  });

  it.each([
    ['P2P/direct pointer/read', 'P2P'], ['P2P/indirect/3[3]', 'P2P'], ['P2P/MNNVL', 'P2P'], ['SHM/direct/direct', 'SHM'], ['direct shared memory', 'SHM'],
    ['NET/IB/3(1)/GDRDMA(PCI)/Shared', 'NET/IB'], ['NET/IBext_v9/0', 'NET/IBext_v9'], ['NET/AWS Libfabric/2/GDRDMA', 'NET/AWS Libfabric'], ['NET/Socket/0', 'NET/Socket'],
  ])('reads the path %j as %j', (path, kind) => {
    expect(measured(info(`Channel 00/1 : 0[0] -> 9[1] [receive] via ${path}`))).toHaveProperty(`nccl.transport:${kind}`, 1);
  });

  it.each(['[1,3]<stdout>:', '3: ', '(RayTrainWorker pid=9, ip=192.0.2.7) ', '2026/11/30 10:11:12 ', '[7] '])('finds the log behind the launcher prefix %j', (prefix) => {
    expect(measured(NVLINK.replace(/^/gm, prefix))).toEqual(measured(NVLINK));
  });

  it('tells traffic over TCP, which a card may forbid', () => {
    const log = info('Using network Socket') + info('Channel 00/0 : 0[0] -> 8[0] [send] via NET/Socket/0');
    expect(parse(log)).toMatchObject({ outcome: 'measured', reasons: [{ code: 'nccl.tcp-fallback', severity: 'error', line: 2 }] });
    expect(measured(log)).toMatchObject({ 'nccl.gdrdma': 0, 'nccl.network': 'Socket' });
    expect(codes(TWO_NODES + info('Using network Socket'))).toEqual(['nccl.tcp-fallback']);
  });

  it('reads the lines of versions before 2.7, and a choice of those before 2.5', () => {
    const log = info('Using internal Network Socket') + info('Ring 00 : 5 -> 6 [receive] via NET/Socket/0') + info('Ring 00 : 6[2] -> 7[3] via P2P/IPC') + info('Ring 01 :    0   1   2   3');
    expect(measured(log)).toEqual({ 'nccl.network': 'Socket', 'nccl.transport:NET/Socket': 1, 'nccl.transport:P2P': 1, 'nccl.gdrdma': 0 });
    expect(codes(log)).toEqual(['nccl.tcp-fallback']);
  });

  it('finds a communicator over several hosts where the version does not count nodes', () => {
    const rank = (index: number, ranks: number, host: string): string => info(`comm 0x1 rank ${index} nranks ${ranks} cudaDev 0 busId 1b000 - Init COMPLETE`, host);
    expect(codes(info('Using network Socket') + rank(0, 2, 'a') + rank(1, 2, 'b'))).toEqual(['nccl.tcp-fallback']);
    expect(codes(info('Using network Socket') + rank(0, 2, 'a') + rank(1, 2, 'a'))).toEqual([]);
    expect(codes(info('Using network Socket') + rank(0, 2, 'a') + rank(1, 2, 'a') + rank(0, 2, 'b') + rank(1, 2, 'b'))).toEqual([]);
  });

  it('takes libfabric over TCP for what it is', () => {
    const log = (provider: string): string => info(`NET/OFI Selected Provider is ${provider}`) + info('Channel 00/0 : 0[35000] -> 1[f5000] [send] via NET/AWS Libfabric/0/GDRDMA');
    expect(codes(log('tcp;ofi_rxm'))).toEqual(['nccl.tcp-fallback']);
    expect(codes(log('efa (found 4 nics)'))).toEqual([]);
  });

  it('reads a log without its heads, and the messages that were written into one line', () => {
    expect(measured('NCCL INFO Using network IB\nNCCL INFO Channel 00/0 : 0[0] -> 8[0] [send] via NET/IB/0/GDRDMA\n')).toEqual({ 'nccl.network': 'IB', 'nccl.transport:NET/IB': 1, 'nccl.gdrdma': 1 });
    const glued = info('Channel 00/0 : 0[0] -> 8[0] [send] via NET/IB/0').trim() + '   ' + info('Channel 01/0 : 1[1] -> 9[1] [send] via NET/IB/1/GDRDMA') + info('Using network IB');
    expect(measured(glued)).toEqual({ 'nccl.network': 'IB', 'nccl.transport:NET/IB': 2, 'nccl.gdrdma': 0.5 });
    expect(codes(glued)).toEqual(['nccl.no-gpudirect']);
  });

  it('reads the log of RCCL', () => {
    const log = `RCCL version 2.20.5+hip6.2 HEAD:0a1b2c3+\n${info('Channel 00/0 : 0[c1000] -> 1[c6000] via P2P/IPC comm 0x1234 nRanks 08')}`;
    expect(parse(log)).toMatchObject({ outcome: 'measured', context: { ncclVersion: '2.20.5+hip6.2' } });
    expect(measured(log)).toEqual({ 'nccl.transport:P2P': 1 });
  });

  it('does not take the control network, an idle network or a plugin for the data path', () => {
    expect(parse(info('Bootstrap : Using eth0:192.0.2.4<0>') + info('NET/Plugin: Using internal network plugin.')).outcome).toBe('inconclusive');
    expect(codes(info('Using network Socket') + info('NET/IB : No device found.') + info('Channel 00/0 : 0[0] -> 1[1] via P2P/IPC'))).toEqual([]);
  });

  it('gives the share of channels with GPUDirect, and does not believe an announcement', () => {
    const log = info('Channel 00/0 : 0[0] -> 8[0] [send] via NET/IB/0/GDRDMA') + info('Channel 01/0 : 8[0] -> 0[0] [receive] via NET/IB/1');
    expect(parse(log)).toMatchObject({ outcome: 'measured', reasons: [{ code: 'nccl.no-gpudirect', line: 2 }] });
    expect(measured(log)).toEqual({ 'nccl.transport:NET/IB': 2, 'nccl.gdrdma': 0.5 });
    expect(measured(info('Connected all rings, use ring PXN 0 GDR 1'))).toEqual({});
  });

  it('tells shared memory, loudly where the log shows NVLink', () => {
    const shared = info('Channel 00 : 0[0] -> 1[1] via SHM/direct/direct');
    expect(parse(shared).reasons).toEqual([expect.objectContaining({ code: 'nccl.shared-memory', severity: 'warning', line: 1 })]);
    expect(parse(info('GPU/1B000 + NVL[240.0] - NVS/0') + shared).reasons).toEqual([expect.objectContaining({ code: 'nccl.shm-with-nvlink', severity: 'error', line: 2 })]);
  });

  it('compares the adapters of hosts, without their addresses', () => {
    const list = (names: string[], host: string): string => info(`NET/IB : Using ${names.map((name, index) => `[${index}]${name}:1/IB`).join(' ')} [RO]; OOB eth0:192.0.2.${host.length}<0>`, host);
    expect(codes(list(['mlx5_0', 'mlx5_1'], 'a') + list(['mlx5_0', 'mlx5_1'], 'bb') + NVLINK)).toEqual([]);
    expect(parse(list(['mlx5_0', 'mlx5_1'], 'a') + list(['mlx5_0'], 'bb') + NVLINK).reasons).toEqual([expect.objectContaining({ code: 'nccl.adapters-differ', severity: 'error', line: 2 })]);
    expect(codes(list(['mlx5_0'], 'a') + info('NET/IB : No device found.', 'bb') + NVLINK)).toEqual(['nccl.adapters-differ']);
    const libfabric = (host: string, count: number): string => info(`NET/OFI Selected provider is efa, fabric is efa-direct (found ${count} nics)`, host);
    expect(codes(libfabric('a', 32) + libfabric('b', 32) + libfabric('c', 31) + NVLINK)).toEqual(['nccl.adapters-differ']);
    const sockets = info('NET/Socket : Using [0]eth0:192.0.2.1<0> [1]vpn0:fe80::1%vpn0<0>', 'a') + info('NET/Socket : Using [0]eth0:192.0.2.2<0> [1]vpn0:fe80::2%vpn0<0>', 'b');
    expect(codes(sockets + NVLINK)).toEqual([]);
  });

  it('takes the NVLS channels of the communicator of all ranks, in both spellings', () => {
    const communicator = (ranks: number, thread: number): string => info(`comm 0x1 rank 0 nRanks ${ranks} nNodes 1 localRanks ${ranks} localRank 0 MNNVL 0`, 'node0', thread);
    const log = communicator(8, 1) + info(CHANNELS, 'node0', 1) + communicator(2, 2) + info(CHANNELS.replace('16 nvls', '0 nvls'), 'node0', 2);
    expect(measured(log)).toEqual({ 'nccl.nvls_channels': 16 });
    expect(parse(log).context).toMatchObject({ ranks: 8, nodes: 1, localRanks: 8 });
    expect(codes(info('16 coll channels, 0 nvls channels, 32 p2p channels, 32 p2p channels per peer'))).toEqual(['nccl.no-nvls']);
    expect(measured(info('NVLS multicast support is not available on dev 0 (NVLS_NCHANNELS 0)'))).toEqual({});
  });

  it('keeps settings that limit the paths', () => {
    expect(parse(info('NCCL_P2P_DISABLE set by environment to 1.') + NVLINK)).toMatchObject({ context: { environment: ['NCCL_P2P_DISABLE=1'] }, reasons: [{ code: 'nccl.restricted' }] });
    expect(codes(info('NCCL_IB_DISABLE set by environment to 0.') + info('NCCL_NVLS_ENABLE set by environment to 1.') + NVLINK)).toEqual([]);
  });
});

describe('nccl-debug: failures', () => {
  it('names the first cause and leaves out what follows from it', () => {
    const shm = 'Error while creating shared memory segment /dev/shm/nccl-a (size 9), error: No space left on device (28)';
    expect(parse(NVLINK + warn('Socket recv failed', 'node1') + warn(shm))).toMatchObject({ outcome: 'inconclusive', reasons: [{ code: 'nccl.shm' }], context: { consequences: 1 } });
    expect(codes(NVLINK + warn('Socket recv failed', 'node1'))).toEqual(['nccl.peer-gone']);
  });

  it('puts the earliest warning first when hosts are out of order', () => {
    const log = warn('Connect to 192.0.2.3<4000> failed : Connection refused', 'node1', '10:00:09') + warn('Mismatched NCCL version detected', 'node0', '10:00:02');
    expect(codes(log)).toEqual(['nccl.version-mismatch', 'nccl.connect-failed']);
  });

  it.each([
    ['Got completion from peer 192.0.2.9<1> with status=12 opcode=0 len=0 vendor err 129', 'nccl.ib-completion'],
    ['NET/IB : Got completion from peer 192.0.2.9<1> with error 4, opcode 5, len 7, vendor err 81 (Send)', 'nccl.ib-completion'],
    ['Bootstrap : no socket interface found', 'nccl.no-interface'],
    ['Call to ibv_modify_qp failed with error Connection timed out', 'nccl.ib-call'],
    ['NET/IB : mlx5_4:1 Got async error event: port error', 'nccl.ib-link'],
    ['NET/IB : mlx5_4:1 Got async event : port active', 'nccl.ib-link'],
    ['NET/IB : mlx5_4:1 async fatal event: local catastrophic error', 'nccl.ib-completion'],
    ['NET/IB : mlx5_4:1 unknown event type (9)', 'nccl.warning'],
    ['Duplicate GPU detected : rank 1 and rank 0 both on CUDA device 34000', 'nccl.shared-gpu'],
    ['Error: network AWS Libfabric not found.', 'nccl.network-not-found'],
    ['P2P is disabled between NVLINK connected GPUs 0 and 1. This should not be the case', 'nccl.nvlink-unused'],
    ['Something that nobody has seen', 'nccl.warning'],
  ])('takes the warning %j as %s', (text, code) => {
    expect(parse(NVLINK + warn(text))).toMatchObject({ outcome: 'inconclusive', reasons: [{ code }] });
  });

  it('fails on a warning that proves a broken machine', () => {
    expect(parse(NVLINK + warn("Cuda failure 'uncorrectable ECC error encountered'")).outcome).toBe('failed');
  });

  it.each([
    'Could not find a path for pattern 4, falling back to simple order', 'Failed to open libibverbs.so[.1]', 'CollNet is not supported or fails to initialize, ignoring NCCL_ALGO=COLLNET', 'rank 2 failed to IPC register userbuff 0x7f00 buffSize 4096 nPeers 2', 'NET/OFI Only EFA provider is supported', 'Cannot get incoming CPU.',
    'Missing "amd_iommu=on" from kernel command line which can lead to system instablity or hang!', 'Missing "HSA_FORCE_FINE_GRAIN_PCIE=1" from environment which can lead to low RCCL performance', 'NUMA auto balancing enabled which can lead to variability',
    'NET/IB : mlx5_2:1 Got async event : GID table change', 'NET/IB : mlx5_2:1 unknown event type (18)', 'NET/IB : mlx5_0:1 Got async error event: client reregistration', 'NET/IB : mlx5_0:1 Got async error event: SM change',
    'NET/Plugin: Failed to find ncclCollNetPlugin_v6 symbol.', 'Could not find: libnccl-env.so', 'NCCL_IB_HCA set by environment to mlx5',
  ])('takes the warning %j as harmless', (text) => {
    expect(parse(NVLINK + warn(text)).outcome).toBe('measured');
  });

  it('does not call a log whole that does not show its end', () => {
    const life = (word: string): string => info(`comm 0x1 rank 0 nranks 2 cudaDev 0 - ${word}`);
    expect(codes(NVLINK, {})).toEqual(['nccl.no-end']);
    expect(parse(life('Init COMPLETE') + NVLINK + life('Destroy COMPLETE'), {}).outcome).toBe('measured');
    expect(codes(life('Init COMPLETE') + life('Init COMPLETE') + NVLINK + life('Destroy COMPLETE'), {})).toEqual(['nccl.no-end']);
    expect(codes(life('Init START') + NVLINK)).toEqual(['nccl.init-incomplete']);
    expect(codes(info('transport/shm.cc:114 -> 2') + NVLINK, {})).toEqual(['nccl.call-failed', 'nccl.no-end']);
  });

  it('is inconclusive without a log and behind a bad exit', () => {
    expect(codes('# Using devices\n')).toEqual(['nccl.no-log']);
    expect(parse(NVLINK, { exitCode: 3 }).outcome).toBe('inconclusive');
    expect(parse(NVLINK, { exitCode: null }).outcome).toBe('inconclusive');
  });

  it('reads the same bytes that nccl-tests gave, and the table stays whole', () => {
    const mixed = table().replace(/^(#\s+size.*)$/m, `${NVLINK}$1`);
    expect(parse(mixed, {}).outcome).toBe('measured');
    expect(measured(mixed)).toEqual(measured(NVLINK));
    expect(parseText(nccltests, mixed)).toMatchObject({ outcome: 'measured', reasons: [] });
  });

  it('is never cleaner when cut or damaged', () => {
    const failed = NVLINK + warn("Cuda failure 'uncorrectable ECC error encountered'") + info('init.cc:1089 -> 1');
    expect(expectNeverCleaner(probe, failed, {})).toBeGreaterThan(400);
    expect(expectNeverCleaner(probe, NVLINK + warn('Got completion from peer 192.0.2.9<1> with status=12') + '# Avg bus bandwidth    : 4\n', {})).toBeGreaterThan(400);
  });
});
