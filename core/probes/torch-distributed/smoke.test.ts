import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseText } from '../parse';
import { probe } from './index';
import script from './smoke.py';
import { makeFakeTorch } from './testing';

const hasPython = spawnSync('python3', ['--version']).status === 0;

describe.runIf(hasPython)('the bundled smoke test, on a stand-in for PyTorch', () => {
  let fakeTorch: string;
  beforeAll(() => {
    fakeTorch = makeFakeTorch();
  });
  afterAll(() => rmSync(fakeTorch, { recursive: true }));

  const run = (args: string[], environment: Record<string, string> = {}) => {
    const { stdout, stderr, status } = spawnSync('python3', ['-', ...args], { input: script, encoding: 'utf8', env: { ...process.env, PYTHONPATH: fakeTorch, ...environment } });
    return { status, stdout, result: parseText(probe, stdout, { exitCode: status, stderr }) };
  };

  it('gives one result with a report of each rank', () => {
    const { status, result } = run(['0'], { FAKE_GPUS: '3' });
    expect(status).toBe(0);
    expect(result).toMatchObject({ outcome: 'measured', reasons: [], context: { ranks: 3, ncclVersion: '2.27.5', torchVersion: '2.9.9' } });
    const busbw = result.measurements.filter(({ metric }) => metric === 'torch.allreduce.busbw');
    expect(busbw.map(({ labels, samples }) => [labels, samples])).toEqual(['0', '1', '2'].map((rank) => [{ rank, sizeBytes: '1073741824' }, 20]));
  });

  it('is not held up by a rank that writes more than a pipe holds', () => {
    expect(run(['2'], { FAKE_CHATTER: '1' })).toMatchObject({ status: 0, result: { outcome: 'measured' } });
  });

  it('finds wrong sums, broken GPUs, and ranks that never come back', () => {
    expect(run(['2'], { FAKE_WRONG: '1' })).toMatchObject({ status: 1, result: { outcome: 'failed', reasons: [{ code: 'torch.wrong-data' }, { code: 'torch.exit-code' }] } });
    expect(run(['2'], { FAKE_ERROR: '0' })).toMatchObject({ status: 1, result: { outcome: 'failed', reasons: [{ code: 'torch.cuda-fault' }, { code: 'torch.exit-code' }] } });
    expect(run(['2', '1'], { FAKE_HANG: '1' })).toMatchObject({ status: 1, result: { outcome: 'inconclusive', reasons: [{ code: 'torch.rank-failed' }, { code: 'torch.exit-code' }] } });
  });

  it('refuses more GPUs than there are, and says when PyTorch is missing', () => {
    expect(run(['8'])).toMatchObject({ status: 1, result: { outcome: 'inconclusive', reasons: [{ code: 'torch.not-started' }, { code: 'torch.exit-code' }] } });
    expect(run(['2'], { PYTHONPATH: '/nonexistent' })).toMatchObject({ status: 1, result: { outcome: 'inconclusive', reasons: [{ code: 'torch.not-installed' }, { code: 'torch.exit-code' }] } });
  });
});
