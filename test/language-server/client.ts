import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import {
  type ConfigurationParams,
  createProtocolConnection,
  type Diagnostic,
  type ProtocolConnection,
  type PublishDiagnosticsParams,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-languageserver/node';

const SERVER = join(import.meta.dirname, '../../dist/server.js');

/** A language client without an editor: starts the built server over stdio and remembers what it publishes. */
export class TestClient {
  private readonly published = new Map<string, PublishDiagnosticsParams[]>();
  private readonly waiting: (() => void)[] = [];
  /** Answered when the server asks for `gpuAcceptance.checks.severity`. */
  severity: Record<string, string> = {};

  private constructor(
    private readonly process: ChildProcess,
    readonly connection: ProtocolConnection,
  ) {
    connection.onNotification('textDocument/publishDiagnostics', (params: PublishDiagnosticsParams) => {
      this.published.set(params.uri, [...(this.published.get(params.uri) ?? []), params]);
      for (const resume of this.waiting.splice(0)) resume();
    });
    connection.onRequest('client/registerCapability', () => null);
    connection.onRequest('workspace/configuration', ({ items }: ConfigurationParams) => items.map(() => this.severity));
    connection.onRequest('gpuAcceptance/lastVerdict', () => ({ runId: 'r1', target: 'rental', verdict: 'rejected', startedAt: '2026-11-30T10:00:00Z' }));
  }

  static async start(): Promise<TestClient> {
    const child = spawn(process.execPath, [SERVER, '--stdio'], { stdio: ['pipe', 'pipe', 'inherit'] });
    const connection = createProtocolConnection(new StreamMessageReader(child.stdout!), new StreamMessageWriter(child.stdin!));
    const client = new TestClient(child, connection);
    connection.listen();
    await connection.sendRequest('initialize', {
      processId: process.pid,
      rootUri: null,
      capabilities: {
        workspace: { configuration: true, didChangeWatchedFiles: { dynamicRegistration: true } },
        textDocument: { completion: { completionItem: { snippetSupport: true } } },
      },
    });
    await connection.sendNotification('initialized', {});
    return client;
  }

  open(uri: string, languageId: string, text: string): Promise<void> {
    return this.connection.sendNotification('textDocument/didOpen', { textDocument: { uri, languageId, version: 1, text } });
  }

  change(uri: string, version: number, text: string): Promise<void> {
    return this.connection.sendNotification('textDocument/didChange', { textDocument: { uri, version }, contentChanges: [{ text }] });
  }

  request<T>(method: string, params: object): Promise<T> {
    return this.connection.sendRequest<T>(method, params);
  }

  /** The findings of the first published state that fits, past or to come. */
  async diagnostics(uri: string, fits: (params: PublishDiagnosticsParams) => boolean = () => true): Promise<Diagnostic[]> {
    for (;;) {
      const found = this.published.get(uri)?.find(fits);
      if (found) return found.diagnostics;
      await new Promise<void>((resolve) => this.waiting.push(resolve));
    }
  }

  /** The exit code of the server after an orderly end. */
  async stop(): Promise<number | null> {
    const ended = new Promise<number | null>((resolve) => this.process.once('exit', resolve));
    await this.connection.sendRequest('shutdown');
    await this.connection.sendNotification('exit');
    const code = await ended;
    this.connection.dispose();
    return code;
  }
}
