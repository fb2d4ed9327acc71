import { describe, expect, it } from 'vitest';
import type { AcceptanceCard, Criterion } from '../../schemas';
import { judgeCard } from './judge';
import { cardWith, findCriterion, judgeRuns, NOW, probeRun, problem, resultWith } from './testing';
import { satisfiesVersion } from './version-range';

const count: Criterion = { id: 'gpu-count', metric: 'gpu.count', comparator: '==', value: 8 };
const eight = probeRun(resultWith([{ metric: 'gpu.count', value: 8 }]));
const seven = probeRun(resultWith([{ metric: 'gpu.count', value: 7 }]));

describe('a card', () => {
  it('is accepted when every required criterion passes', () => {
    expect(judgeRuns([count], [eight])).toMatchObject({ state: 'accepted', counts: { pass: 1, fail: 0 } });
  });

  it('is rejected when one fails, even beside one that is inconclusive', () => {
    const verdict = judgeRuns([count, { ...count, id: 'other', metric: 'mig.count' }], [seven]);
    expect(verdict.state).toBe('rejected');
    expect(verdict.summary).toContain('gpu-count');
  });

  it('is inconclusive when one is, and when nothing is required', () => {
    expect(judgeRuns([count, { ...count, id: 'other', metric: 'mig.count' }], [eight]).state).toBe('inconclusive');
    expect(judgeRuns([], [eight]).state).toBe('inconclusive');
    expect(judgeRuns([{ ...count, level: 'advisory' }], [eight]).state).toBe('inconclusive');
  });

  it('does not let an advisory criterion decide', () => {
    expect(judgeRuns([count, { ...count, id: 'mig', metric: 'mig.count', level: 'advisory' }], [eight]).state).toBe('accepted');
  });

  it('counts a required probe by itself, but not an optional one', () => {
    const broken = probeRun(resultWith([], { probe: 'kernel-xid', outcome: 'failed', reasons: [problem('xid', 'Xid 79: the GPU fell off the bus.')] }));
    expect(judgeRuns([count], [eight, broken])).toMatchObject({ state: 'rejected' });
    expect(judgeRuns([count], [eight, { ...broken, required: false }]).state).toBe('accepted');
    const silent = probeRun(resultWith([], { probe: 'dcgmi-health' }));
    expect(judgeRuns([count], [eight, silent]).state).toBe('inconclusive');
    const missing = probeRun(undefined, { probe: 'dcgmi-health', notRun: problem('x', 'There is no dcgmi.') });
    expect(findCriterion(judgeRuns([count], [eight, missing]), 'probe.dcgmi-health')).toMatchObject({ state: 'not-run', reason: 'There is no dcgmi.' });
  });

  it('cannot be accepted by a part of it', () => {
    const stages = { 'environment-smoke': { criteria: [count] }, functional: { criteria: [{ ...count, id: 'later' }] } };
    const verdict = judgeCard({ card: cardWith([], { stages }), stages: ['environment-smoke'], results: [eight], now: NOW });
    expect(verdict.state).toBe('inconclusive');
    expect(findCriterion(verdict, 'later').state).toBe('not-run');
  });

  it('cannot be accepted without its required probes, even if nobody wrote a criterion for them', () => {
    const leftOut = (probe: object) => judgeCard({ card: cardWith([], { stages: { 'environment-smoke': { probes: [{ id: 'nvidia-smi-list' }], criteria: [count] }, functional: { probes: [{ id: 'kernel-xid', ...probe }] } } }), stages: ['environment-smoke'], results: [eight], now: NOW });
    expect(leftOut({})).toMatchObject({ state: 'inconclusive', summary: 'Inconclusive: probe.kernel-xid: The probe "kernel-xid" was not run.' });
    expect(findCriterion(leftOut({ name: 'xids' }), 'probe.xids')).toMatchObject({ stage: 'functional', state: 'not-run', evidence: [] });
    expect(leftOut({ required: false }).state).toBe('accepted');
  });

  it('cannot be accepted by what was found before the first probe', () => {
    const card = cardWith([], { runtime: { driver: '>=550' } });
    const verdict = judgeCard({ card, stages: ['environment-smoke'], results: [], capabilities: { tools: {}, isRoot: false, driverVersion: '570.86' }, now: NOW });
    expect([findCriterion(verdict, 'card.driver').state, verdict.state]).toEqual(['pass', 'inconclusive']);
  });

  it('is the same verdict in whatever order the probes ended', () => {
    const silent = probeRun(resultWith([], { probe: 'dcgmi-health' }));
    const missing = probeRun(undefined, { probe: 'kernel-xid', notRun: problem('x', 'The kernel log cannot be read.') });
    const stages: AcceptanceCard['stages'] = { 'environment-smoke': { probes: [{ id: 'kernel-xid' }, { id: 'nvidia-smi-list' }, { id: 'dcgmi-health' }], criteria: [count] } };
    const judged = (...results: (typeof seven)[]) => judgeRuns([], results, { stages });
    expect(judged(silent, seven, missing)).toEqual(judged(missing, seven, silent));
  });
});

describe('a waiver', () => {
  const waiver = { criterion: 'gpu-count', by: 'Ada Okafor', date: '2026-11-30', reason: 'Seven GPUs are enough for the pilot.' };

  it('is visible, and keeps the state', () => {
    const other = { ...count, id: 'other', comparator: '>=' as const, value: 4 };
    const verdict = judgeRuns([count, other], [seven], { waivers: [waiver] });
    expect(verdict.state).toBe('accepted');
    expect(verdict.summary).toContain('1 waived');
    expect(findCriterion(verdict, 'gpu-count')).toMatchObject({ state: 'fail', waiver: { by: 'Ada Okafor' } });
  });

  it('cannot waive everything', () => {
    expect(judgeRuns([count], [seven], { waivers: [waiver] }).state).toBe('inconclusive');
  });

  it.each([
    ['is not yet valid', { ...waiver, date: '2026-12-02' }],
    ['is over', { ...waiver, until: '2026-11-30' }],
  ])('does not hold when it %s', (_, expired) => {
    expect(judgeRuns([count, { ...count, id: 'other', value: 7 }], [seven], { waivers: [expired] }).state).toBe('rejected');
  });

  it('holds through its last day', () => {
    expect(judgeRuns([count, { ...count, id: 'other', value: 7 }], [seven], { waivers: [{ ...waiver, until: '2026-12-01' }] }).state).toBe('accepted');
  });
});

describe('what the card requires outside its stages', () => {
  const query = (values: object) =>
    probeRun(resultWith([{ metric: 'gpu.count', value: 8 }, ...Object.entries(values).map(([metric, value]) => ({ metric, ...(value as { value: number | string }) }))], { probe: 'nvidia-smi-query' }));

  it.each([
    ['>=550.54', 'pass'],
    ['>=600', 'fail'],
    ['570.x', 'pass'],
    ['new', 'inconclusive'],
  ])('judges the driver against %s', (driver, state) => {
    const verdict = judgeRuns([count], [query({ 'gpu.driver': { value: '570.86.15' } })], { runtime: { driver } });
    expect(findCriterion(verdict, 'card.driver').state).toBe(state);
  });

  it('judges accelerator memory on every GPU', () => {
    const memory = (value: number) => judgeRuns([count], [query({ 'gpu.memory.total': { value, unit: 'MiB' } })], { acceleratorMemory: { perGpu: '79 GiB', gpus: 1 } });
    expect(findCriterion(memory(81559), 'card.accelerator-memory').state).toBe('pass');
    expect(findCriterion(memory(40960), 'card.accelerator-memory').state).toBe('fail');
  });

  it('cannot be accepted without evidence for it', () => {
    const verdict = judgeRuns([count], [eight], { runtime: { driver: '>=550', cuda: '>=12' }, acceleratorMemory: { perGpu: '79 GiB' }, topology: { link: 'NV18' } });
    expect(verdict.state).toBe('inconclusive');
    for (const id of ['card.driver', 'card.cuda', 'card.accelerator-memory', 'card.topology-link']) expect(findCriterion(verdict, id).state).toBe('not-run');
  });
});

describe('version requirements', () => {
  it.each([
    ['550.54.15', '>=550.54', true],
    ['550.54.15', '>=550.90', false],
    ['12.4', '>=12.4 <13', true],
    ['13.0', '>=12.4 <13', false],
    ['13.0', '>=12.4, <13', false],
    ['550.54.15', '550.54', true],
    ['550.54.15', '550.x', true],
    ['9.10', '>=9.9', true],
    ['unknown', '>=9.9', undefined],
    ['9.10', 'latest', undefined],
    ['9.10', '', undefined],
  ])('%s %s is %s', (version, requirement, expected) => {
    expect(satisfiesVersion(version, requirement)).toBe(expected);
  });
});
