import { open } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { commands, type Disposable, type ExtensionContext, Uri, ViewColumn, type Webview, type WebviewPanel, type WebviewPanelSerializer, type WebviewView, type WebviewViewProvider, window } from 'vscode';
import { summariseRun } from '../core/evidence/run-summary';
import type { HostMessage, PageMessage } from '../core/messages/workbench';
import type { RunEvent } from '../core/run/events';
import { followRun, readEvents, statusOf } from '../core/run/read-run';
import { thresholdsOf } from './chart-thresholds';
import { COMMANDS, PANEL_TYPE, VIEWS } from './ids';
import { runDirOf, storedRuns } from './run-store';
import { workbenchHtml } from './workbench-html';

/** More raw text than this is not sent to the page; the file can be opened in an editor. */
const RAW_LIMIT_BYTES = 400_000;

/** One page and the run that it shows. The page is told everything anew whenever it says that it is ready. */
class PageSession {
  private following: AbortController | undefined;
  private batch = 0;
  private runId: string | undefined;

  constructor(private readonly webview: Webview) {}

  async receive(message: PageMessage): Promise<void> {
    switch (message.type) {
      case 'ready':
        return this.show(this.runId);
      case 'resync':
      case 'select-run':
        return this.show(message.runId);
      case 'raw':
        return this.sendRaw(message);
      case 'cancel':
        return void commands.executeCommand(COMMANDS.cancelRun);
      case 'export':
        return void commands.executeCommand(COMMANDS.exportEvidence, message.runId);
      case 'open-report':
        return void commands.executeCommand(COMMANDS.openReport, message.runId);
      case 'run-card':
        return void commands.executeCommand(COMMANDS.runCard);
      case 'reveal-criterion':
        return void commands.executeCommand('workbench.view.testing.focus');
    }
  }

  /** Shows a run, or the newest one. */
  async show(runId: string | undefined): Promise<void> {
    const runs = await storedRuns();
    const selected = runs.find((run) => run.runId === runId) ?? runs[0];
    this.runId = selected?.runId;
    this.post({ type: 'runs', runs: runs.map(({ runDir: _, ...run }) => run), ...(selected ? { selectedRunId: selected.runId } : {}) });
    this.following?.abort();
    if (selected) await this.follow(selected.runDir);
  }

  private async follow(runDir: string): Promise<void> {
    const following = new AbortController();
    this.following = following;
    const runId = basename(runDir);
    const known = await readEvents(runDir).catch((): RunEvent[] => []);
    const status = await statusOf(runDir, known);
    if (following.signal.aborted) return;
    this.batch = 0;
    this.post({ type: 'run', runId, batch: 0, running: status === 'running', interrupted: status === 'interrupted', events: known, thresholds: await thresholdsOf(runDir) });
    if (status !== 'running') return;
    const seen = known.length;
    const end = await followRun(runDir, (events) => this.postEvents(runId, events.filter(({ seq }) => seq >= seen)), following.signal);
    if (!following.signal.aborted) await this.sendEnd(runDir, end);
  }

  private postEvents(runId: string, events: RunEvent[]): void {
    if (events.length > 0 && runId === this.runId) this.post({ type: 'events', runId, batch: ++this.batch, events });
  }

  /** A run that ended or fell silent is sent once more as a whole, so that the page cannot be left with an old state. */
  private async sendEnd(runDir: string, status: string): Promise<void> {
    const events = await readEvents(runDir);
    this.batch = 0;
    this.post({ type: 'run', runId: basename(runDir), batch: 0, running: false, interrupted: status === 'interrupted', events, thresholds: await thresholdsOf(runDir) });
    const runs = await storedRuns();
    this.post({ type: 'runs', runs: runs.map(({ runDir: _, ...run }) => run), selectedRunId: basename(runDir) });
  }

  private async sendRaw({ runId, probeRun, stream }: Extract<PageMessage, { type: 'raw' }>): Promise<void> {
    const runDir = runDirOf(runId);
    const probe = runDir && summariseRun(await readEvents(runDir)).probes.find((candidate) => candidate.probeRun === probeRun);
    if (!runDir || !probe || (stream !== 'stdout' && stream !== 'stderr')) return;
    const file = await open(join(runDir, 'raw', ...(probe.from ?? probe.probeRun).split('/'), stream), 'r').catch(() => undefined);
    if (!file) return this.post({ type: 'raw', runId, probeRun, stream, text: '', truncated: false, totalBytes: 0 });
    try {
      const { size } = await file.stat();
      const buffer = Buffer.alloc(Math.min(size, RAW_LIMIT_BYTES));
      const { bytesRead } = await file.read(buffer, 0, buffer.length, 0);
      this.post({ type: 'raw', runId, probeRun, stream, text: buffer.toString('utf8', 0, bytesRead), truncated: size > bytesRead, totalBytes: size });
    } finally {
      await file.close();
    }
  }

  post(message: HostMessage): void {
    // Not awaited: an answer may never come while the page is not there, and the page asks again when it is.
    void this.webview.postMessage(message);
  }

  dispose(): void {
    this.following?.abort();
  }
}

/** The workbench page as a panel beside the editor and as a view in the side bar. */
export class Workbench implements WebviewViewProvider, WebviewPanelSerializer, Disposable {
  private readonly sessions = new Set<PageSession>();
  private panel: WebviewPanel | undefined;
  private panelSession: PageSession | undefined;

  constructor(private readonly context: ExtensionContext) {}

  register(): Disposable[] {
    return [window.registerWebviewViewProvider(VIEWS.workbench, this), window.registerWebviewPanelSerializer(PANEL_TYPE, this), window.onDidChangeActiveColorTheme(() => this.broadcast({ type: 'theme' })), this];
  }

  dispose(): void {
    for (const session of this.sessions) session.dispose();
    this.panel?.dispose();
  }

  /** Opens the panel beside the editor and shows a run, or the newest one. */
  async open(runId?: string): Promise<void> {
    if (!this.panel) {
      const panel = window.createWebviewPanel(PANEL_TYPE, 'GPU Acceptance Workbench', { viewColumn: ViewColumn.Beside, preserveFocus: true }, this.options());
      this.attachPanel(panel);
    } else this.panel.reveal(undefined, true);
    await this.panelSession?.show(runId);
  }

  /** Shows a run in every open page. */
  async showRun(runId: string): Promise<void> {
    await Promise.all([...this.sessions].map((session) => session.show(runId)));
  }

  async deserializeWebviewPanel(panel: WebviewPanel): Promise<void> {
    panel.webview.options = this.options();
    this.attachPanel(panel);
  }

  resolveWebviewView(view: WebviewView): void {
    view.webview.options = this.options();
    const session = this.attach(view.webview);
    view.onDidDispose(() => this.drop(session));
    view.onDidChangeVisibility(() => view.visible && session.post({ type: 'theme' }));
  }

  private attachPanel(panel: WebviewPanel): void {
    this.panel = panel;
    panel.iconPath = Uri.joinPath(this.context.extensionUri, 'client', 'media', 'workbench.svg');
    const session = this.attach(panel.webview);
    this.panelSession = session;
    panel.onDidDispose(() => {
      this.drop(session);
      this.panel = undefined;
      this.panelSession = undefined;
    });
  }

  private attach(webview: Webview): PageSession {
    const session = new PageSession(webview);
    this.sessions.add(session);
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

  private options() {
    return { enableScripts: true, localResourceRoots: [Uri.joinPath(this.context.extensionUri, 'dist', 'webview')] };
  }
}
