import { type Disposable, type ExtensionContext, Uri, ViewColumn, type Webview, type WebviewPanel, type WebviewPanelSerializer, type WebviewView, type WebviewViewProvider, window } from 'vscode';
import type { HostMessage, PageMessage } from '../core/messages/workbench';
import { PANEL_TYPE, VIEWS } from './ids';
import { PageSession } from './page-session';
import type { RunStore } from './run-store';
import { workbenchHtml } from './workbench-html';

/** The workbench page as a panel beside the editor and as a view in the side bar. */
export class Workbench implements WebviewViewProvider, WebviewPanelSerializer, Disposable {
  private readonly sessions = new Set<PageSession>();
  private panel: { panel: WebviewPanel; session: PageSession } | undefined;

  constructor(
    private readonly context: ExtensionContext,
    private readonly store: RunStore,
  ) {}

  register(): Disposable[] {
    return [
      window.registerWebviewViewProvider(VIEWS.workbench, this),
      window.registerWebviewPanelSerializer(PANEL_TYPE, this),
      window.onDidChangeActiveColorTheme(() => this.broadcast({ type: 'theme' })),
      this.store.onDidChange(() => void Promise.all([...this.sessions].map((session) => session.refreshRuns()))),
      this,
    ];
  }

  dispose(): void {
    for (const session of this.sessions) session.dispose();
    this.panel?.panel.dispose();
  }

  /** Opens the panel beside the editor and shows a run, or the newest one. */
  async open(runId?: string): Promise<void> {
    await this.openPanel().show(runId);
  }

  /** Shows output that was saved somewhere else, marked as such. */
  async showImported(imported: Extract<HostMessage, { type: 'imported' }>): Promise<void> {
    await this.openPanel().showImported(imported);
  }

  /** Shows a run in every open page. */
  showRun(runId: string): void {
    for (const session of this.sessions) void session.show(runId);
  }

  deserializeWebviewPanel(panel: WebviewPanel): Promise<void> {
    this.attachPanel(panel);
    return Promise.resolve();
  }

  resolveWebviewView(view: WebviewView): void {
    const session = this.attach(view.webview);
    view.onDidDispose(() => this.drop(session));
  }

  private openPanel(): PageSession {
    this.panel?.panel.reveal(undefined, true);
    return this.panel?.session ?? this.attachPanel(window.createWebviewPanel(PANEL_TYPE, 'GPU Acceptance Workbench', { viewColumn: ViewColumn.Beside, preserveFocus: true }, { enableFindWidget: true }));
  }

  private attachPanel(panel: WebviewPanel): PageSession {
    panel.iconPath = Uri.joinPath(this.context.extensionUri, 'client', 'media', 'workbench.svg');
    const session = this.attach(panel.webview);
    const attached = { panel, session };
    this.panel = attached;
    panel.onDidDispose(() => {
      this.drop(session);
      if (this.panel === attached) this.panel = undefined;
    });
    return session;
  }

  private attach(webview: Webview): PageSession {
    const session = new PageSession(webview, this.store);
    this.sessions.add(session);
    webview.options = { enableScripts: true, localResourceRoots: [Uri.joinPath(this.context.extensionUri, 'dist', 'webview')] };
    webview.onDidReceiveMessage((message: PageMessage) => {
      session.receive(message).catch((error: Error) => session.post({ type: 'error', message: error.message }));
    });
    webview.html = workbenchHtml(webview, this.context.extensionUri);
    return session;
  }

  private drop(session: PageSession): void {
    session.dispose();
    this.sessions.delete(session);
  }

  private broadcast(message: HostMessage): void {
    for (const session of this.sessions) session.post(message);
  }
}
