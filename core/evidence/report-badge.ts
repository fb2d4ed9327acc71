import { escapeMarkup as text } from './markup';

/** A state is never told by its colour alone. */
export const STATE_MARKS: Readonly<Record<string, string>> = { pass: '✓', fail: '✗', inconclusive: '?', 'not-run': '–', accepted: '✓', rejected: '✗', measured: '✓', failed: '✗', running: '…' };

export const badge = (state: string): string => `<span class="badge ${text(state)}"><span aria-hidden="true">${STATE_MARKS[state] ?? ''}</span> ${text(state)}</span>`;
