import { badge, h, table } from './dom';
import type { CriterionVerdict } from './message-types';
import type { ProbeState, RunModel } from './run-model';

export type OpenRaw = (probeRun: string, stream: 'stdout' | 'stderr', line?: number) => void;

export function verdictTable(criteria: readonly CriterionVerdict[], openRaw: OpenRaw): HTMLElement {
  const rows = criteria.map(({ id, stage, state, level, expected, measured, samples, reason, description, evidence, waiver }) => {
    const proof = evidence[0];
    const hasRaw = proof && proof.probeRun.split('/').length === 3;
    return [
      badge(state),
      h('div', {}, h('code', {}, id), level === 'advisory' ? h('small', {}, ' advisory') : undefined, description ? h('div', { class: 'quiet' }, description) : undefined),
      stage,
      h('span', { class: 'number' }, expected),
      h('span', { class: 'number' }, measured ?? ''),
      h('span', { class: 'number' }, samples === undefined ? '' : String(samples)),
      h('div', {}, reason, waiver ? h('div', { class: 'quiet' }, `Waived by ${waiver.by} on ${waiver.date}: ${waiver.reason}`) : undefined, hasRaw ? h('button', { class: 'link', click: () => openRaw(proof.probeRun, 'stdout', proof.line) }, proof.line === undefined ? 'raw output' : `raw output, line ${proof.line}`) : undefined),
    ];
  });
  return h('div', { class: 'scroll' }, table(['State', 'Criterion', 'Stage', 'Expected', 'Measured', 'Samples', 'Reason'], rows, 'Verdict by criterion'));
}

export function probeList(probes: readonly ProbeState[], openRaw: OpenRaw): HTMLElement {
  const rows = probes.map(({ probeRun, stage, entry, state, durationMs, reasons, command, hasRaw }) => [
    badge(state),
    h('code', {}, entry),
    stage,
    h('span', { class: 'number' }, durationMs === undefined ? '' : `${(durationMs / 1000).toFixed(1)} s`),
    h('div', {}, ...reasons.slice(0, 5).map(({ severity, message }) => h('div', { class: `reason ${severity}` }, message)), command ? h('details', {}, h('summary', {}, 'Command'), h('code', { class: 'wrap' }, command)) : undefined),
    hasRaw ? h('span', { class: 'buttons' }, h('button', { class: 'link', click: () => openRaw(probeRun, 'stdout') }, 'stdout'), h('button', { class: 'link', click: () => openRaw(probeRun, 'stderr') }, 'stderr')) : '',
  ]);
  return h('div', { class: 'scroll' }, table(['Outcome', 'Probe', 'Stage', 'Time', 'Reasons', 'Raw output'], rows, 'Probes of this run'));
}

/** Link kinds from near to far: the shade follows, the text says it. */
function linkClass(link: string): string {
  if (/^NV/.test(link)) return 'link-nv';
  if (/^(PIX|PXB)$/.test(link)) return 'link-near';
  return /^(PHB|NODE)$/.test(link) ? 'link-mid' : link === '' ? '' : 'link-far';
}

export function topologyMatrix({ links, endpoints }: RunModel): HTMLElement | undefined {
  if (endpoints.size === 0) return undefined;
  const names = [...endpoints].sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));
  const cell = (from: string, to: string): HTMLElement => {
    const link = from === to ? '·' : (links.get(`${from}|${to}`) ?? links.get(`${to}|${from}`) ?? '');
    return h('td', { class: from === to ? '' : linkClass(link) }, link);
  };
  return h(
    'div',
    { class: 'scroll' },
    h('table', { class: 'matrix' }, h('caption', { class: 'hidden' }, 'Links between GPUs and network adapters'), h('thead', {}, h('tr', {}, h('td', {}), ...names.map((name) => h('th', { scope: 'col' }, name)))), h('tbody', {}, ...names.map((from) => h('tr', {}, h('th', { scope: 'row' }, from), ...names.map((to) => cell(from, to)))))),
  );
}
