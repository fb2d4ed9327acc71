import { describe, expect, it } from 'vitest';
import { parseText } from '../parse';
import { expectNeverCleaner } from '../testing/mutations';
import { probe } from './index';

const rank = (index: number, over: object = {}): object => ({ rank: index, backend: 'nccl', uuid: `GPU-${index}`, contextMs: 812.5, wrongValues: 0, secondsPerAllReduce: 0.0042, sizeBytes: 2 ** 30, iterations: 20, ...over });
const result = (reports: object[], over: object = {}): string => `gpu-acceptance-torch ${JSON.stringify({ torch: '2.6.0', cuda: '12.4', gpus: 2, ranks: 2, reports, ...over })}\n`;
const outcome = (text: string, end = {}): string => parseText(probe, text, end).outcome;
const codes = (text: string, end = {}): string[] => parseText(probe, text, end).reasons.map(({ code }) => code);

describe('torch-distributed: the smoke test', () => {
  it('measures each rank', () => {
    const parsed = parseText(probe, result([rank(0), rank(1)]), { exitCode: 0 });
    expect(parsed).toMatchObject({ outcome: 'measured', reasons: [], context: { ranks: 2, nodes: 1, torchVersion: '2.6.0' } });
    expect(parsed.measurements.filter(({ metric }) => metric === 'torch.allreduce.busbw').map(({ value, samples }) => [value, samples])).toEqual([[255.653, 20], [255.653, 20]]);
  });

  it('gives no bandwidth of a single rank', () => {
    const parsed = parseText(probe, result([rank(0)], { ranks: 1 }), { exitCode: 0 });
    expect(parsed.outcome).toBe('measured');
    expect(parsed.measurements.map(({ metric }) => metric)).toEqual(['torch.version', 'torch.ranks', 'torch.context', 'torch.allreduce.wrong']);
  });

  it.each([
    ['wrong values', result([rank(0), rank(1, { wrongValues: 4 })]), 'torch.wrong-data'],
    ['a driver that is too old', result([rank(0), { rank: 1, error: 'RuntimeError: The NVIDIA driver on your system is too old' }]), 'torch.cuda-fault'],
  ])('fails on %s', (_, text, code) => {
    expect(outcome(text)).toBe('failed');
    expect(codes(text)).toContain(code);
  });

  it.each([
    ['a rank is silent', result([rank(0)]), 'torch.ranks-missing'],
    ['a rank answers twice', result([rank(0), rank(0)]), 'torch.ranks-missing'],
    ['gloo stood in for NCCL', result([rank(0), rank(1, { backend: 'gloo' })]), 'torch.not-nccl'],
    ['two ranks share a GPU', result([rank(0), rank(1, { uuid: 'GPU-0' })]), 'torch.duplicate-gpu'],
    ['a rank has no time', result([rank(0), rank(1, { secondsPerAllReduce: 0 })]), 'torch.rank-incomplete'],
    ['GPUs are missing', 'gpu-acceptance-torch {"torch":"2.6.0","gpus":7,"ranks":8,"error":"8 GPUs were asked for, PyTorch sees 7"}\n', 'torch.not-started'],
    ['the result is cut', result([rank(0), rank(1)]).slice(0, -9), 'torch.cut'],
    ['there are two results', result([rank(0), rank(1)]).repeat(2), 'torch.several-results'],
    ['there is nothing', '', 'parse.nothing-measured'],
  ])('is inconclusive when %s', (_, text, code) => {
    expect(codes(text)).toContain(code);
    expect(outcome(text)).toBe('inconclusive');
  });

  it.each([1, null])('does not believe a whole result behind exit code %s', (exitCode) => {
    expect(outcome(result([rank(0), rank(1)]), { exitCode })).toBe('inconclusive');
  });

  it('does not hold a retried connection against ranks that all answered', () => {
    const stderr = '[W socket.cpp:697] [c10d] The client socket has failed to connect to [localhost]:29500 (errno: 97 - Address family not supported by protocol).\n';
    expect(parseText(probe, result([rank(0), rank(1)]), { exitCode: 0, stderr })).toMatchObject({ outcome: 'measured', reasons: [{ severity: 'warning', code: 'torch.connect-failed' }] });
  });

  it('is never cleaner when cut or damaged', () => {
    expect(expectNeverCleaner(probe, result([rank(0), rank(1, { wrongValues: 9 })]))).toBeGreaterThan(400);
    expect(expectNeverCleaner(probe, `${result([rank(0)])}[rank1]: RuntimeError: CUDA error: an illegal memory access\n`)).toBeGreaterThan(400);
  });
});

describe('torch-distributed: first causes', () => {
  it.each<[string, string[], string]>([
    ['a shared GPU, not the invalid usage', ['torch.distributed.DistBackendError: NCCL error in: ../NCCLUtils.hpp:275, invalid usage (run with NCCL_DEBUG=WARN for details)', 'Last error:', 'Duplicate GPU detected : rank 3 and rank 1 both on CUDA device 1a000'], 'torch.duplicate-gpu'],
    ['what the library said last', ['NCCL error in: x.cpp:1, unhandled system error', 'Last error:', '', 'socketPollConnect: something odd'], 'torch.nccl-connect-failed'],
    ['a warning of NCCL behind its consequences', ['ChildFailedError:', '  exitcode  : -6 (pid: 41)', 'n1:4:5 [0] misc/shmutils.cc:9 NCCL WARN Error: failed to extend /dev/shm/nccl-a, No space left on device (28)'], 'torch.nccl-shm'],
    ['the store that could not be reached', ['RendezvousConnectionError: The connection to the C10d store has failed.', '[E socket.cpp:860] [c10d] The client socket has timed out after 60s while trying to connect to 192.0.2.1:29400'], 'torch.connect-failed'],
    ['an error of the program', ['[rank0]: Traceback (most recent call last):', '[rank0]: ValueError: checkpoint not found', 'ChildFailedError:', '  exitcode  : 1 (pid: 7)'], 'torch.python-error'],
    ['the kernel that ended it', ['Root Cause (first observed failure):', '  exitcode  : -9 (pid: 7)', '  traceback : Signal 9 (SIGKILL) received by PID 7'], 'torch.killed'],
    ['only the abort, when there is no more', ['Root Cause (first observed failure):', '  exitcode  : -6 (pid: 7)', '  traceback : Signal 6 (SIGABRT) received by PID 7'], 'torch.exit'],
    ['no warning about an old variable', ['[W Utils.hpp:164] Warning: Environment variable NCCL_BLOCKING_WAIT is deprecated; use TORCH_NCCL_BLOCKING_WAIT instead', 'n1:4:5 [0] misc/socket.cc:484 NCCL WARN socketStartConnect: Connect to 192.0.2.2<3> failed : Connection refused'], 'torch.nccl-connect-failed'],
    ['the rank that broke, not the ones that lost it', ['[rank1]: torch.distributed.DistBackendError: NCCL error in: x.cpp:9, remote process exited or there was a network error', 'Last error:', 'socketProgress: Connection closed by remote peer node3<40112>', '[rank0]: torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 3.50 GiB.'], 'torch.out-of-memory'],
    ['the call of the adapter that failed, behind the mark of a rank', ['[rank0]: torch.distributed.DistBackendError: NCCL error in: x.hpp:3, unhandled system error', '[rank0]: Last error:', '[rank0]: Call to ibv_modify_qp failed with error Connection timed out'], 'torch.nccl-ib-call'],
    ['the lost peer, when there is no more', ['[rank1]:[E ProcessGroupNCCL.cpp:552] [Rank 1] Collective WorkNCCL(SeqNum=77) raised the following async exception: NCCL error: remote process exited or there was a network error', 'Last error:', 'socketProgress: Connection closed by remote peer node3<40112>', '  exitcode  : -6 (pid: 7)'], 'torch.nccl-peer-gone'],
    ['an error of NCCL before the end of a process', ['RuntimeError: NCCL Error 2: unhandled system error', 'Root Cause (first observed failure):', '  rank      : 2 (local_rank: 2)', '  exitcode  : 1 (pid: 7)'], 'torch.nccl-error'],
    ['a store that did not answer older versions', ['RendezvousConnectionError: The connection to the C10d store has failed.', 'RuntimeError: connect() timed out. Original timeout was 60000 ms.'], 'torch.connect-failed'],
    ['the ranks that did not come to a barrier', ['RuntimeError: [Rank 0]: Ranks 3, 5 failed to pass monitoredBarrier in 1800000 ms'], 'torch.barrier-timeout'],
    ['a watchdog that is itself held up', ["[rank0]:[E416 04:50:37.8 ProcessGroupNCCL.cpp:1484] [PG ID 2 PG GUID 3 Rank 0] ProcessGroupNCCL's watchdog got stuck for 480 seconds without making progress"], 'torch.watchdog-timeout'],
    ['a kernel of the program that failed', ["Failed: Cuda error /src/reduce.cuh:307 'peer access is not supported between these two devices'"], 'torch.cuda-error'],
    ['a PyTorch that sees no GPU, also where ranks write into one line', ['RuntimeErrorRuntimeError: : ProcessGroupNCCL is only supported with GPUs, no GPUs found!', 'ChildFailedError:', '  exitcode  : 1 (pid: 7)'], 'torch.no-gpu'],
    ['a build for other GPUs', ['RuntimeError: CUDA error: no kernel image is available for execution on the device'], 'torch.no-kernel-image'],
  ])('names %s', (_, lines, code) => {
    expect(codes(lines.join('\n'))).toEqual([code]);
  });

  it('takes compatibility libraries that do not fit for a fault', () => {
    expect(outcome('RuntimeError: Unexpected error from cudaGetDeviceCount(). Error 804: forward compatibility was attempted on non supported HW\n')).toBe('failed');
  });

  it('names the process that ended first, not the first in the list', () => {
    const ended = (rank: number): string[] => ['  host      : node7', `  rank      : ${rank} (local_rank: ${rank})`, `  exitcode  : 1 (pid: 88${rank})`];
    const lines = ['Failures:', '[1]:', ...ended(5), '-'.repeat(60), 'Root Cause (first observed failure):', '[0]:', ...ended(2), '='.repeat(60), ...ended(4)];
    expect(parseText(probe, lines.join('\n')).reasons).toEqual([expect.objectContaining({ code: 'torch.exit', line: 11, message: expect.stringContaining('Rank 2 on node7 ended first') as string })]);
  });

  it('compares ranks only inside a process group', () => {
    const timeout = (rank: number, inGroup: number, group: number, sequence: number, isNew = false): string[] => [
      `[rank${rank}]:[E606 06:24:44.9 ProcessGroupNCCL.cpp:632] [Rank ${inGroup}] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=${sequence}, OpType=ALLREDUCE, Timeout(ms)=300000) ran for 300021 milliseconds before timing out.`,
      `[rank${rank}]:[E606 06:24:44.9 ProcessGroupNCCL.cpp:1785] [PG ID ${group} PG GUID ${group}(tp) Rank ${inGroup}] ${isNew ? ` failure detected by watchdog at work sequence id: ${sequence} PG status: last enqueued work: ${sequence + 1}` : `Exception (either an error or timeout) detected by watchdog at work: ${sequence}, last enqueued NCCL work: ${sequence + 1}`}`,
    ];
    const [reason] = parseText(probe, [...timeout(0, 0, 1, 900), ...timeout(8, 0, 3, 31, true), ...timeout(9, 1, 3, 30)].join('\n')).reasons;
    expect(reason?.message).toContain('In process group 1: Rank 0 waited in ALLREDUCE number 900');
    expect(reason?.message).toContain('In process group 3: Rank 9 is behind: it waits in ALLREDUCE number 30, others in number 31.');
  });

  it('names the rank that is behind in a timeout', () => {
    const timeout = (index: number, sequence: number, prefix = ''): string => `${prefix}[Rank ${index}] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=${sequence}, OpType=ALLREDUCE, Timeout(ms)=600000) ran for 600021 milliseconds before timing out.`;
    const { reasons } = parseText(probe, [timeout(0, 41, '[rank0]:[E606 06:24:44.9 ProcessGroupNCCL.cpp:616] '), timeout(3, 40, '[E ProcessGroupNCCL.cpp:737] '), timeout(1, 41)].join('\n'));
    expect(reasons).toEqual([expect.objectContaining({ code: 'torch.watchdog-timeout', line: 1, message: expect.stringContaining('Rank 3 is behind') as string })]);
  });
});
