import { t } from '@vscode/l10n';
import { badge, cell, h, row, scrollable, sendButton, svg, table } from './dom';
import { formatBytes, formatDuration, formatElapsed } from './format';
import type { Reason } from './message-types';
import type { ProbeEnd, ProbeState, RunModel } from './run-model';

const BAR_UNITS = 1000;

/** Start and length of a probe's bar in thousandths of the run. */
export function barOf({ startedMs, durationMs }: Pick<ProbeState, 'startedMs' | 'durationMs'>, elapsedMs: number): { start: number; length: number } | undefined {
  if (startedMs === undefined || elapsedMs <= 0) return undefined;
  const start = Math.min(BAR_UNITS, (startedMs / elapsedMs) * BAR_UNITS);
  const end = durationMs === undefined ? BAR_UNITS : ((startedMs + durationMs) / elapsedMs) * BAR_UNITS;
  return { start, length: Math.max(4, Math.min(BAR_UNITS, end) - start) };
}

/** `elapsedMs`: the whole width of the time column. */
export function probeTable(run: RunModel, elapsedMs: number): HTMLElement {
  const rows = run.probes.map((probe) => probeRow(run.runId, probe, elapsedMs));
  return scrollable(t('Probes of this run'), table([t('Outcome'), t('Probe'), t('Time, 0:00 to {0}', formatElapsed(elapsedMs)), t('Duration'), t('Raw output')], rows, t('Probes of this run'), { class: 'wide probes' }));
}

function probeRow(runId: string, probe: ProbeState, elapsedMs: number): HTMLTableRowElement {
  const { probeRun, stage, entry, probe: id, state, durationMs, startedMs, invasive } = probe;
  const bar = barOf(probe, elapsedMs);
  const track = svg('svg', { class: `bar ${state}`, viewBox: `0 0 ${BAR_UNITS} 10`, preserveAspectRatio: 'none', 'aria-hidden': 'true' }, svg('rect', { class: 'track', width: String(BAR_UNITS), height: '10' }), ...(bar ? [svg('rect', { class: 'part', x: String(bar.start), width: String(bar.length), height: '10' })] : []));
  return row(
    probeRun,
    cell('state', badge(state)),
    cell('probe', h('div', { class: 'name' }, h('code', {}, entry), id !== entry && h('span', { class: 'quiet' }, id), h('span', { class: 'quiet stage-of' }, stage), invasive && h('span', { class: 'tag' }, t('invasive'))), ...reasonLines(probe.reasons), details(probe)),
    cell('timeline', track, h('span', { class: 'hidden' }, startedMs === undefined ? t('not started') : t('started at {0}', formatElapsed(startedMs)))),
    cell('number', durationMs === undefined ? '' : formatDuration(durationMs)),
    cell('links', ...rawLinks(runId, probe)),
  );
}

function rawLinks(runId: string, { probeRun, state, from, end }: ProbeState): HTMLElement[] {
  if (state === 'not-run') return [];
  const link = (stream: 'stdout' | 'stderr'): HTMLElement => sendButton({ type: 'raw', runId, probeRun, stream }, stream, { class: 'link', 'data-key': stream, 'data-testid': `raw-${stream}` });
  // A probe that reads another one's output has no standard error of its own.
  return from !== undefined || end?.stderrBytes === 0 ? [link('stdout')] : [link('stdout'), link('stderr')];
}

const MOST_REASONS = 6;

export function reasonLines(reasons: readonly Reason[]): HTMLElement[] {
  const lines = reasons.slice(0, MOST_REASONS).map(({ severity, message, code, line }, index) =>
    h('div', { class: `reason ${severity}`, 'data-key': `reason-${index}`, title: code }, h('span', { class: 'severity' }, severity), h('span', {}, line === undefined ? message : t('{0} (line {1})', message, line))),
  );
  return reasons.length > MOST_REASONS ? [...lines, h('div', { class: 'quiet', 'data-key': 'more-reasons' }, t('{0} more', reasons.length - MOST_REASONS))] : lines;
}

function details({ command, from, end }: ProbeState): HTMLElement | undefined {
  if (command === undefined && from === undefined) return undefined;
  return h(
    'details',
    { 'data-key': 'details' },
    h('summary', {}, from === undefined ? t('Command') : t('Source')),
    h('code', { class: 'wrap' }, command ?? t('reads the raw output of {0}', from ?? '')),
    end && h('div', { class: 'quiet' }, endFacts(end).join(' · ')),
  );
}

/** How a probe's command ended, in words; what was left on the machine is never kept silent. */
export function endFacts({ exitCode, signal, cut, remoteProcesses, redactions, stdoutBytes, stderrBytes }: ProbeEnd): string[] {
  return [
    ...(exitCode === null ? [] : [t('exit code {0}', exitCode)]),
    ...(signal === undefined ? [] : [t('ended by {0}', signal)]),
    ...(cut === undefined ? [] : [t('cut: {0}', cut)]),
    ...(remoteProcesses === 'left' ? [t('processes were left on the machine')] : []),
    ...(remoteProcesses === 'unknown' ? [t('whether processes are left on the machine is not known')] : []),
    t('stdout {0}, stderr {1}', formatBytes(stdoutBytes), formatBytes(stderrBytes)),
    ...(redactions > 0 ? [t('{0} secrets replaced', redactions)] : []),
  ];
}
