import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { listOf, uuidOf } from '../probes/nvidia-smi/testing/fixtures';
import { TransportError } from '../transport/contract';
import type { ConsentRequest, RunHooks, RunOutcome, RunRequest } from './contract';
import type { RunEvent } from './events';
import { readEvents } from './read-run';
import { runCard } from './run-card';
import { type ScriptedCommand, ScriptedMachine } from './testing/scripted-machine';

const LIST = { stdout: `${listOf(2)}\n` };
const criterion = (value: number): string => `
      - { id: gpu-count, probe: nvidia-smi-list, metric: gpu.count, comparator: "==", value: ${value}, source: { kind: contract, reference: order 1, date: 2026-11-01 } }`;
const DRAIN = `
drainAuthorization: { authorizedBy: Ada Okafor, targets: [rental], from: 2026-11-01T00:00:00Z, until: 2026-12-31T00:00:00Z, maximumDurationMs: 3600000 }`;
const NOW = new Date('2026-12-01T12:00:00Z');

const card = (probes: string, over: { criteria?: string; rest?: string } = {}): string => `kind: AcceptanceCard
schemaVersion: 1
name: two gpus
targets:
  - { name: rental, host: gpu-7.example.com, user: root }
stages:
  environment-smoke:
    probes:${probes}
    criteria:${over.criteria ?? criterion(2)}
${over.rest ?? ''}
`;
const SMI = '\n      - { id: nvidia-smi-list }';
const DIAG = '\n      - { id: dcgmi-diag, with: { level: 2 }, timeoutMs: 600000 }';
const DMON = '\n      - { id: dcgmi-dmon }';

describe('a run', () => {
  let outDir: string;
  beforeEach(() => {
    outDir = mkdtempSync(join(tmpdir(), 'run-card-'));
  });
  afterEach(() => rmSync(outDir, { recursive: true, force: true }));

  interface Tried {
    outcome: RunOutcome;
    events: RunEvent[];
    of<T extends RunEvent['type']>(type: T): Extract<RunEvent, { type: T }>[];
    asked: ConsentRequest[];
  }

  async function run(cardText: string, machine: ScriptedMachine, over: { request?: Partial<RunRequest>; hooks?: Partial<RunHooks>; now?: () => Date } = {}): Promise<Tried> {
    const asked: ConsentRequest[] = [];
    const hooks: RunHooks = {
      approveHost: async () => true,
      consent: async (request) => {
        asked.push(request);
        return { readOnly: true, invasive: true };
      },
      acceptFirstSeenKey: async () => false,
      onEvent: () => undefined,
      ...over.hooks,
    };
    const request: RunRequest = { cardPath: 'two.acceptance.yaml', cardText, outDir, by: 'cli', toolVersion: '0.0.0', ...over.request };
    const outcome = await runCard(request, hooks, { connect: async () => machine, now: over.now ?? (() => NOW) });
    const events = await readEvents(outcome.runDir);
    return { outcome, events, asked, of: <T extends RunEvent['type']>(type: T) => events.filter((event): event is Extract<RunEvent, { type: T }> => event.type === type) };
  }

  it('leaves a sealed log, the locked plan, raw output, measurements and a verdict', async () => {
    const machine = new ScriptedMachine({ 'nvidia-smi -L': { ...LIST, stderr: 'HF_TOKEN=abcdefgh12345678\n' } });
    const { outcome, events, of } = await run(card(SMI), machine);
    expect(outcome).toMatchObject({ status: 'completed', verdict: { state: 'accepted' } });
    expect(machine.closed).toBe(true);
    expect(events.map(({ type }) => type)).toEqual(['run-started', 'host-connected', 'capabilities', 'consent-given', 'plan-locked', 'stage-started', 'probe-started', 'measurements', 'probe-ended', 'stage-ended', 'verdict', 'run-ended']);

    const read = (name: string): string => readFileSync(join(outcome.runDir, name), 'utf8');
    const lines = read('events.ndjson').trimEnd().split('\n');
    lines.forEach((_, index) => expect(events[index]!.previous).toBe(index === 0 ? '0'.repeat(64) : sha256(lines[index - 1]!)));
    expect(of('plan-locked')[0]!.planSha256).toBe(sha256(read('plan.lock.json')));
    expect(read('card.yaml')).toBe(card(SMI));
    const ended = of('probe-ended')[0]!;
    const raw = 'raw/environment-smoke/nvidia-smi-list/1';
    expect([ended.stdout.sha256, ended.stderr.sha256]).toEqual([sha256(read(`${raw}/stdout`)), sha256(read(`${raw}/stderr`))]);
    expect([read(`${raw}/stderr`), ended.redactions]).toEqual(['HF_TOKEN=[REDACTED]\n', 1]);
    expect(read('measurements.ndjson')).toContain('"probeRun":"environment-smoke/nvidia-smi-list/1","metric":"gpu.count","value":2');
    expect(JSON.parse(read('verdict.json'))).toEqual(outcome.verdict);
    expect(existsSync(join(outcome.runDir, 'owner.json'))).toBe(false);
  });

  it('rejects what does not meet the card', async () => {
    const { outcome } = await run(card(SMI, { criteria: criterion(8) }), new ScriptedMachine({ 'nvidia-smi -L': LIST }));
    expect(outcome).toMatchObject({ status: 'completed', verdict: { state: 'rejected' } });
  });

  it('sends nothing before it was approved, and no probe before its consent', async () => {
    const machine = new ScriptedMachine({ 'nvidia-smi -L': LIST });
    const refused = await run(card(SMI), machine, { hooks: { approveHost: async () => false } });
    expect([refused.outcome.status, refused.outcome.verdict.state, machine.started]).toEqual(['cancelled', 'inconclusive', []]);
    const declined = await run(card(SMI), machine, { hooks: { consent: async () => ({ readOnly: false, invasive: true }) } });
    expect([declined.outcome.status, declined.of('plan-locked'), declined.of('probe-started')]).toEqual(['cancelled', [], []]);
    expect(machine.started).toHaveLength(1);
  });

  it('asks with the exact command, and tells the invasive ones apart', async () => {
    const { asked, of } = await run(card(SMI + DIAG, { rest: DRAIN }), new ScriptedMachine({ 'nvidia-smi -L': LIST, 'dcgmi diag': { exitCode: 1 } }));
    expect(asked[0]!.probes.map(({ entry }) => entry)).toEqual(['nvidia-smi-list', 'dcgmi-diag']);
    expect(asked[0]!.invasive.map(({ plan }) => plan.argv.slice(0, 2))).toEqual([['/usr/bin/dcgmi', 'diag']]);
    expect(of('probe-started').map(({ command }) => command)[0]).toEqual(['/usr/bin/nvidia-smi', '-L']);
  });

  it('says before the consent that others compute on the GPUs, and keeps it in the log', async () => {
    const host = `@capabilities 1\n@tool nvidia-smi /usr/bin/nvidia-smi\n@begin smi-list\n${LIST.stdout}@end smi-list 0\n@begin smi-apps\n${uuidOf(1)}, 4711\n@end smi-apps 0\n@done\n`;
    const { asked, of } = await run(card(SMI), new ScriptedMachine({ 'nvidia-smi -L': LIST, sh: { stdout: host } }));
    expect(asked[0]!.occupancy).toBe('GPU 1 was in use by other processes when the run began.');
    expect(of('capabilities')[0]!.capabilities.busyGpus).toEqual([1]);
    const idle = await run(card(SMI), new ScriptedMachine({ 'nvidia-smi -L': LIST }));
    expect(idle.asked[0]).not.toHaveProperty('occupancy');
  });

  it.each([
    ['the card authorises no drain', '', /no drain authorisation/],
    ['it covers another target', DRAIN.replace('[rental]', '[other]'), /does not cover/],
    ['its window has not begun', DRAIN.replace('2026-11-01T', '2026-12-02T'), /begins on/],
    ['its window is over', DRAIN.replace('2026-12-31T', '2026-11-30T'), /ended on/],
    ['its window ends while the probe may run', DRAIN.replace('2026-12-31T00:00', '2026-12-01T12:05'), /before that/],
    ['the probe may take longer', DRAIN.replace('3600000', '60000'), /allows 60000 ms/],
  ])('never starts an invasive probe when %s', async (_, rest, message) => {
    const machine = new ScriptedMachine({ 'nvidia-smi -L': LIST });
    const { outcome, of, asked } = await run(card(SMI + DIAG, { rest }), machine);
    expect(of('probe-not-run').map(({ entry, reason }) => [entry, reason.code])).toEqual([['dcgmi-diag', 'run.no-drain-authorisation']]);
    expect(of('probe-not-run')[0]!.reason.message).toMatch(message);
    expect(asked[0]!.invasive).toEqual([]);
    expect(machine.started.some((line) => line.includes('diag'))).toBe(false);
    expect(outcome.verdict.state).toBe('inconclusive');
  });

  it('looks at the window again right before an invasive probe', async () => {
    let now = NOW;
    const slow: ScriptedCommand = { ...LIST, onStart: () => (now = new Date('2027-01-01T00:00:00Z')) };
    const machine = new ScriptedMachine({ 'nvidia-smi -L': slow });
    const { of } = await run(card(SMI + DIAG, { rest: DRAIN }), machine, { now: () => now });
    expect(of('probe-not-run')[0]).toMatchObject({ entry: 'dcgmi-diag', reason: { code: 'run.no-drain-authorisation' } });
    expect(machine.started.some((line) => line.includes('diag'))).toBe(false);
  });

  it('leaves invasive probes out when they were not confirmed', async () => {
    const { of } = await run(card(SMI + DIAG, { rest: DRAIN }), new ScriptedMachine({ 'nvidia-smi -L': LIST }), { hooks: { consent: async () => ({ readOnly: true, invasive: false }) } });
    expect(of('probe-not-run')[0]).toMatchObject({ entry: 'dcgmi-diag', reason: { code: 'run.not-confirmed' } });
    expect(of('probe-ended').map(({ probeRun }) => probeRun)).toEqual(['environment-smoke/nvidia-smi-list/1']);
  });

  it('ends a monitor when everything else of its stage has ended, and calls that its normal end', async () => {
    const { of } = await run(card(DMON + SMI), new ScriptedMachine({ 'dcgmi dmon': { runsOn: true }, 'nvidia-smi -L': LIST }));
    const ends = of('probe-ended');
    expect(ends.map(({ probeRun }) => probeRun.split('/')[1])).toEqual(['nvidia-smi-list', 'dcgmi-dmon']);
    expect(ends[1]).toMatchObject({ plannedStop: true, exitCode: null });
    expect(ends[1]).not.toHaveProperty('cut');
  });

  it('reads the output of a monitor when that has ended', async () => {
    const rows = '#Entity   GPUTL  \nID               \nGPU 0     97     \n';
    const machine = () => new ScriptedMachine({ 'dcgmi dmon': { stdout: rows, runsOn: true }, 'nvidia-smi -L': LIST });
    const { of } = await run(card(`${DMON}\n      - { id: nvidia-smi-list, name: reader, from: dcgmi-dmon, required: false }${SMI}`), machine());
    expect(of('probe-not-run')).toEqual([]);
    expect(of('probe-ended').map(({ probeRun, stdout }) => [probeRun.split('/')[1], stdout.bytes])).toEqual([['nvidia-smi-list', LIST.stdout.length], ['dcgmi-dmon', rows.length], ['reader', rows.length]]);
  });

  it('reads on from what reads another output, and takes all of them when one is chosen', async () => {
    const chain = `${SMI}\n      - { id: nvidia-smi-list, name: second, from: nvidia-smi-list }\n      - { id: nvidia-smi-list, name: third, from: second }\n      - { id: dcgmi-discovery }`;
    const { of } = await run(card(chain), new ScriptedMachine({ 'nvidia-smi -L': LIST }), { request: { entries: ['third'] } });
    expect(of('probe-ended').map(({ probeRun, outcome, stdout }) => [probeRun.split('/')[1], outcome, stdout.bytes])).toEqual(['nvidia-smi-list', 'second', 'third'].map((name) => [name, 'measured', LIST.stdout.length]));
    expect(of('probe-started').map(({ from }) => from)).toEqual([undefined, 'environment-smoke/nvidia-smi-list/1', 'environment-smoke/nvidia-smi-list/1']);
  });

  it('keeps sessions free for the other probes, however many monitors there are', async () => {
    const monitors = [1, 2, 3, 4, 5].map((index) => `\n      - { id: dcgmi-dmon, name: watch-${index} }`).join('');
    const { of } = await run(card(monitors + SMI), new ScriptedMachine({ 'dcgmi dmon': { runsOn: true }, 'nvidia-smi -L': LIST }));
    expect(of('probe-not-run').map(({ entry, reason }) => [entry, reason.code])).toEqual([['watch-4', 'run.too-many-monitors'], ['watch-5', 'run.too-many-monitors']]);
  });

  it('says that it was cancelled, also to the probes that did not start', async () => {
    const cancel = new AbortController();
    const machine = new ScriptedMachine({ 'nvidia-smi -L': { ...LIST, runsOn: true, onStart: () => cancel.abort() } });
    const { outcome, events, of } = await run(card(`${SMI}\n      - { id: dcgmi-discovery }`), machine, { request: { signal: cancel.signal } });
    expect(outcome).toMatchObject({ status: 'cancelled', verdict: { state: 'inconclusive' } });
    expect(of('cancel-requested')).toHaveLength(1);
    expect(of('probe-ended')[0]).toMatchObject({ cut: 'cancelled', outcome: 'inconclusive' });
    expect(of('probe-not-run')[0]).toMatchObject({ entry: 'dcgmi-discovery', reason: { code: 'run.cancelled' } });
    expect(events.at(-1)).toMatchObject({ type: 'run-ended', status: 'cancelled' });
  });

  it('says that the connection was lost', async () => {
    const machine: ScriptedMachine = new ScriptedMachine({ 'nvidia-smi -L': { ...LIST, runsOn: true, onStart: () => machine.pullCable() } });
    const { outcome, of } = await run(card(SMI), machine);
    expect(outcome).toMatchObject({ status: 'connection-lost', verdict: { state: 'inconclusive' } });
    expect(of('probe-ended')[0]).toMatchObject({ cut: 'connection-lost', remoteProcesses: 'unknown', outcome: 'inconclusive' });
    expect(of('connection-lost')).toHaveLength(1);
  });

  it.each(['cancelled', 'connection-lost'] as const)('does not wait for an answer when the run is %s', async (status) => {
    const cancel = new AbortController();
    const machine = new ScriptedMachine({ 'nvidia-smi -L': LIST });
    const consent = (): Promise<never> => {
      if (status === 'cancelled') cancel.abort();
      else machine.pullCable();
      return new Promise(() => undefined);
    };
    const { outcome, of } = await run(card(SMI), machine, { request: { signal: cancel.signal }, hooks: { consent } });
    expect([outcome.status, of('probe-started')]).toEqual([status, []]);
  });

  it('is not ended by a view that fails', async () => {
    const { outcome } = await run(card(SMI), new ScriptedMachine({ 'nvidia-smi -L': LIST }), {
      hooks: {
        onEvent: () => {
          throw new Error('the view is gone');
        },
      },
    });
    expect(outcome.verdict.state).toBe('accepted');
  });

  it('is failed, and said so, when the machine cannot be reached', async () => {
    const refuse = async (): Promise<never> => {
      throw new TransportError('host-key-changed', 'The key of gpu-7 has changed.', 'Compare it.');
    };
    const request: RunRequest = { cardPath: 'two.acceptance.yaml', cardText: card(SMI), outDir, by: 'cli', toolVersion: '0.0.0' };
    const hooks: RunHooks = { approveHost: async () => true, consent: async () => ({ readOnly: true, invasive: true }), acceptFirstSeenKey: async () => true, onEvent: () => undefined };
    const outcome = await runCard(request, hooks, { connect: refuse });
    expect(outcome).toMatchObject({ status: 'failed', message: 'The key of gpu-7 has changed. Compare it.', verdict: { state: 'inconclusive' } });
  });

  it('reads the output of one probe with the parser of another', async () => {
    const { of } = await run(card(`${SMI}\n      - { id: nvidia-smi-list, name: again, from: nvidia-smi-list }`), new ScriptedMachine({ 'nvidia-smi -L': LIST }));
    const [source, derived] = of('probe-ended');
    expect(of('probe-started')[1]).toMatchObject({ entry: 'again', from: 'environment-smoke/nvidia-smi-list/1' });
    expect(derived).toMatchObject({ outcome: 'measured', remoteProcesses: 'none', stdout: source!.stdout });
  });

  it('ends as failed, with its monitors, when evidence cannot be kept', async () => {
    const full = (): never => {
      throw new Error('ENOSPC: no space left on device');
    };
    const { outcome, of } = await run(card(DMON + SMI), new ScriptedMachine({ 'dcgmi dmon': { runsOn: true }, 'nvidia-smi -L': { onStart: full } }));
    expect(outcome).toMatchObject({ status: 'failed', message: expect.stringContaining('ENOSPC'), verdict: { state: 'inconclusive' } });
    expect(of('probe-ended').map(({ probeRun }) => probeRun.split('/')[1])).toEqual(['dcgmi-dmon']);
  });

  it('ends as failed when a monitor cannot keep its evidence', async () => {
    const full = (): never => {
      throw new Error('ENOSPC: no space left on device');
    };
    const { outcome } = await run(card(DMON + SMI), new ScriptedMachine({ 'dcgmi dmon': { onStart: full }, 'nvidia-smi -L': LIST }));
    expect(outcome.status).toBe('failed');
  });

  it.each([
    ['kind: Other', 'The card cannot be run'],
    [card(SMI).replace('nvidia-smi-list }', 'no-such-probe }'), 'no-such-probe'],
    [card(SMI + SMI), 'two probes named'],
    [card('\n      - { id: nccl-debug, from: collective }'), 'no earlier probe'],
  ])('does not begin with a card that cannot be run', async (text, message) => {
    await expect(run(text, new ScriptedMachine({}))).rejects.toThrow(message);
  });
});

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
