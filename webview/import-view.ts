import { t } from '@vscode/l10n';
import { badge, cell, h, row, scrollable, section, table } from './dom';
import type { ImportedOutput } from './message-types';
import { reasonLines } from './probe-list';

const MOST_ROWS = 500;

export function importHeader({ source, importedAt, result }: ImportedOutput): HTMLElement {
  return h(
    'div',
    { class: `verdict-bar imported ${result.outcome}`, 'data-testid': 'imported' },
    h('div', { class: 'verdict-state' }, badge(result.outcome, 'run-state'), h('span', { class: 'elapsed' }, t('imported'))),
    h(
      'div',
      { class: 'verdict-text' },
      h('h1', {}, result.probe, h('span', { class: 'quiet' }, ` ${t('from {0}', source)}`)),
      h('p', { class: 'headline' }, t('Saved output, read by {0} on {1}. This program did not run the tool: it is evidence of what somebody saved, and no card was judged.', result.parser, new Date(importedAt).toLocaleString())),
      ...reasonLines(result.reasons),
    ),
  );
}

export function importedValues({ result }: ImportedOutput): HTMLElement | undefined {
  if (result.measurements.length === 0) return undefined;
  const rows = result.measurements.slice(0, MOST_ROWS).map(({ metric, value, unit, labels, line }, index) =>
    row(String(index), cell('', h('code', {}, metric)), cell('number', String(value)), cell('', unit ?? ''), cell('quiet', Object.entries(labels ?? {}).map(([key, label]) => `${key}=${label}`).join(', ')), cell('number', line === undefined ? '' : String(line))),
  );
  const more = result.measurements.length - MOST_ROWS;
  return section('values', t('Values'), scrollable(t('Values of the imported output'), table([t('Metric'), t('Value'), t('Unit'), t('Labels'), t('Line')], rows, t('Values of the imported output'))), more > 0 && h('p', { class: 'quiet' }, t('{0} more values', more)));
}
