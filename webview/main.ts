import type { HostMessage, PageMessage } from '../core/messages/workbench';
import './workbench.css';
import { ChartBoard } from './chart-board';
import { h, replace, section } from './dom';
import { emptyPage, rawViewer, runHeader, runPicker } from './header';
import { createPageState, receive } from './page-state';
import { probeList, topologyMatrix, verdictTable } from './tables';

declare function acquireVsCodeApi(): { postMessage(message: PageMessage): void; getState(): unknown; setState(state: unknown): void };

/** Charts are drawn at most four times a second, tables with them. */
const RENDER_MS = 250;

const vscode = acquireVsCodeApi();
const post = (message: PageMessage): void => vscode.postMessage(message);
const state = createPageState();
let board = new ChartBoard();
let shownRunId: string | undefined;
let wantedLine: number | undefined;
let timer: number | undefined;

const root = document.getElementById('workbench')!;
const top = h('div', { class: 'top' });
const verdict = h('div', { 'aria-live': 'polite' });
const chartSection = section('live', 'Measurements', board.element);
const [criteria, topology, probes, raw] = [h('div', {}), h('div', {}), h('div', {}), h('div', {})];
replace(root, top, verdict, criteria, chartSection, topology, probes, raw);

function openRaw(probeRun: string, stream: 'stdout' | 'stderr', line?: number): void {
  if (!state.run) return;
  wantedLine = line;
  post({ type: 'raw', runId: state.run.runId, probeRun, stream });
}

function render(): void {
  timer = undefined;
  const { run } = state;
  replace(top, state.runs.length > 0 ? runPicker(state.runs, run?.runId, post) : undefined, state.error ? h('p', { class: 'error', role: 'alert' }, state.error) : undefined);
  if (!run) {
    for (const part of [criteria, topology, probes, raw]) replace(part);
    chartSection.hidden = true;
    replace(verdict, emptyPage(post));
    return;
  }
  if (run.runId !== shownRunId) {
    shownRunId = run.runId;
    const fresh = new ChartBoard();
    board.element.replaceWith(fresh.element);
    board = fresh;
  }
  replace(verdict, runHeader(run, post));
  replace(criteria, run.verdict ? section('verdict', 'Verdict', verdictTable(run.verdict.criteria, openRaw)) : undefined);
  // Shown first: what is hidden has no width to draw in.
  chartSection.hidden = run.fields.size + run.serving.size + run.bandwidth.size === 0;
  board.update(run);
  const matrix = topologyMatrix(run);
  replace(topology, matrix ? section('topology', 'Topology', matrix) : undefined);
  replace(probes, run.probes.length > 0 ? section('probes', 'Probes', probeList(run.probes, openRaw)) : undefined);
}

function renderRaw(): void {
  const viewer = rawViewer(state, () => {
    delete state.raw;
    renderRaw();
  });
  replace(raw, viewer);
  const line = wantedLine === undefined ? undefined : document.getElementById(`raw-line-${wantedLine}`);
  line?.classList.add('wanted');
  (line ?? viewer)?.scrollIntoView({ block: line ? 'center' : 'start' });
  wantedLine = undefined;
}

window.addEventListener('message', ({ data }: MessageEvent<HostMessage>) => {
  const { resync } = receive(state, data);
  if (resync !== undefined) post({ type: 'resync', runId: resync });
  if (data.type === 'raw') return renderRaw();
  if (data.type === 'theme') return requestAnimationFrame(() => board.redraw());
  timer ??= window.setTimeout(render, data.type === 'events' ? RENDER_MS : 0);
  return undefined;
});

new MutationObserver(() => board.redraw()).observe(document.body, { attributes: true, attributeFilter: ['class', 'data-vscode-theme-id'] });
render();
post({ type: 'ready' });
