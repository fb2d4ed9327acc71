import { type Disposable, type ExtensionContext, languages, type LogOutputChannel, Uri, window, workspace } from 'vscode';
import type { CloseHandlerResult, LanguageClient, LanguageClientOptions } from 'vscode-languageclient/node';
import { CHECK_STATUS, type CheckStatusParams, LAST_VERDICT, type LastVerdict, type LastVerdictParams, RUNS_CHANGED } from '../core/messages/language-server';
import { CONFIGURATION, LANGUAGES } from './ids';
import { cardOf, type RunStore } from './run-store';
import { ServerStatus } from './status';

/** By language alone: files may come from any file system. */
const SELECTOR = Object.values(LANGUAGES).map((language) => ({ language }));
const NAME = 'GPU Acceptance Language Server';
/** A server that ends by itself more often than this stays down until it is restarted by hand. */
const MOST_RESTARTS = 3;

/** Starts the language server with the first brief or card, and ends it with the extension. */
export class LanguageServer implements Disposable {
  private client: LanguageClient | undefined;
  private starting: Promise<void> | undefined;
  private restarts = 0;
  private readonly status = new ServerStatus();
  private readonly subscriptions: Disposable[];

  constructor(
    private readonly context: ExtensionContext,
    private readonly store: RunStore,
    private readonly log: LogOutputChannel,
  ) {
    this.subscriptions = [
      this.status,
      workspace.onDidOpenTextDocument((document) => {
        if (languages.match(SELECTOR, document) > 0) void this.start();
      }),
      store.onDidChange(() => void this.client?.sendNotification(RUNS_CHANGED).catch(() => undefined)),
    ];
    if (workspace.textDocuments.some((document) => languages.match(SELECTOR, document) > 0)) void this.start();
  }

  start(): Promise<void> {
    return (this.starting ??= this.launch().catch((error: Error) => {
      this.status.show('stopped', error.message);
      this.log.error(`The language server did not start: ${error.message}`);
    }));
  }

  private async launch(): Promise<void> {
    this.status.show('starting');
    const { LanguageClient, TransportKind } = await import('vscode-languageclient/node');
    const module = Uri.joinPath(this.context.extensionUri, 'dist', 'server.js').fsPath;
    const client = new LanguageClient(CONFIGURATION, NAME, { module, transport: TransportKind.ipc }, await this.options());
    this.client = client;
    client.onRequest(LAST_VERDICT, (params: LastVerdictParams) => this.lastVerdict(params));
    client.onNotification(CHECK_STATUS, (params: CheckStatusParams) => this.showCheckStatus(params));
    await client.start();
    this.status.show('running');
  }

  private async options(): Promise<LanguageClientOptions> {
    const { CloseAction, ErrorAction, RevealOutputChannelOn } = await import('vscode-languageclient/node');
    return {
      documentSelector: SELECTOR,
      revealOutputChannelOn: RevealOutputChannelOn.Never,
      synchronize: { configurationSection: CONFIGURATION },
      initializationFailedHandler: () => false,
      errorHandler: {
        error: () => ({ action: ErrorAction.Continue }),
        closed: (): CloseHandlerResult => {
          const isLast = ++this.restarts > MOST_RESTARTS;
          this.log.warn(`The language server ended${isLast ? ' again; it stays down' : '; it is started anew'}.`);
          if (isLast) this.status.show('stopped', 'It ended several times. Restart it, or look into the log.');
          return { action: isLast ? CloseAction.DoNotRestart : CloseAction.Restart, handled: true };
        },
      },
    };
  }

  /** For the lens above a card. */
  private async lastVerdict({ uri }: LastVerdictParams): Promise<LastVerdict> {
    for (const run of await this.store.list()) {
      if (run.status === 'running' || run.status === 'interrupted') continue;
      if ((await cardOf(run))?.toString() !== Uri.parse(uri).toString()) continue;
      const { runId, target, startedAt, verdict } = run;
      return { runId, target, startedAt, ...(verdict ? { verdict } : {}) };
    }
    return null;
  }

  private showCheckStatus({ uri, depth, truncated }: CheckStatusParams): void {
    if (window.activeTextEditor?.document.uri.toString() !== Uri.parse(uri).toString()) return;
    const details = { full: truncated ? 'Not every finding is shown.' : undefined, 'syntax-only': 'The file is large: only its syntax is checked.', none: 'The file is too large to be checked.', ignored: 'A comment in the file switches its checks off.' };
    this.status.show('running', details[depth]);
  }

  async restart(): Promise<void> {
    this.restarts = 0;
    await this.stop();
    await this.start();
  }

  async stop(): Promise<void> {
    const client = this.client;
    this.client = undefined;
    this.starting = undefined;
    this.status.show('stopped');
    // A client that never got up has nothing to end.
    if (client?.needsStop()) await client.stop().catch((error: Error) => this.log.warn(error.message));
  }

  dispose(): void {
    for (const subscription of this.subscriptions) subscription.dispose();
  }
}
