import { type Disposable, l10n, StatusBarAlignment, ThemeColor, window } from 'vscode';
import type { RunEvent } from '../core/run/events';
import { COMMANDS } from './ids';
import type { RunService } from './run-service';

/** One status bar item: what runs now, or how the last run of this window ended. */
export function createStatus(service: RunService): Disposable[] {
  const item = window.createStatusBarItem('gpuAcceptance.status', StatusBarAlignment.Left, 10);
  item.name = 'GPU Acceptance';
  item.command = COMMANDS.openWorkbench;
  return [
    item,
    service.onEvent(({ event }) => {
      const text = statusText(event);
      if (text === undefined) return;
      item.text = text;
      item.accessibilityInformation = { label: text.replace(/\$\([^)]*\)\s*/, '') };
      item.backgroundColor = event.type === 'verdict' && event.verdict.state === 'rejected' ? new ThemeColor('statusBarItem.errorBackground') : undefined;
      item.show();
    }),
  ];
}

function statusText(event: RunEvent): string | undefined {
  switch (event.type) {
    case 'run-started':
      return `$(sync~spin) ${l10n.t('connecting to {0}', event.target)}`;
    case 'probe-started':
      return `$(sync~spin) ${event.entry}`;
    case 'verdict':
      return `$(${{ accepted: 'pass', rejected: 'error', inconclusive: 'question' }[event.verdict.state]}) ${event.verdict.state}`;
    default:
      return undefined;
  }
}
