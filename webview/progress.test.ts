import { describe, expect, it } from 'vitest';
import { stageProgress } from './progress';
import { barOf, endFacts } from './probe-list';
import { factsOf } from './facts';
import { applyEvent, createRunModel, type RunModel } from './run-model';
import { gpuLinks, linkClass } from './topology';
import { orderedCriteria, shownEvidence } from './verdict-table';
import { criterion, recordedRun, RUN_ID, verdictOf } from './testing/recorded-run';

function modelOf(until = Infinity, verdict?: Parameters<typeof recordedRun>[0]): RunModel {
  const model = createRunModel(RUN_ID, []);
  model.running = true;
  for (const event of recordedRun(verdict)) if (event.elapsedMs <= until) applyEvent(model, event);
  return model;
}

const states = (model: RunModel): string[] => stageProgress(model).map(({ state }) => state);

describe('stages', () => {
  it('wait, run and end', () => {
    expect(states(modelOf(1_000))).toEqual(['waiting', 'waiting', 'waiting']);
    expect(states(modelOf(2_500))).toEqual(['running', 'waiting', 'waiting']);
    expect(stageProgress(modelOf(3_400))[0]).toMatchObject({ done: 1, total: 2 });
  });
  it('have the state of their worst probe until there is a verdict', () => {
    expect(states(modelOf(10_000))).toEqual(['not-run', 'running', 'waiting']);
  });
  it('have the state of their worst required criterion after it', () => {
    expect(states(modelOf())).toEqual(['not-run', 'fail', 'not-run']);
    const passed = verdictOf('accepted', [criterion('a', 'pass'), criterion('b', 'fail', { level: 'advisory' })]);
    expect(states(modelOf(Infinity, passed))[1]).toBe('pass');
  });
  it('never look better than they are: a probe that never ended leaves its stage inconclusive', () => {
    const model = modelOf(10_000);
    model.running = false;
    expect(states(model)[1]).toBe('inconclusive');
  });
});

describe('the verdict table', () => {
  it('begins with what keeps the card from being accepted', () => {
    const { criteria } = modelOf().verdict!;
    expect(orderedCriteria(criteria).map(({ id }) => id)).toEqual(['gather', 'first-token', 'no-xid', 'gpu-count', 'card.driver']);
    expect(orderedCriteria(criteria, 'pass').map(({ id }) => id)).toEqual(['gpu-count', 'card.driver']);
  });
  it('links each line of evidence once, and none of a probe that was not run', () => {
    const evidence = [{ probeRun: 'a/b/1', line: 3 }, { probeRun: 'a/b/1', line: 3 }, { probeRun: 'a/b/1', line: 4 }, { probeRun: 'a/c' }];
    expect(shownEvidence({ state: 'fail', evidence })).toEqual([{ probeRun: 'a/b/1', line: 3 }, { probeRun: 'a/b/1', line: 4 }]);
    expect(shownEvidence({ state: 'pass', evidence })).toHaveLength(1);
  });
});

describe('probes', () => {
  it('have a bar where and as long as they ran', () => {
    expect(barOf({ startedMs: 2_500, durationMs: 5_000 }, 10_000)).toEqual({ start: 250, length: 500 });
    expect(barOf({ startedMs: 9_000 }, 10_000)).toEqual({ start: 900, length: 100 });
    expect(barOf({}, 10_000)).toBeUndefined();
  });
  it('say what was left on the machine', () => {
    const end = { exitCode: null, signal: 'SIGKILL', cut: 'timeout', remoteProcesses: 'left', redactions: 2, stdoutBytes: 10, stderrBytes: 0 };
    expect(endFacts(end)).toEqual(['ended by SIGKILL', 'cut: timeout', 'processes were left on the machine', 'stdout 10 B, stderr 0 B', '2 secrets replaced']);
    expect(endFacts({ exitCode: 0, remoteProcesses: 'ended', redactions: 0, stdoutBytes: 1, stderrBytes: 1 })).toEqual(['exit code 0', 'stdout 1 B, stderr 1 B']);
  });
});

describe('facts and links', () => {
  it('leave out what the machine did not give', () => {
    const facts = new Map(factsOf(modelOf()).map(({ name, value }) => [name, value]));
    expect(facts.get('Driver')).toBe('565.57.01');
    expect(facts.has('NCCL')).toBe(false);
  });
  it('count pairs of GPUs by link', () => {
    expect(gpuLinks(modelOf().measured)).toEqual([{ link: 'SYS', pairs: 5 }, { link: 'PIX', pairs: 1 }]);
  });
  it('know near from far', () => {
    expect(['NV18', 'PIX', 'PXB', 'PHB', 'NODE', 'SYS', 'X?'].map(linkClass)).toEqual(['link-nv', 'link-near', 'link-near', 'link-mid', 'link-mid', 'link-far', 'link-far']);
  });
});
