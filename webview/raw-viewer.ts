import { t } from '@vscode/l10n';
import type { PageMessage, RawPage } from '../core/messages/workbench';
import { actionButton, h, sendButton } from './dom';
import { formatBytes } from './format';

export function rawViewer(raw: RawPage): HTMLElement {
  const { runId, probeRun, stream, text, firstLine, totalLines, totalBytes, wantedLine } = raw;
  const lines = text === '' ? [] : text.replace(/\n$/, '').split('\n');
  const lastLine = firstLine + lines.length - 1;
  const page = (line: number): PageMessage => ({ type: 'raw', runId, probeRun, stream, line });
  const other = stream === 'stdout' ? 'stderr' : 'stdout';
  const where = lines.length === 0 ? t('empty') : t('lines {0} to {1} of {2}, {3}', firstLine.toLocaleString('en'), lastLine.toLocaleString('en'), totalLines.toLocaleString('en'), formatBytes(totalBytes));
  return h(
    'section',
    { class: 'raw', 'data-testid': 'raw', 'aria-labelledby': 'raw-title' },
    h(
      'div',
      { class: 'raw-bar' },
      h('h2', { id: 'raw-title' }, `${probeRun} · ${stream}`),
      h('span', { class: 'quiet number' }, where),
      h('span', { class: 'spring' }),
      sendButton(page(Math.max(1, firstLine - 1)), t('Previous page'), { class: 'secondary', 'data-key': 'previous', disabled: firstLine <= 1 }),
      sendButton(page(lastLine + 1), t('Next page'), { class: 'secondary', 'data-key': 'next', disabled: lastLine >= totalLines }),
      sendButton({ type: 'raw', runId, probeRun, stream: other }, other, { class: 'secondary', 'data-key': 'other' }),
      sendButton({ type: 'open-raw', runId, probeRun, stream }, t('Open in editor'), { class: 'secondary', 'data-key': 'open' }),
      actionButton({ do: 'close-raw' }, t('Close'), { class: 'secondary', 'data-key': 'close', 'data-testid': 'raw-close' }),
    ),
    h('pre', { tabindex: '0', role: 'region', 'aria-label': t('Raw output') }, ...lines.map((line, index) => rawLine(line, firstLine + index, wantedLine))),
  );
}

function rawLine(text: string, number: number, wantedLine: number | undefined): HTMLElement {
  const isWanted = number === wantedLine;
  return h('span', { class: isWanted ? 'line wanted' : 'line', ...(isWanted ? { id: 'wanted-line' } : {}) }, h('span', { class: 'line-number', 'aria-hidden': 'true' }, String(number)), `${text}\n`);
}
