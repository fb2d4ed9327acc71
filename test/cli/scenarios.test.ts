import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { RunOutcome } from '../../core/run/contract';
import type { CardState } from '../../core/verdict/contract';
import { DemoHost } from '../demo-host/host';
import type { ScenarioName } from '../demo-host/scenarios';
import { writeDemoWorkspace } from '../demo-host/workspace';
import { processesWith } from '../sshd/sshd';
import { commandLine, ROOT } from './command-line';

interface Expected {
  scenario: ScenarioName;
  seed: number;
  state: CardState;
  exitCode: number;
  /** The criterion that decides, and what it must say. */
  because?: { id: string; state: string; reason: RegExp };
}

const EXPECTED: Expected[] = [
  { scenario: 'healthy', seed: 1, state: 'accepted', exitCode: 0 },
  { scenario: 'healthy', seed: 4242, state: 'accepted', exitCode: 0 },
  { scenario: 'slow-nvlink', seed: 2, state: 'rejected', exitCode: 1, because: { id: 'nvlink-busbw', state: 'fail', reason: /GB\/s .*is not ≥ 440 GB\/s/ } },
  { scenario: 'tcp-fallback', seed: 3, state: 'inconclusive', exitCode: 3, because: { id: 'nvlink-busbw', state: 'inconclusive', reason: /fabric Socket/ } },
  { scenario: 'ecc-remap-pending', seed: 4, state: 'rejected', exitCode: 1, because: { id: 'row-remap', state: 'fail', reason: /Yes \(gpu 5\)/ } },
  { scenario: 'driver-mismatch', seed: 5, state: 'rejected', exitCode: 1, because: { id: 'probe.nvidia-smi-list', state: 'fail', reason: /Driver\/library version mismatch/ } },
  { scenario: 'gpu-missing', seed: 6, state: 'rejected', exitCode: 1, because: { id: 'gpu-count', state: 'fail', reason: /7 is not = 8/ } },
  { scenario: 'vllm-overloaded', seed: 7, state: 'rejected', exitCode: 1, because: { id: 'ttft-p95', state: 'fail', reason: /is not ≤ 500 ms/ } },
  { scenario: 'restore-corrupt', seed: 8, state: 'rejected', exitCode: 1, because: { id: 'checkpoint-equal', state: 'fail', reason: /mismatch is not = match/ } },
  { scenario: 'gpus-in-use', seed: 10, state: 'inconclusive', exitCode: 3, because: { id: 'nvlink-busbw', state: 'inconclusive', reason: /is not ≥ 440 GB\/s.* GPUs 2, 3 were in use by other processes/ } },
  { scenario: 'hangs', seed: 9, state: 'inconclusive', exitCode: 3, because: { id: 'nvlink-busbw', state: 'inconclusive', reason: /it hung/ } },
];

const SPEED = 8;
/** The example allows a collective five minutes; a hang shows as well in this time. */
const HANG_TIMEOUT_MS = 15_000;

interface Tried {
  code: number | null;
  outcome: RunOutcome;
  stderr: string;
  left: string[];
  verifyCode: number | null;
}

/** Runs the example card on a demo host of its own, and verifies the exported bundle. */
async function tryScenario(scenario: ScenarioName, seed: number): Promise<Tried> {
  const folder = mkdtempSync(join(tmpdir(), 'gpu-acceptance-scenario-'));
  const host = await DemoHost.start({ root: ROOT, scenario, seed, speed: SPEED });
  try {
    const { inferenceCard } = writeDemoWorkspace(ROOT, join(folder, 'workspace'), host.address);
    if (scenario === 'hangs') writeFileSync(inferenceCard, readFileSync(inferenceCard, 'utf8').replaceAll('timeoutMs: 300000', `timeoutMs: ${HANG_TIMEOUT_MS}`));
    const access = ['--yes', '--allow-invasive', '--known-hosts', host.address.knownHostsFile];
    const { code, stdout, stderr } = await commandLine('run', inferenceCard, ...access, '--out', join(folder, 'runs'), '--format', 'json');
    expect(stdout, stderr).not.toBe('');
    const left = processesWith(host.processMark);
    const outcome = JSON.parse(stdout) as RunOutcome;
    const bundle = join(folder, 'bundle.zip');
    await commandLine('export', outcome.runDir, '--to', bundle);
    return { code, outcome, stderr, left, verifyCode: (await commandLine('verify', bundle)).code };
  } finally {
    await host.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

describe.concurrent('the example card on the demo host', () => {
  it.each(EXPECTED)('$scenario, seed $seed: $state', async ({ scenario, seed, state, exitCode, because }) => {
    const { code, outcome, stderr, left, verifyCode } = await tryScenario(scenario, seed);
    const { verdict } = outcome;
    expect({ state: verdict.state, code }, stderr).toEqual({ state, code: exitCode });
    if (because) {
      const criterion = verdict.criteria.find(({ id }) => id === because.id);
      expect(criterion).toMatchObject({ state: because.state, reason: expect.stringMatching(because.reason) });
      // What decides is what a reader of one line is told.
      expect(verdict.summary).toContain(because.id);
    } else {
      expect(verdict.criteria.filter((criterion) => criterion.state !== 'pass')).toEqual([]);
    }
    expect(left).toEqual([]);
    expect(verifyCode).toBe(state === 'accepted' ? 0 : 1);
  });
});
