import { t } from '@vscode/l10n';
import type { HostMessage, PageMessage } from '../core/messages/workbench';
import './workbench.css';
import { ChartBoard } from './chart-board';
import { h, type PageAction, section, update } from './dom';
import { factStrip } from './facts';
import { emptyPage, runHeader, toolbar } from './header';
import { importedValues, importHeader } from './import-view';
import { hasCharts } from './measured';
import { createPageState, receive } from './page-state';
import { probeTable } from './probe-list';
import { rawViewer } from './raw-viewer';
import type { RunModel } from './run-model';
import { topologyMatrix } from './topology';
import { type CriterionFilter, filterBar, verdictTable } from './verdict-table';

/** Ids and view options only: the data comes anew from the host. */
interface SavedView {
  runId?: string;
  filter?: CriterionFilter;
}

declare function acquireVsCodeApi(): { postMessage(message: PageMessage): void; getState(): SavedView | undefined; setState(state: SavedView): void };

/** Everything is drawn at most four times a second. */
const RENDER_MS = 250;
const SECOND_MS = 1000;

const vscode = acquireVsCodeApi();
const post = (message: PageMessage): void => vscode.postMessage(message);
const saved = vscode.getState() ?? {};
const state = createPageState();
let filter: CriterionFilter = saved.filter ?? 'all';
let board = new ChartBoard();
let shown: RunModel | undefined;
let announced: string | undefined;
let receivedAtMs = performance.now();
let timer: number | undefined;
/** Gets the focus back when the raw output is closed. */
let rawOpener: HTMLElement | undefined;

const root = document.getElementById('workbench')!;
const top = h('header', { class: 'top' });
const body = h('div', { class: 'body' });
const charts = section('live', t('Measurements'), board.element);
const raw = h('aside', { class: 'raw-drawer', hidden: true, 'aria-label': t('Raw output') });
const live = h('div', { class: 'hidden', 'aria-live': 'polite' });
root.replaceChildren(top, body, raw, live);

const elapsedMs = (run: RunModel): number => run.elapsedMs + (run.running ? performance.now() - receivedAtMs : 0);

function renderTop(run: RunModel | undefined): void {
  const bar = run?.imported ? importHeader(run.imported) : run && runHeader(run, elapsedMs(run));
  update(top, toolbar(state.runs, run), state.error !== undefined && h('p', { class: 'error', role: 'alert' }, state.error), bar);
}

function render(): void {
  timer = undefined;
  const { run } = state;
  renderTop(run);
  charts.hidden = !run || !hasCharts(run.measured);
  update(body, ...(run ? sections(run) : [emptyPage()]));
  if (run !== shown) freshBoard(run);
  if (run && !charts.hidden) board.update(run);
  announce(run);
  vscode.setState({ filter, ...(run && !run.imported ? { runId: run.runId } : {}) });
}

function sections(run: RunModel): (HTMLElement | undefined)[] {
  const matrix = topologyMatrix(run.measured);
  const { verdict } = run;
  return [
    run.imported || !run.capabilities ? undefined : h('div', { 'data-key': 'facts' }, factStrip(run)),
    verdict && section('verdict', t('Verdict'), filterBar(verdict, filter), verdictTable(run.runId, verdict, filter)),
    charts,
    run.probes.length > 0 ? section('probes', t('Probes'), probeTable(run, elapsedMs(run))) : undefined,
    matrix && section('topology', t('Topology'), matrix),
    run.imported && importedValues(run.imported),
  ];
}

function freshBoard(run: RunModel | undefined): void {
  // A batch or a resync makes a new model of the same run: its charts stay.
  const isSameRun = run !== undefined && shown?.runId === run.runId && !run.imported;
  shown = run;
  if (isSameRun) return;
  board.dispose();
  const fresh = new ChartBoard();
  board.element.replaceWith(fresh.element);
  board = fresh;
}

/** Only the verdict is spoken: progress four times a second would drown everything else. */
function announce(run: RunModel | undefined): void {
  const text = run?.verdict?.summary;
  if (text === announced) return;
  announced = text;
  live.textContent = text ?? '';
}

function renderRaw(): void {
  raw.hidden = state.raw === undefined;
  raw.replaceChildren(...(state.raw ? [rawViewer(state.raw)] : []));
  const output = raw.querySelector('pre');
  const wanted = document.getElementById('wanted-line');
  if (output && wanted) output.scrollTop = wanted.offsetTop - output.offsetTop - output.clientHeight / 2;
  output?.focus({ preventScroll: true });
}

function closeRaw(): void {
  delete state.raw;
  renderRaw();
  if (rawOpener?.isConnected) rawOpener.focus();
}

function act(action: PageAction): void {
  if (action.do === 'close-raw') return closeRaw();
  filter = action.state as CriterionFilter;
  return render();
}

document.addEventListener('click', ({ target }) => {
  const button = target instanceof Element ? target.closest<HTMLElement>('button') : null;
  const { send, action } = button?.dataset ?? {};
  if (button && send !== undefined) {
    if (!raw.contains(button)) rawOpener = button;
    post(JSON.parse(send) as PageMessage);
  } else if (action !== undefined) act(JSON.parse(action) as PageAction);
});

document.addEventListener('change', ({ target }) => {
  if (target instanceof HTMLSelectElement) post({ type: 'select-run', runId: target.value });
});

document.addEventListener('keydown', ({ key }) => {
  if (key === 'Escape' && state.raw) closeRaw();
});

window.addEventListener('message', ({ data }: MessageEvent<HostMessage>) => {
  const { resync } = receive(state, data);
  if (resync !== undefined) post({ type: 'resync', runId: resync });
  if (data.type === 'run' || data.type === 'events') receivedAtMs = performance.now();
  if (data.type === 'raw') return renderRaw();
  if (data.type === 'theme') return requestAnimationFrame(() => board.redraw());
  if (!state.raw && !raw.hidden) renderRaw();
  timer ??= window.setTimeout(render, data.type === 'events' ? RENDER_MS : 0);
  return undefined;
});

window.setInterval(() => {
  if (state.run?.running && document.visibilityState === 'visible') renderTop(state.run);
}, SECOND_MS);

new MutationObserver(() => board.redraw()).observe(document.body, { attributes: true, attributeFilter: ['class', 'data-vscode-theme-id'] });
render();
post({ type: 'ready', ...(saved.runId === undefined ? {} : { runId: saved.runId }) });
