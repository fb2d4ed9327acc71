import { t } from '@vscode/l10n';
import { actionButton, badge, cell, h, labelledCell, row, scrollable, sendButton, table } from './dom';
import type { CriterionVerdict, Verdict } from './message-types';

export type CriterionFilter = 'all' | CriterionVerdict['state'];

const ORDER: readonly CriterionVerdict['state'][] = ['fail', 'inconclusive', 'not-run', 'pass'];

/** What keeps a card from being accepted stands first; within a state the card's order is kept. */
export function orderedCriteria(criteria: readonly CriterionVerdict[], filter: CriterionFilter = 'all'): CriterionVerdict[] {
  return ORDER.filter((state) => filter === 'all' || filter === state).flatMap((state) => criteria.filter((criterion) => criterion.state === state));
}

/** A criterion of the card's own text; the others come from rules that hold for every card. */
const isWritten = ({ id }: CriterionVerdict): boolean => !/^(card|probe)\./.test(id);

export function filterBar({ criteria, counts }: Verdict, filter: CriterionFilter): HTMLElement {
  const chip = (state: CriterionFilter, count: number): HTMLElement => actionButton({ do: 'filter', state }, `${state === 'all' ? t('all') : state.replace('-', ' ')} ${count}`, { class: 'chip', 'data-key': state, 'aria-pressed': String(filter === state) });
  return h('div', { class: 'filters', role: 'group', 'aria-label': t('Filter by state') }, chip('all', criteria.length), ...ORDER.filter((state) => counts[state] > 0).map((state) => chip(state, counts[state])));
}

export function verdictTable(runId: string, verdict: Verdict, filter: CriterionFilter): HTMLElement {
  const rows = orderedCriteria(verdict.criteria, filter).map((criterion) => criterionRow(runId, criterion));
  return scrollable(t('Verdict by criterion'), table([t('State'), t('Criterion'), t('Expected'), t('Measured'), t('Samples'), t('Reason and evidence')], rows, t('Verdict by criterion'), { class: 'wide verdicts' }));
}

function criterionRow(runId: string, criterion: CriterionVerdict): HTMLTableRowElement {
  const { id, stage, state, level, expected, measured, samples, reason, description, waiver } = criterion;
  const name = isWritten(criterion) ? sendButton({ type: 'reveal-criterion', runId, stage, criterion: id }, id, { class: 'link code', title: t('Show in the card') }) : h('code', {}, id);
  return row(
    `${stage}/${id}`,
    cell('state', badge(state)),
    cell('criterion', h('div', {}, name, level === 'advisory' && h('span', { class: 'tag' }, t('advisory')), h('span', { class: 'quiet stage-of' }, stage)), description !== undefined && h('div', { class: 'description' }, description)),
    labelledCell(t('Expected'), 'number expected', expected),
    labelledCell(t('Measured'), 'number measured', measured ?? '—'),
    labelledCell(t('Samples'), 'number samples', samples === undefined ? '—' : samples.toLocaleString('en')),
    cell('reason-cell', h('div', {}, reason), waiver && h('div', { class: 'waiver' }, t('Waived by {0} on {1}: {2}', waiver.by, waiver.date, waiver.reason)), h('div', { class: 'links' }, ...evidenceLinks(runId, criterion))),
  );
}

const MOST_LINKS = 3;

/** Lines of raw output that a judgement rests on, each once; one is enough where nothing is wrong. */
export function shownEvidence({ evidence, state }: Pick<CriterionVerdict, 'evidence' | 'state'>): CriterionVerdict['evidence'] {
  // Evidence of a probe that was not run names no attempt: there is no output to show.
  const stored = new Map(evidence.filter(({ probeRun }) => probeRun.split('/').length === 3).map((reference) => [`${reference.probeRun}:${reference.line}`, reference]));
  return [...stored.values()].slice(0, state === 'pass' ? 1 : MOST_LINKS);
}

function evidenceLinks(runId: string, criterion: CriterionVerdict): HTMLElement[] {
  return shownEvidence(criterion).map(({ probeRun, line }, index) => {
    const entry = probeRun.split('/')[1]!;
    return sendButton({ type: 'raw', runId, probeRun, stream: 'stdout', ...(line === undefined ? {} : { line, isWanted: true }) }, line === undefined ? entry : t('{0}, line {1}', entry, line), { class: 'link', 'data-key': String(index) });
  });
}
