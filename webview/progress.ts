import { t } from '@vscode/l10n';
import { badge, h } from './dom';
import type { RunModel } from './run-model';

export type RunState = 'running' | 'interrupted' | 'accepted' | 'rejected' | 'inconclusive';

/** What the page calls the run. Without a verdict nothing is accepted. */
export function runState({ running, interrupted, verdict }: Pick<RunModel, 'running' | 'interrupted' | 'verdict'>): RunState {
  if (running) return 'running';
  return interrupted ? 'interrupted' : (verdict?.state ?? 'inconclusive');
}

export type StageState = 'waiting' | 'running' | 'pass' | 'fail' | 'inconclusive' | 'not-run' | 'measured';

export interface StageProgress {
  stage: string;
  state: StageState;
  done: number;
  total: number;
}

const WORST_FIRST = ['fail', 'failed', 'inconclusive', 'not-run'] as const;

/** Each stage of the plan with its worst criterion, or its worst probe while there is no verdict. */
export function stageProgress({ stages, stage: current, probes, verdict, running }: Pick<RunModel, 'stages' | 'stage' | 'probes' | 'verdict' | 'running'>): StageProgress[] {
  return stages.map((stage) => {
    const own = probes.filter((probe) => probe.stage === stage);
    const done = own.filter(({ state }) => state !== 'running').length;
    const criteria = (verdict?.criteria ?? []).filter((criterion) => criterion.stage === stage && criterion.level === 'required');
    return { stage, done, total: own.length, state: running && stage === current ? 'running' : stateOf(own.map(({ state }) => state), criteria.map(({ state }) => state), running) };
  });
}

function stateOf(probes: readonly string[], criteria: readonly string[], running: boolean): StageState {
  if (probes.length === 0 && criteria.length === 0) return running ? 'waiting' : 'not-run';
  const judged = criteria.length > 0 ? criteria : probes;
  const worst = WORST_FIRST.find((state) => judged.includes(state));
  if (worst === 'failed' || worst === 'fail') return 'fail';
  if (worst !== undefined) return worst;
  return criteria.length > 0 ? 'pass' : judged.includes('running') ? 'inconclusive' : 'measured';
}

const STATE_MARKS: Record<StageState, string> = { waiting: '○', running: '●', pass: '✓', measured: '✓', fail: '✗', inconclusive: '?', 'not-run': '–' };

export function stageStrip(run: RunModel): HTMLElement {
  const items = stageProgress(run).map(({ stage, state, done, total }) =>
    h('li', { class: `stage ${state}`, ...(state === 'running' ? { 'aria-current': 'step' } : {}) }, h('span', { class: 'mark', 'aria-hidden': 'true' }, STATE_MARKS[state]), h('span', { class: 'stage-name' }, stage), h('span', { class: 'quiet' }, total > 0 ? `${done}/${total}` : ''), h('span', { class: 'hidden' }, state)),
  );
  return h('ol', { class: 'stages', 'aria-label': t('Stages'), 'data-testid': 'stages' }, ...items);
}

const TALLY = ['pass', 'fail', 'inconclusive', 'not-run'] as const;

/** How many criteria are in each state. */
export function tally({ verdict }: RunModel): HTMLElement | undefined {
  if (!verdict) return undefined;
  const counts = TALLY.filter((state) => verdict.counts[state] > 0 || state === 'pass' || state === 'fail');
  return h('div', { class: 'tally', 'data-testid': 'tally' }, ...counts.map((state) => h('span', { class: 'tally-item' }, h('b', { class: 'number' }, String(verdict.counts[state])), badge(state))));
}
