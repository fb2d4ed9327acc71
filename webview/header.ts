import { t } from '@vscode/l10n';
import type { RunListItem } from '../core/messages/workbench';
import { badge, h, sendButton } from './dom';
import { formatElapsed } from './format';
import { runState, stageStrip, tally } from './progress';
import type { RunModel } from './run-model';

export function runPicker(runs: readonly RunListItem[], selected: string | undefined): HTMLElement {
  const options = runs.map(({ runId, cardName, target, startedAt, verdict, status }) => {
    const state = status === 'completed' ? (verdict ?? status) : status;
    return h('option', { value: runId, 'data-key': runId }, `${new Date(startedAt).toLocaleString()} · ${cardName} · ${target} · ${state}`);
  });
  const select = h('select', { 'aria-label': t('Run'), 'data-testid': 'run-picker' }, ...options);
  if (selected !== undefined) select.value = selected;
  return select;
}

export function toolbar(runs: readonly RunListItem[], run: RunModel | undefined): HTMLElement {
  const runId = run?.runId ?? '';
  const isStored = run && !run.imported;
  return h(
    'div',
    { class: 'toolbar', role: 'toolbar', 'aria-label': t('Run') },
    runs.length > 0 && runPicker(runs, run?.imported ? undefined : run?.runId),
    h('span', { class: 'spring' }),
    isStored && run.running && sendButton({ type: 'cancel', runId }, run.cancelRequested ? t('Cancelling…') : t('Cancel'), { 'data-testid': 'cancel', 'data-key': 'cancel', disabled: run.cancelRequested }),
    isStored && !run.running && sendButton({ type: 'export', runId }, t('Export evidence'), { 'data-testid': 'export', 'data-key': 'export' }),
    isStored && !run.running && sendButton({ type: 'open-report', runId }, t('Report'), { 'data-testid': 'report', 'data-key': 'report', class: 'secondary' }),
    !run?.running && sendButton({ type: 'run-card' }, t('Run card'), { 'data-testid': 'run-card', 'data-key': 'run', class: 'secondary' }),
  );
}

function headline(run: RunModel): string {
  const { stage, probes, verdict, message, interrupted, running, cancelRequested } = run;
  if (running) {
    if (cancelRequested) return t('Cancelling: what runs on the machine is being ended.');
    const active = probes.filter(({ state }) => state === 'running').map(({ entry }) => entry);
    return stage === undefined ? t('Connecting and looking at the machine…') : t('{0}: {1}', stage, active.join(', ') || '…');
  }
  if (interrupted) return t('The program that ran this card is gone. What it wrote until then is below; nothing is accepted.');
  return verdict?.summary ?? message ?? t('The run ended without a verdict.');
}

/** `elapsedMs`: by the page's own clock while the run goes on. */
export function runHeader(run: RunModel, elapsedMs: number): HTMLElement {
  const { cardName, target, running, status, message, verdict } = run;
  const state = runState(run);
  const ending = !running && verdict && status !== 'completed' && status !== undefined ? [status.replace('-', ' '), message].filter(Boolean).join(': ') : undefined;
  return h(
    'div',
    { class: `verdict-bar ${state}` },
    h('div', { class: 'verdict-state' }, badge(state, 'run-state'), h('span', { class: 'elapsed number', 'data-testid': 'elapsed', title: t('Duration') }, formatElapsed(elapsedMs))),
    h('div', { class: 'verdict-text' }, h('h1', {}, cardName, h('span', { class: 'quiet' }, ` ${t('on {0}', target)}`)), h('p', { class: 'headline', 'data-testid': 'verdict-summary' }, headline(run)), ending !== undefined && h('p', { class: 'quiet', 'data-testid': 'ending' }, ending)),
    tally(run),
    stageStrip(run),
  );
}

export function emptyPage(): HTMLElement {
  return h('div', { class: 'empty', 'data-testid': 'empty', 'data-key': 'empty' }, h('h1', {}, t('No run yet')), h('p', {}, t('Open an acceptance card (*.acceptance.yaml) and run it on a machine. Measurements, charts and the verdict appear here as they arrive.')), sendButton({ type: 'run-card' }, t('Run acceptance card')));
}
