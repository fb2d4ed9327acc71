import type { PageMessage, RunListItem } from '../core/messages/workbench';
import { badge, h } from './dom';
import type { PageState } from './page-state';
import type { RunModel } from './run-model';

export function runPicker(runs: readonly RunListItem[], selected: string | undefined, post: (message: PageMessage) => void): HTMLElement {
  const select = h('select', { 'aria-label': 'Run', 'data-testid': 'run-picker', change: (event) => post({ type: 'select-run', runId: (event.target as HTMLSelectElement).value }) });
  for (const { runId, cardName, startedAt, verdict, status } of runs) {
    const option = h('option', { value: runId }, `${cardName} · ${new Date(startedAt).toLocaleString()} · ${verdict ?? status}`);
    option.selected = runId === selected;
    select.append(option);
  }
  return select;
}

export function runHeader(run: RunModel, post: (message: PageMessage) => void): HTMLElement {
  const { runId, running, verdict, status, message, cardName, target, stage } = run;
  const state = running ? 'running' : run.interrupted ? 'interrupted' : (verdict?.state ?? 'inconclusive');
  const done = run.probes.filter((probe) => probe.state !== 'running').length;
  const line = running ? `${stage ?? 'connecting'} · ${done} of ${run.probes.length} probes ended` : run.interrupted ? 'The program that ran this card is gone. What it wrote until then is below; nothing is accepted.' : (verdict?.summary ?? message ?? '');
  return h(
    'div',
    { class: `verdict-bar ${state}` },
    h('div', { class: 'verdict-main' }, h('div', { class: 'verdict-state' }, badge(state, 'run-state')), h('div', {}, h('h1', {}, cardName, h('span', { class: 'quiet' }, ` on ${target}`)), h('p', { class: 'summary', 'data-testid': 'verdict-summary' }, line), !running && status !== 'completed' && message ? h('p', { class: 'quiet' }, message) : undefined)),
    h('div', { class: 'buttons' }, h('span', { class: 'elapsed', 'data-testid': 'elapsed' }, `${(run.elapsedMs / 1000).toFixed(0)} s`), running ? h('button', { 'data-testid': 'cancel', click: () => post({ type: 'cancel', runId }) }, 'Cancel') : undefined, running ? undefined : h('button', { 'data-testid': 'export', click: () => post({ type: 'export', runId }) }, 'Export evidence'), running ? undefined : h('button', { class: 'secondary', click: () => post({ type: 'open-report', runId }) }, 'Report')),
  );
}

export function emptyPage(post: (message: PageMessage) => void): HTMLElement {
  return h('div', { class: 'empty', 'data-testid': 'empty' }, h('h1', {}, 'No run yet'), h('p', {}, 'Open an acceptance card (*.acceptance.yaml) and run it on a machine. Measurements, charts and the verdict appear here as they arrive.'), h('button', { click: () => post({ type: 'run-card' }) }, 'Run acceptance card'));
}

export function rawViewer({ raw }: PageState, close: () => void): HTMLElement | undefined {
  if (!raw) return undefined;
  const kib = (bytes: number): string => `${(bytes / 1024).toFixed(1)} KiB`;
  const lines = raw.text.split('\n').map((text, index) => h('span', { class: 'line', id: `raw-line-${index + 1}` }, h('span', { class: 'line-number', 'aria-hidden': 'true' }, String(index + 1)), `${text}\n`));
  return h('section', { class: 'raw', id: 'raw', 'data-testid': 'raw' }, h('h2', {}, `${raw.probeRun} · ${raw.stream}`, h('button', { class: 'link', click: close }, 'Close')), h('p', { class: 'quiet' }, raw.truncated ? `The first ${kib(raw.text.length)} of ${kib(raw.totalBytes)}; the whole file is in the run folder.` : kib(raw.totalBytes)), h('pre', { tabindex: '0', 'aria-label': 'Raw output' }, ...lines));
}
