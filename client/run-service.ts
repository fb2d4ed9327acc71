import { commands, EventEmitter, type ExtensionContext, l10n, type LogOutputChannel, Uri, window, workspace } from 'vscode';
import type { RunHooks, RunOutcome, RunRequest } from '../core/run/contract';
import type { RunEvent, StageId } from '../core/run/events';
import { CONTEXT_RUNNING } from './ids';
import type { RunStore } from './run-store';
import { knownHostsFiles } from './settings';
import { TargetChoice } from './targets';

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

export interface RunProgress {
  run: ActiveRun;
  event: RunEvent;
}

/** Starts runs and tells everyone of their events. One run at a time: two on one machine would spoil each other's numbers. */
export class RunService {
  private readonly eventEmitter = new EventEmitter<RunProgress>();
  private readonly endEmitter = new EventEmitter<{ run: ActiveRun; outcome?: RunOutcome }>();
  readonly onEvent = this.eventEmitter.event;
  readonly onEnd = this.endEmitter.event;
  readonly targets: TargetChoice;
  private active: ActiveRun | undefined;
  private ending: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly context: ExtensionContext,
    private readonly store: RunStore,
    private readonly log: LogOutputChannel,
  ) {
    this.targets = new TargetChoice(context.workspaceState);
  }

  dispose(): void {
    this.active?.cancel.abort();
    this.eventEmitter.dispose();
    this.endEmitter.dispose();
  }

  /** Cancels, and resolves when what ran on the machine is ended and the log is written. */
  async stop(): Promise<void> {
    this.active?.cancel.abort();
    await this.ending;
  }

  /** `runId`: only if this run is the one that goes on here. */
  cancel(runId?: string): void {
    if (runId !== undefined && runId !== this.active?.runId) {
      void window.showWarningMessage(l10n.t('This run was not started in this window. Cancel it where it was started.'));
      return;
    }
    this.active?.cancel.abort();
  }

  /** Undefined when nothing could be started; the user has then been told why. */
  async run(selection: RunSelection): Promise<RunOutcome | undefined> {
    if (!workspace.isTrusted) return this.refuse(l10n.t('Nothing runs in an untrusted workspace. Trust it first.'));
    if (this.active) return this.refuse(l10n.t('A run is going on. Cancel it or wait for its end.'));
    const run: ActiveRun = { selection, cancel: new AbortController() };
    this.active = run;
    void commands.executeCommand('setContext', CONTEXT_RUNNING, true);
    const running = this.start(run);
    this.ending = running.catch(() => undefined);
    let outcome: RunOutcome | undefined;
    try {
      outcome = await running;
    } catch (error) {
      await this.report(error);
    } finally {
      this.active = undefined;
      void commands.executeCommand('setContext', CONTEXT_RUNNING, false);
      this.endEmitter.fire({ run, ...(outcome ? { outcome } : {}) });
    }
    if (outcome?.status === 'failed') this.explainFailure(outcome);
    return outcome;
  }

  private async start(run: ActiveRun): Promise<RunOutcome | undefined> {
    const [{ runCard }, { readCard }] = await Promise.all([import('../core/run/run-card'), import('../core/document/read')]);
    const { card, stages, entries } = run.selection;
    const cardText = (await workspace.openTextDocument(card)).getText();
    const { value } = readCard(cardText);
    const target = value && (await this.targets.of(card, value.targets));
    if (value && target === undefined) return undefined;
    const known = knownHostsFiles();
    const request: RunRequest = {
      cardPath: workspace.asRelativePath(card),
      cardText,
      ...(value?.brief === undefined ? {} : { brief: { path: value.brief, text: await readBrief(card, value.brief) } }),
      ...(stages ? { stages } : {}),
      ...(entries ? { entries } : {}),
      ...(target === undefined ? {} : { target }),
      outDir: this.store.folderFor(card),
      by: 'editor',
      toolVersion: (this.context.extension.packageJSON as { version: string }).version,
      ...(known ? { knownHostsFiles: known } : {}),
      signal: run.cancel.signal,
    };
    return runCard(request, await this.hooks(run));
  }

  private async hooks(run: ActiveRun): Promise<RunHooks> {
    const { ConsentDialogs } = await import('./consent');
    return new ConsentDialogs(this.context.workspaceState, this.context.secrets, (event) => {
      if (event.type === 'run-started') run.runId = event.runId;
      this.eventEmitter.fire({ run, event });
    });
  }

  private refuse(message: string): undefined {
    void window.showWarningMessage(message);
    return undefined;
  }

  /** No connection, a changed host key: what happened and what to do must not scroll away. */
  private explainFailure({ message }: RunOutcome): void {
    this.log.error(message ?? 'The run failed.');
    void window.showErrorMessage(l10n.t('The machine could not be tested.'), { modal: true, ...(message === undefined ? {} : { detail: message }) });
  }

  private async report(error: unknown): Promise<void> {
    const { CannotRunError } = await import('../core/run/contract');
    const message = error instanceof Error ? error.message : String(error);
    this.log.error(error instanceof Error ? error : message);
    void window.showErrorMessage(error instanceof CannotRunError ? `${message} ${error.nextStep}` : message);
  }
}

/** As it stands in the editor, saved or not. */
async function readBrief(card: Uri, briefPath: string): Promise<string> {
  const uri = Uri.joinPath(card, '..', briefPath);
  try {
    return (await workspace.openTextDocument(uri)).getText();
  } catch {
    throw new Error(l10n.t('The brief {0} that the card names cannot be read. Correct the path in `brief`.', workspace.asRelativePath(uri)));
  }
}
