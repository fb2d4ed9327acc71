import { type Disposable, type ExtensionContext, languages, type LogOutputChannel, Uri, workspace } from 'vscode';
import type { LanguageClient } from 'vscode-languageclient/node';
import { CONFIGURATION, LANGUAGES } from './ids';

const SELECTOR = Object.values(LANGUAGES).map((language) => ({ language }));

/** Starts the language server with the first brief or card, and ends it with the extension. */
export class LanguageServer implements Disposable {
  private client: LanguageClient | undefined;
  private starting: Promise<void> | undefined;
  private readonly opened: Disposable;

  constructor(
    private readonly context: ExtensionContext,
    private readonly log: LogOutputChannel,
  ) {
    this.opened = workspace.onDidOpenTextDocument((document) => {
      if (languages.match(SELECTOR, document) > 0) void this.start();
    });
    if (workspace.textDocuments.some((document) => languages.match(SELECTOR, document) > 0)) void this.start();
  }

  start(): Promise<void> {
    return (this.starting ??= this.launch().catch((error: Error) => {
      this.log.error(`The language server did not start: ${error.message}`);
    }));
  }

  private async launch(): Promise<void> {
    const { LanguageClient, RevealOutputChannelOn, TransportKind } = await import('vscode-languageclient/node');
    const module = Uri.joinPath(this.context.extensionUri, 'dist', 'server.js').fsPath;
    this.client = new LanguageClient(
      CONFIGURATION,
      'GPU Acceptance Language Server',
      { module, transport: TransportKind.ipc },
      { documentSelector: SELECTOR, revealOutputChannelOn: RevealOutputChannelOn.Never, synchronize: { configurationSection: CONFIGURATION } },
    );
    await this.client.start();
  }

  async restart(): Promise<void> {
    await this.stop();
    await this.start();
  }

  async stop(): Promise<void> {
    const client = this.client;
    this.client = undefined;
    this.starting = undefined;
    await client?.stop();
  }

  dispose(): void {
    this.opened.dispose();
  }
}
