import { dirname, resolve } from 'node:path';
import { commands, EventEmitter, type ExtensionContext, l10n, type LogOutputChannel, Uri, window, workspace } from 'vscode';
import type { RunOutcome, RunRequest } from '../core/run/contract';
import type { RunEvent, StageId } from '../core/run/events';
import { ConsentDialogs } from './consent';
import { CONTEXT_RUNNING } from './ids';
import { knownHostsFiles, runsFolder } from './settings';

export interface RunSelection {
  card: Uri;
  stages?: StageId[];
  entries?: string[];
}

export interface ActiveRun {
  selection: RunSelection;
  runId?: string;
  cancel: AbortController;
}

/** Starts runs and tells everyone of their events. One run at a time: two on one machine would spoil each other's numbers. */
export class RunService {
  private readonly eventEmitter = new EventEmitter<{ run: ActiveRun; event: RunEvent }>();
  private readonly endEmitter = new EventEmitter<{ run: ActiveRun; outcome?: RunOutcome }>();
  readonly onEvent = this.eventEmitter.event;
  readonly onEnd = this.endEmitter.event;
  active: ActiveRun | undefined;

  constructor(
    private readonly context: ExtensionContext,
    private readonly log: LogOutputChannel,
  ) {}

  dispose(): void {
    this.active?.cancel.abort();
    this.eventEmitter.dispose();
    this.endEmitter.dispose();
  }

  cancel(): void {
    this.active?.cancel.abort();
  }

  /** Undefined when nothing could be started; the user has then been told why. */
  async run(selection: RunSelection): Promise<RunOutcome | undefined> {
    const outDir = runsFolder();
    if (!workspace.isTrusted) return this.refuse(l10n.t('Nothing runs in an untrusted workspace. Trust it first.'));
    if (outDir === undefined) return this.refuse(l10n.t('Open a folder first: runs and their evidence are kept in it.'));
    if (this.active) return this.refuse(l10n.t('A run is going on. Cancel it or wait for its end.'));
    const run: ActiveRun = { selection, cancel: new AbortController() };
    this.active = run;
    void commands.executeCommand('setContext', CONTEXT_RUNNING, true);
    let outcome: RunOutcome | undefined;
    try {
      outcome = await this.start(run, outDir);
      return outcome;
    } catch (error) {
      await this.report(error);
      return undefined;
    } finally {
      this.active = undefined;
      void commands.executeCommand('setContext', CONTEXT_RUNNING, false);
      this.endEmitter.fire({ run, ...(outcome ? { outcome } : {}) });
    }
  }

  private async start(run: ActiveRun, outDir: string): Promise<RunOutcome> {
    const [{ runCard }, { readCard }] = await Promise.all([import('../core/run/run-card'), import('../core/document/read')]);
    const { card, stages, entries } = run.selection;
    const document = await workspace.openTextDocument(card);
    const cardText = document.getText();
    const briefPath = readCard(cardText).value?.brief;
    const known = knownHostsFiles();
    const request: RunRequest = {
      cardPath: workspace.asRelativePath(card),
      cardText,
      ...(briefPath === undefined ? {} : { brief: { path: briefPath, text: await this.readBrief(card, briefPath) } }),
      ...(stages ? { stages } : {}),
      ...(entries ? { entries } : {}),
      ...(await this.chooseTarget(readCard(cardText).value?.targets.map(({ name }) => name) ?? [])),
      outDir,
      by: 'editor',
      toolVersion: (this.context.extension.packageJSON as { version: string }).version,
      ...(known ? { knownHostsFiles: known } : {}),
      signal: run.cancel.signal,
    };
    const hooks = new ConsentDialogs(this.context.workspaceState, (event) => {
      if (event.type === 'run-started') run.runId = event.runId;
      this.eventEmitter.fire({ run, event });
    });
    return runCard(request, hooks);
  }

  private async readBrief(card: Uri, briefPath: string): Promise<string> {
    const uri = Uri.file(resolve(dirname(card.fsPath), briefPath));
    const open = workspace.textDocuments.find((document) => document.uri.toString() === uri.toString());
    return open ? open.getText() : Buffer.from(await workspace.fs.readFile(uri)).toString('utf8');
  }

  private async chooseTarget(names: readonly string[]): Promise<{ target?: string }> {
    if (names.length < 2) return {};
    const target = await window.showQuickPick([...names], { title: l10n.t('Run on which target?') });
    return target === undefined ? {} : { target };
  }

  private refuse(message: string): undefined {
    void window.showWarningMessage(message);
    return undefined;
  }

  private async report(error: unknown): Promise<void> {
    const { CannotRunError } = await import('../core/run/contract');
    const message = error instanceof Error ? error.message : String(error);
    this.log.error(error instanceof Error ? error : message);
    void window.showErrorMessage(error instanceof CannotRunError ? `${message} ${error.nextStep}` : message);
  }
}
