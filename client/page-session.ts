import { join } from 'node:path';
import { commands, l10n, type Webview } from 'vscode';
import type { HostMessage, PageMessage } from '../core/messages/workbench';
import type { RunEvent } from '../core/run/events';
import { followRun, readEvents, readRun } from '../core/run/read-run';
import { COMMANDS } from './ids';
import { type PageEvents, pageEvents } from './page-events';
import { readRawPage } from './raw-pages';
import { rawFileOf, rawUri } from './raw-files';
import { listItem, type RunStore, type StoredRun } from './run-store';

/** Events are handed to the page in batches, so that a fast probe cannot flood it. */
const BATCH_MS = 150;

/** One page and the run that it shows. The page is told everything anew whenever it says that it is ready. */
export class PageSession {
  private following: AbortController | undefined;
  private batch = 0;
  private runId: string | undefined;
  private imported: Extract<HostMessage, { type: 'imported' }> | undefined;

  constructor(
    private readonly webview: Webview,
    private readonly store: RunStore,
  ) {}

  async receive(message: PageMessage): Promise<void> {
    switch (message.type) {
      case 'ready':
        return this.imported ? this.showImported(this.imported) : this.show(this.runId ?? message.runId);
      case 'resync':
      case 'select-run':
        return this.show(message.runId);
      case 'raw':
        return this.sendRaw(message);
      case 'open-raw':
        return this.openRaw(message);
      case 'cancel':
        return void commands.executeCommand(COMMANDS.cancelRun, message.runId);
      case 'export':
        return void commands.executeCommand(COMMANDS.exportEvidence, message.runId);
      case 'open-report':
        return void commands.executeCommand(COMMANDS.openReport, message.runId);
      case 'run-card':
        return void commands.executeCommand(COMMANDS.runCard);
      case 'reveal-criterion':
        return void commands.executeCommand(COMMANDS.revealCriterion, message.runId, message.stage, message.criterion);
    }
  }

  /** Shows a run, or the newest one. */
  async show(runId: string | undefined): Promise<void> {
    this.imported = undefined;
    this.following?.abort();
    const following = (this.following = new AbortController());
    const runs = await this.store.list();
    const selected = runs.find((run) => run.runId === runId) ?? runs[0];
    if (following.signal.aborted) return;
    this.runId = selected?.runId;
    this.sendRuns(runs);
    // A run that goes on is followed until its end; whoever asked to see it does not wait for that.
    if (selected) this.follow(selected, following.signal).catch((error: Error) => this.post({ type: 'error', message: error.message }));
  }

  async showImported(imported: Extract<HostMessage, { type: 'imported' }>): Promise<void> {
    this.following?.abort();
    this.runId = undefined;
    this.imported = imported;
    const runs = await this.store.list();
    this.post({ type: 'runs', runs: runs.map(listItem) });
    this.post(imported);
  }

  /** The list alone: what is shown stays. */
  async refreshRuns(): Promise<void> {
    this.sendRuns(await this.store.list());
  }

  private sendRuns(runs: readonly StoredRun[]): void {
    const isListed = runs.some(({ runId }) => runId === this.runId);
    this.post({ type: 'runs', runs: runs.map(listItem), ...(isListed && this.runId !== undefined ? { selectedRunId: this.runId } : {}) });
  }

  private async follow({ runDir, runId }: StoredRun, signal: AbortSignal): Promise<void> {
    const { thresholdsOf } = await import('./chart-thresholds');
    const [{ events: known, status }, thresholds] = await Promise.all([readRun(runDir), thresholdsOf(runDir)]);
    if (signal.aborted) return;
    this.batch = 0;
    this.post({ type: 'run', runId, batch: 0, running: status === 'running', interrupted: status === 'interrupted', events: pageEvents(known), thresholds });
    if (status !== 'running') return;
    const batches = new EventBatches((events) => {
      if (!signal.aborted) this.post({ type: 'events', runId, batch: ++this.batch, events });
    });
    const end = await followRun(runDir, (events) => batches.add(events.filter(({ seq }) => seq >= known.length)), signal);
    batches.flush();
    if (signal.aborted) return;
    this.post({ type: 'status', runId, running: end === 'running', interrupted: end === 'interrupted' });
    await this.refreshRuns();
  }

  private async sendRaw({ runId, probeRun, stream, line, isWanted }: Extract<PageMessage, { type: 'raw' }>): Promise<void> {
    const path = await this.rawPath({ runId, probeRun, stream });
    if (path === undefined) throw new Error(l10n.t('There is no such output in the run {0}.', runId));
    const page = await readRawPage(path, line);
    this.post({ type: 'raw', runId, probeRun, stream, ...page, ...(isWanted && line !== undefined ? { wantedLine: line } : {}) });
  }

  private async openRaw(message: Extract<PageMessage, { type: 'open-raw' }>): Promise<void> {
    const path = await this.rawPath(message);
    if (path !== undefined) await commands.executeCommand(COMMANDS.openRaw, rawUri(path));
  }

  private async rawPath({ runId, probeRun, stream }: { runId: string; probeRun: string; stream: string }): Promise<string | undefined> {
    const run = await this.store.find(runId);
    const folder = run && rawFileOf(run.runDir, await readEvents(run.runDir), probeRun);
    return folder === undefined || (stream !== 'stdout' && stream !== 'stderr') ? undefined : join(folder, stream);
  }

  post(message: HostMessage): void {
    // Not awaited: an answer may never come while the page is not there, and the page asks again when it is.
    void this.webview.postMessage(message);
  }

  dispose(): void {
    this.following?.abort();
  }
}

/** Collects what comes within a moment. */
class EventBatches {
  private pending: RunEvent[] = [];
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly send: (events: PageEvents) => void) {}

  add(events: readonly RunEvent[]): void {
    this.pending = this.pending.concat(events);
    if (this.pending.length > 0) this.timer ??= setTimeout(() => this.flush(), BATCH_MS);
  }

  flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    const events = this.pending;
    this.pending = [];
    if (events.length > 0) this.send(pageEvents(events));
  }
}
