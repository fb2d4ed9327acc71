import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunOutcome } from '../../core/run/contract';
import { listRuns, readEvents, readRun } from '../../core/run/read-run';
import { commandLine, type RunningCommandLine, startCommandLine } from '../cli/command-line';
import { GpuMachine } from './gpu-machine';
import { Cable, processesWith, SSHD_MISSING, waitFor } from './sshd';

const REACHED_TIMEOUT_MS = 60_000;
const ENDED_TIMEOUT_MS = 30_000;

describe.skipIf(SSHD_MISSING)('a whole run over a real sshd', () => {
  it('accepts a healthy machine and leaves no process on it', async () => {
    const machine = await GpuMachine.start('healthy');
    try {
      const { code, stdout, stderr } = await commandLine(...machine.runArguments());
      expect(stdout, stderr).not.toBe('');
      const { verdict } = JSON.parse(stdout) as RunOutcome;
      expect({ code, state: verdict.state }, verdict.summary).toEqual({ code: 0, state: 'accepted' });
      expect(processesWith(machine.processMark)).toEqual([]);
    } finally {
      await machine.dispose();
    }
  });
});

describe.skipIf(SSHD_MISSING)('a run over a real sshd that is cut while a probe runs', () => {
  let machine: GpuMachine;
  beforeAll(async () => {
    machine = await GpuMachine.start('hangs');
  });
  afterAll(() => machine.dispose());

  /** Resolves while the command that never ends runs on the machine; the supervisor's own command lines name it earlier. */
  async function startHangingRun(port?: number): Promise<RunningCommandLine> {
    const run = startCommandLine(...machine.runArguments(port));
    await waitFor(() => processesWith(machine.processMark).some((line) => line.includes('tools.cjs all_reduce_perf')), 'the collective runs', REACHED_TIMEOUT_MS);
    return run;
  }

  const nothingLeft = (): Promise<void> => waitFor(() => processesWith(machine.processMark).length === 0, 'no process is left on the machine', ENDED_TIMEOUT_MS);
  const newestRun = async (): Promise<string> => (await listRuns(machine.runsFolder))[0]!;

  it('says that the connection was lost', async () => {
    const cable = await Cable.plug(machine.sshd.port);
    const run = await startHangingRun(cable.port);
    cable.pull();
    const { code, stdout } = await run.ended;
    const outcome = JSON.parse(stdout) as RunOutcome;
    expect({ code, status: outcome.status, state: outcome.verdict.state }).toEqual({ code: 3, status: 'connection-lost', state: 'inconclusive' });
    expect(outcome.message).toMatch(/connection .*lost/i);
    const events = await readEvents(await newestRun());
    const ends = events.filter((event) => event.type === 'probe-ended').map((event) => [event.probeRun, event.cut]);
    expect(ends).toContainEqual(['representative-load/collective/1', 'connection-lost']);
    expect(events.at(-1)).toMatchObject({ type: 'run-ended', status: 'connection-lost' });
    await nothingLeft();
    await cable.dispose();
  });

  it('says that it was cancelled', async () => {
    const run = await startHangingRun();
    run.process.kill('SIGINT');
    const { code, stdout } = await run.ended;
    const outcome = JSON.parse(stdout) as RunOutcome;
    expect({ code, status: outcome.status, state: outcome.verdict.state }).toEqual({ code: 3, status: 'cancelled', state: 'inconclusive' });
    expect((await readEvents(await newestRun())).at(-1)).toMatchObject({ type: 'run-ended', status: 'cancelled' });
    expect(processesWith(machine.processMark)).toEqual([]);
  });

  it('is interrupted, and readable, when the program itself is killed', async () => {
    const run = await startHangingRun();
    run.process.kill('SIGKILL');
    await run.ended;
    await nothingLeft();
    const runDir = await newestRun();
    const events = await readEvents(runDir);
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index));
    expect(events.some((event) => event.type === 'probe-ended' && event.outcome === 'measured')).toBe(true);
    await waitFor(async () => (await readRun(runDir)).status === 'interrupted', 'the run counts as interrupted', ENDED_TIMEOUT_MS);
    const bundle = `${machine.folder}/bundle.zip`;
    await commandLine('export', runDir, '--to', bundle);
    // No verdict was reached, so there is none to verify.
    expect((await commandLine('verify', bundle)).code).not.toBe(0);
  });
});
