import { type Disposable, l10n, languages, LanguageStatusSeverity, StatusBarAlignment, ThemeColor, window } from 'vscode';
import type { RunEvent } from '../core/run/events';
import { COMMANDS, LANGUAGES } from './ids';
import type { RunService } from './run-service';

/** One status bar item: what runs now, or how the last run of this window ended. */
export function createStatus(service: RunService): Disposable[] {
  const item = window.createStatusBarItem('gpuAcceptance.status', StatusBarAlignment.Left, 10);
  item.name = 'GPU Acceptance';
  item.command = COMMANDS.openWorkbench;
  return [
    item,
    service.onEvent(({ event }) => {
      const status = statusOf(event);
      if (!status) return;
      item.text = `$(${status.icon}) ${status.text}`;
      item.tooltip = l10n.t('GPU acceptance: {0}', status.text);
      item.accessibilityInformation = { label: item.tooltip };
      item.backgroundColor = status.isProblem ? new ThemeColor('statusBarItem.errorBackground') : undefined;
      item.show();
    }),
    // A run that ended before its first event, or lost its window, leaves no spinning icon behind.
    service.onEnd(({ outcome }) => !outcome && item.hide()),
  ];
}

function statusOf(event: RunEvent): { icon: string; text: string; isProblem?: boolean } | undefined {
  switch (event.type) {
    case 'run-started':
      return { icon: 'sync~spin', text: l10n.t('connecting to {0}', event.target) };
    case 'probe-started':
      return { icon: 'sync~spin', text: event.entry };
    case 'cancel-requested':
      return { icon: 'sync~spin', text: l10n.t('cancelling') };
    case 'verdict':
      return { icon: { accepted: 'pass', rejected: 'error', inconclusive: 'question' }[event.verdict.state], text: event.verdict.state, isProblem: event.verdict.state === 'rejected' };
    default:
      return undefined;
  }
}

export type ServerState = 'starting' | 'running' | 'stopped';

/** Whether briefs and cards are being checked, beside the language in the status bar. */
export class ServerStatus implements Disposable {
  private readonly item = languages.createLanguageStatusItem('gpuAcceptance.server', Object.values(LANGUAGES).map((language) => ({ language })));

  constructor() {
    this.item.name = l10n.t('GPU acceptance checks');
    this.item.command = { command: COMMANDS.restartServer, title: l10n.t('Restart') };
    this.show('stopped');
  }

  /** `detail`: for example that a large file is only checked in part. */
  show(state: ServerState, detail?: string): void {
    this.item.busy = state === 'starting';
    this.item.text = { starting: l10n.t('Checks are starting'), running: l10n.t('Checked while you type'), stopped: l10n.t('Not checked') }[state];
    this.item.severity = state === 'stopped' || detail !== undefined ? LanguageStatusSeverity.Warning : LanguageStatusSeverity.Information;
    this.item.detail = detail;
  }

  dispose(): void {
    this.item.dispose();
  }
}
