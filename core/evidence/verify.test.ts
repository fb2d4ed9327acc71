import { appendFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { RunHooks, RunOutcome } from '../run/contract';
import { runCard } from '../run/run-card';
import { sha256 } from '../run/run-folder';
import type { ExecEnd, Transport } from '../transport/contract';
import { exportBundle, NotARunError, renderRunReport } from './bundle';
import { listFiles, writeBagManifests } from './bag';
import { extractZip } from './unzip';
import { type Verification, verifyBundle } from './verify';
import { writeZip } from './zip';

const CARD = `kind: AcceptanceCard
schemaVersion: 1
name: two-gpus
targets: [{ name: rental, host: gpu-01.example.com, user: root }]
stages:
  environment-smoke:
    probes: [{ id: nvidia-smi-list }]
    criteria:
      - { id: gpu-count, metric: gpu.count, comparator: "==", value: 2 }
`;

const LIST = 'GPU 0: NVIDIA H100 80GB HBM3 (UUID: GPU-11111111-2222-3333-4444-555555555555)\nGPU 1: NVIDIA H100 80GB HBM3 (UUID: GPU-66666666-7777-8888-9999-000000000000)\n';
const CAPABILITIES = '@capabilities 1\n@fact root yes\n@tool nvidia-smi /usr/bin/nvidia-smi\n@done\n';

/** A machine that answers from memory: this is about the evidence, not about the wire. */
const machine: Transport = {
  kind: 'memory',
  lost: new Promise(() => undefined),
  exec: async ({ argv }, sink): Promise<ExecEnd> => {
    sink.stdout(Buffer.from(argv[0] === 'sh' ? CAPABILITIES : LIST));
    return { exitCode: 0, remoteProcesses: 'ended', durationMs: 3 };
  },
  openTcp: () => Promise.reject(new Error('nothing listens')),
  close: async () => undefined,
};

const hooks: RunHooks = {
  approveHost: async () => true,
  consent: async () => ({ readOnly: true, invasive: false }),
  acceptFirstSeenKey: async () => false,
  onEvent: () => undefined,
};

let folder: string;
let runDir: string;
async function run(cardText: string, over: Partial<Transport> = {}): Promise<RunOutcome> {
  const outcome = await runCard({ cardPath: 'card.yaml', cardText, outDir: join(folder, 'runs'), by: 'cli', toolVersion: '0.0.0' }, hooks, { connect: async () => ({ ...machine, ...over }) });
  runDir = outcome.runDir;
  return outcome;
}
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'verify-'));
  expect((await run(CARD)).verdict).toMatchObject({ state: 'accepted' });
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const bundle = () => join(folder, 'bundle.zip');
async function verified() {
  await exportBundle(runDir, bundle());
  return verifyBundle(bundle());
}
const edit = (name: string, from: string | RegExp, to: string): void => {
  const path = join(runDir, name);
  const text = readFileSync(path, 'utf8');
  expect(text).toMatch(from);
  writeFileSync(path, text.replace(from, to));
};

describe('verify', () => {
  it('accepts what the run wrote, and says what it does not prove', async () => {
    const verification = await verified();
    expect(verification).toMatchObject({ state: 'verified', verdict: 'accepted' });
    expect(verification.steps.map(({ name }) => name)).toEqual(['container', 'manifests', 'log', 'plan', 'documents', 'raw files', 'host', 'parsing', 'verdict']);
    expect(verification.doesNotProve.join(' ')).toContain('not signed');
  });

  it('gives the same bundle for the same run', async () => {
    await exportBundle(runDir, bundle());
    const first = readFileSync(bundle());
    await exportBundle(runDir, bundle());
    expect(readFileSync(bundle())).toEqual(first);
  });

  // Someone who edits the run folder and then exports gets a sealed bundle; the replay has to see it.
  it.each<[string, () => void, string]>([
    ['raw output', () => edit('raw/environment-smoke/nvidia-smi-list/1/stdout', 'GPU 1', 'GPU 2'), 'raw files'],
    ['capabilities', () => edit('raw/preflight/host-capabilities/1/stdout', 'root yes', 'root no'), 'host'],
    ['a measurement', () => edit('measurements.ndjson', '"value":2', '"value":8'), 'parsing'],
    ['the verdict file', () => edit('verdict.json', '"accepted"', '"rejected"'), 'verdict'],
    ['the card', () => edit('card.yaml', 'value: 2', 'value: 1'), 'documents'],
    ['the plan', () => edit('plan.lock.json', 'nvidia-smi-list', 'nvidia-smi-none'), 'plan'],
    ['an event', () => edit('events.ndjson', '"outcome":"measured"', '"outcome":"failed"'), 'log'],
    ['the order of events', () => edit('events.ndjson', /^(.*)\n(.*)\n/, '$2\n$1\n'), 'log'],
  ])('sees a change of %s', async (_, change, step) => {
    change();
    // A log that does not hold together is not exported at all.
    const verification = await verified().catch((error: unknown) => error);
    if (verification instanceof NotARunError) expect(step).toBe('log');
    else expect(verification).toMatchObject({ state: 'not-verified', steps: expect.arrayContaining([expect.objectContaining({ name: step, state: 'failed' })]) });
  });

  it('verifies a run that was killed, without a verdict', async () => {
    const lines = readFileSync(join(runDir, 'events.ndjson'), 'utf8').trimEnd().split('\n');
    writeFileSync(join(runDir, 'events.ndjson'), `${lines.slice(0, -2).join('\n')}\n{"seq":9,"ti`);
    appendFileSync(join(runDir, 'measurements.ndjson'), '{"probeRun":"environment-smoke/aga');
    const verification = await verified();
    expect(verification.state).toBe('verified');
    expect(verification).not.toHaveProperty('verdict');
    expect(await renderRunReport(runDir)).toContain('interrupted');
  });

  it('comes to the same verdict when a probe that could not run stands before one that ended badly', async () => {
    const { verdict } = await run(CARD.replace('[{ id: nvidia-smi-list }]', '[{ id: dcgmi-health }, { id: nvidia-smi-list }, { id: nvidia-smi-query }]'));
    expect(verdict.criteria.map(({ id, state }) => [id, state])).toEqual([['gpu-count', 'pass'], ['probe.dcgmi-health', 'not-run'], ['probe.nvidia-smi-query', 'inconclusive']]);
    expect(await verified()).toMatchObject({ state: 'verified', verdict: 'inconclusive' });
  });

  it('comes to the same verdict of a run that could not keep the evidence of its last probe', async () => {
    let commands = 0;
    const exec: Transport['exec'] = (request, sink) => (++commands < 3 ? machine.exec(request, sink) : Promise.reject(new Error('ENOSPC: no space left on device')));
    const { status, verdict } = await run(CARD.replace('[{ id: nvidia-smi-list }]', '[{ id: nvidia-smi-list }, { id: nvidia-smi-list, name: again }]'), { exec });
    expect([status, verdict.criteria.map(({ id, state }) => [id, state])]).toEqual(['failed', [['gpu-count', 'pass'], ['probe.again', 'not-run']]]);
    expect(await verified()).toMatchObject({ state: 'verified', verdict: 'inconclusive' });
  });

  it('verifies what a machine said that does not speak UTF-8', async () => {
    const latin1 = Buffer.from('host de la fa\xe7ade\n', 'latin1');
    await run(CARD, {
      exec: (request, sink) => {
        sink.stdout(latin1);
        return machine.exec(request, sink);
      },
    });
    expect((await verified()).state).toBe('verified');
  });

  it('leaves the temporary folder as it was, and does not export what is no evidence', async () => {
    appendFileSync(join(runDir, 'owner.json'), '{}');
    const own = join(folder, 'temporary');
    mkdirSync(own);
    // Other programs use the system's own at the same time.
    vi.stubEnv('TMPDIR', own);
    try {
      expect((await verified()).state).toBe('verified');
    } finally {
      vi.unstubAllEnvs();
    }
    expect(readdirSync(own)).toEqual([]);
  });

  it('says what is wrong with a file that is no bundle', async () => {
    writeFileSync(bundle(), 'not a zip');
    expect(await verifyBundle(bundle())).toMatchObject({ state: 'not-verified', steps: [{ name: 'container', state: 'failed' }] });
  });

  it('writes a report that runs nothing and loads nothing', async () => {
    const html = await renderRunReport(runDir);
    expect(html).toContain('Accepted: all 1 required criteria pass.');
    expect(html).not.toMatch(/<script|<link|<img|src=|https?:/);
  });
});

type LoggedEvent = Record<string, unknown> & { type: string };
const PROBE_RUN = 'environment-smoke/nvidia-smi-list/1';

/** Someone who knows the format: changes the log, and makes every seal anew. */
function forge(change: (events: LoggedEvent[]) => LoggedEvent[] | undefined): void {
  const path = join(runDir, 'events.ndjson');
  const events = readFileSync(path, 'utf8').trimEnd().split('\n').map((line) => JSON.parse(line) as LoggedEvent);
  let previous = '0'.repeat(64);
  const lines = (change(events) ?? events).map((event, seq) => {
    const line = JSON.stringify({ ...event, seq, previous });
    previous = sha256(line);
    return line;
  });
  writeFileSync(path, `${lines.join('\n')}\n`);
}
const forgeOne = (type: string, over: Record<string, unknown>): void => forge((events) => events.map((event) => (event.type === type ? { ...event, ...over } : event)));
const without = (type: string): void => forge((events) => events.filter((event) => event.type !== type));
const twice = (type: string, over: Record<string, unknown>): void => forge((events) => events.flatMap((event) => (event.type === type ? [event, { ...event, ...over }] : [event])));
function forgePlan(over: Record<string, unknown>): void {
  const path = join(runDir, 'plan.lock.json');
  writeFileSync(path, JSON.stringify({ ...(JSON.parse(readFileSync(path, 'utf8')) as object), ...over }));
  forgeOne('plan-locked', { planSha256: sha256(readFileSync(path)) });
}

describe('a log that was forged and sealed anew', () => {
  it('verifies when nothing was changed', async () => {
    forge((events) => events);
    expect(await verified()).toMatchObject({ state: 'verified', isAccepted: true });
  });

  it.each<[string, () => void, string]>([
    ['a second answer of the machine', () => twice('capabilities', { capabilities: { tools: {}, isRoot: true, driverVersion: '999.1' } }), 'log'],
    ['a second host', () => twice('host-connected', { hostKeyFingerprint: 'SHA256:other' }), 'log'],
    ['no host', () => without('host-connected'), 'log'],
    ['a second verdict', () => twice('verdict', {}), 'log'],
    ['events behind the end', () => forge((events) => [...events, { ...events[3]!, type: 'cancel-requested' }]), 'log'],
    ['a clock that goes back', () => forgeOne('host-connected', { elapsedMs: 1e9 }), 'log'],
    ['a time that is none', () => forgeOne('verdict', { time: 'yesterday' }), 'log'],
    ['no stages', () => without('stage-started'), 'log'],
    ['another card', () => forgeOne('run-started', { cardName: 'other' }), 'documents'],
    ['another target', () => forgeOne('run-started', { target: 'other' }), 'plan'],
    ['the plan of another card', () => forgePlan({ cardSha256: sha256('other') }), 'plan'],
    ['a plan that asks for less', () => forgePlan({ probes: [] }), 'plan'],
    ['another command', () => forgeOne('probe-started', { command: ['echo'] }), 'plan'],
    ['another probe', () => forgeOne('probe-started', { probe: 'nvidia-smi-query' }), 'plan'],
    ['no consent', () => without('consent-given'), 'plan'],
    ['a probe that never ended', () => without('probe-ended'), 'plan'],
    ['other values on the screen', () => forgeOne('measurements', { measurements: [{ metric: 'gpu.count', value: 8 }] }), 'parsing'],
    ['no verdict in the verdict', () => forgeOne('verdict', { verdict: null }), 'evidence'],
  ])('is seen: %s', async (_, change, step) => {
    change();
    const { state, isAccepted, steps } = await verified();
    expect([state, isAccepted, steps.at(-1)?.name]).toEqual(['not-verified', false, step]);
  });

  it.each<[string, () => void]>([
    ['an event', () => forge((events) => [...events.slice(0, 2), { ...events[1]!, type: 'probe-repeated' }, ...events.slice(2)])],
    ['a plan', () => forgePlan({ planVersion: 2 })],
    ['a day before the run', () => forgeOne('verdict', { time: '2020-01-01T00:00:00.000Z' })],
  ])('cannot be judged: %s that this version does not know', async (_, change) => {
    change();
    expect(await verified()).toMatchObject({ state: 'cannot-tell', isAccepted: false });
  });

  it.each(['cancelled', 'failed', 'connection-lost'])('does not accept a run that is %s', async (status) => {
    forgeOne('run-ended', { status });
    expect(await verified()).toMatchObject({ state: 'verified', verdict: 'accepted', status, isAccepted: false });
  });

  it('does not accept a run without an end', async () => {
    without('run-ended');
    expect(await verified()).toMatchObject({ state: 'verified', status: 'interrupted', isAccepted: false });
  });
});

describe('the files beside the log', () => {
  it.each<[string, () => void, string]>([
    ['the command', () => edit(`raw/${PROBE_RUN}/cmd.json`, '"-L"', '"-q"'), 'raw files'],
    ['the exit code', () => edit(`raw/${PROBE_RUN}/exit.json`, '"exitCode": 0', '"exitCode": 9'), 'raw files'],
    ['a command that cannot be read', () => edit(`raw/${PROBE_RUN}/cmd.json`, '{', ''), 'raw files'],
    ['a measurement of nothing', () => appendFileSync(join(runDir, 'measurements.ndjson'), '{"probeRun":"functional/other/1","metric":"gpu.count","value":8}\n'), 'parsing'],
  ])('cannot tell another story: %s', async (_, change, step) => {
    change();
    expect(await verified()).toMatchObject({ state: 'not-verified', steps: expect.arrayContaining([expect.objectContaining({ name: step, state: 'failed' })]) });
  });

  /** Changes an exported bundle, and makes its manifests and its seal anew. */
  async function repacked(change: (bag: string) => void, over: Record<string, string> = {}): Promise<Verification> {
    await exportBundle(runDir, bundle());
    const bag = join(folder, 'bag');
    await extractZip(bundle(), bag);
    for (const name of ['manifest-sha256.txt', 'tagmanifest-sha256.txt', 'bagit.txt']) rmSync(join(bag, name));
    const info = readFileSync(join(bag, 'bag-info.txt'), 'utf8').trimEnd().split('\n').map((line) => line.split(': '));
    rmSync(join(bag, 'bag-info.txt'));
    const labels = Object.fromEntries(info) as Record<string, string>;
    change(bag);
    await writeBagManifests(bag, { ...labels, ...over });
    await writeZip(bundle(), (await listFiles(bag)).map((name) => ({ name, path: join(bag, name) })));
    return verifyBundle(bundle());
  }

  it('verify when they are packed again', async () => {
    expect(await repacked(() => undefined)).toMatchObject({ state: 'verified', isAccepted: true });
  });

  it.each(['report.html', 'junit.xml', 'gaps.json'])('are told from a changed %s', async (name) => {
    const verification = await repacked((bag) => appendFileSync(join(bag, 'data', name), ' '));
    expect(verification).toMatchObject({ state: 'cannot-tell', isAccepted: false });
    expect(verification.steps.at(-1)?.message).toContain(name);
  });

  it('are all of the run', async () => {
    expect(await repacked((bag) => writeFileSync(join(bag, 'data/letter.txt'), 'The vendor says it is fine.'))).toMatchObject({ state: 'not-verified' });
  });

  it('are not judged in a layout of the future', async () => {
    expect(await repacked(() => undefined, { 'Bundle-Version': '2' })).toMatchObject({ state: 'cannot-tell' });
  });

  it('leave out what a file manager put between them', async () => {
    writeFileSync(join(runDir, 'raw/.DS_Store'), 'x');
    expect(await verified()).toMatchObject({ state: 'verified', isAccepted: true });
  });
});
