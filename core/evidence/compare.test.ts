import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { listOf } from '../probes/nvidia-smi/testing/fixtures';
import { runCard } from '../run/run-card';
import { ScriptedMachine } from '../run/testing/scripted-machine';
import { exportBundle } from './bundle';
import { compareRuns, NotComparableError, runLabels, showCell, showSpread } from './compare';
import { renderComparison } from './compare-report';

const cardOf = ({ name = 'gpu count', bound = 4, targets = ['rack-a', 'rack-b'] } = {}): string => `kind: AcceptanceCard
schemaVersion: 1
name: ${name}
targets:${targets.map((target) => `\n  - { name: ${target}, host: ${target}.example.com, user: root }`).join('')}
stages:
  environment-smoke:
    probes: [{ id: nvidia-smi-list }]
    criteria:
      - { id: gpus, metric: gpu.count, comparator: ">=", value: ${bound} }
`;

describe('runs side by side', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'compare-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  async function run(gpus: number, { target = 'rack-a', cardText = cardOf() } = {}): Promise<string> {
    const hooks = { approveHost: async () => true, consent: async () => ({ readOnly: true, invasive: false }), acceptFirstSeenKey: async () => false, onEvent: () => undefined };
    const machine = new ScriptedMachine({ 'nvidia-smi -L': { stdout: `${listOf(gpus)}\n` } });
    return (await runCard({ cardPath: 'card.yaml', cardText, target, outDir: folder, by: 'cli', toolVersion: '0.0.0' }, hooks, { connect: async () => machine })).runDir;
  }

  it('shows each criterion with what each machine measured, and how far apart they are', async () => {
    const { runs, criteria, cardName } = await compareRuns([await run(4), await run(3, { target: 'rack-b' })]);
    expect(cardName).toBe('gpu count');
    expect(runs.map(({ target, verdict, evidence, status }) => [target, verdict, evidence, status])).toEqual([
      ['rack-a', 'accepted', 'verified', 'completed'],
      ['rack-b', 'rejected', 'verified', 'completed'],
    ]);
    const gpus = criteria.find(({ id }) => id === 'gpus')!;
    expect(gpus).toMatchObject({ expected: '≥ 4', spread: 0.25, cells: [{ state: 'pass', measured: '4' }, { state: 'fail', measured: '3' }] });
    expect([gpus.cells.map(showCell), showSpread(gpus.spread)]).toEqual([['pass 4', 'fail 3'], '25.0 %']);
    expect(runLabels(runs)).toEqual(['rack-a', 'rack-b']);
  });

  it('takes bundles as well, and tells runs on one target apart', async () => {
    const [first, second] = [await run(4), await run(4)];
    await exportBundle(second, join(folder, 'second.zip'));
    const { runs, notes, criteria } = await compareRuns([first, join(folder, 'second.zip')]);
    expect(runLabels(runs)).toEqual(runs.map(({ runId }) => `rack-a …${runId.slice(-4)}`));
    expect(criteria.find(({ id }) => id === 'gpus')!.spread).toBe(0);
    expect(notes).toEqual(['All runs met the same host key: they are of one machine, or of machines made from one image.']);
  });

  it('does not put different bounds side by side as if they were one', async () => {
    const { criteria, notes } = await compareRuns([await run(4), await run(4, { target: 'rack-b', cardText: cardOf({ bound: 2 }) })]);
    const gpus = criteria.find(({ id }) => id === 'gpus')!;
    expect(gpus).not.toHaveProperty('expected');
    expect(gpus.cells.map((cell) => cell?.expected)).toEqual(['≥ 4', '≥ 2']);
    expect(notes.join(' ')).toContain('The bounds of these criteria differ, so their states cannot be compared: gpus.');
  });

  it('says that a card was changed although its bounds were not', async () => {
    const { notes } = await compareRuns([await run(4), await run(4, { target: 'rack-c', cardText: cardOf({ targets: ['rack-c'] }) })]);
    expect(notes[0]).toContain('The card was changed between these runs');
  });

  it('says that a run has no verdict, and shows no states for it', async () => {
    const [whole, killed] = [await run(4), await run(4)];
    const log = join(killed, 'events.ndjson');
    writeFileSync(log, readFileSync(log, 'utf8').split('\n').filter((line) => !/"type":"(?:verdict|run-ended)"/.test(line)).join('\n'));
    rmSync(join(killed, 'verdict.json'));
    const { runs, criteria, notes } = await compareRuns([whole, killed]);
    expect(runs[1]).toMatchObject({ status: 'interrupted', evidence: 'verified' });
    expect(runs[1]).not.toHaveProperty('verdict');
    expect(criteria.map(({ cells }) => cells[1])).toEqual(criteria.map(() => null));
    expect(notes.at(-1)).toContain('(interrupted)');
  });

  it('shows no numbers of a run whose evidence is not sound', async () => {
    const [sound, changed] = [await run(4), await run(3)];
    appendFileSync(join(changed, 'raw', 'environment-smoke', 'nvidia-smi-list', '1', 'stdout'), `${listOf(4).split('\n')[3]!}\n`);
    await expect(compareRuns([sound, changed])).rejects.toThrow(/is not sound, so its numbers are not compared. raw\/environment-smoke\/nvidia-smi-list\/1\/stdout is not what the run wrote/);
  });

  it('refuses what cannot be compared, and says why', async () => {
    const [one, other] = [await run(4), await run(4, { cardText: cardOf({ name: 'other' }) })];
    await expect(compareRuns([one])).rejects.toThrow('at least two runs');
    await expect(compareRuns([one, one])).rejects.toThrow('named twice');
    await expect(compareRuns([one, other])).rejects.toThrow('different cards: gpu count, other');
    await expect(compareRuns([one, join(folder, 'none')])).rejects.toThrow(NotComparableError);
  });

  it('becomes a page without scripts, in which names are text', async () => {
    const cardText = cardOf({ name: '"<script>alert(1)</script>"' });
    const html = renderComparison(await compareRuns([await run(4, { cardText }), await run(3, { cardText, target: 'rack-b' })]));
    expect(html).not.toContain('<script');
    expect(html).toContain('&#60;script&#62;');
    expect(html.match(/<th scope="col">rack-[ab]<\/th>/g)).toHaveLength(4);
    expect(html).toContain('25.0 %');
  });
});
