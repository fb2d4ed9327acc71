import { stat } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { type Disposable, EventEmitter, type ExtensionContext, type FileSystemWatcher, RelativePattern, Uri, workspace } from 'vscode';
import type { RunListItem } from '../core/messages/workbench';
import type { RunEvent } from '../core/run/events';
import { type LiveStatus, listRuns, readRun } from '../core/run/read-run';
import { CONFIGURATION } from './ids';

export interface StoredRun extends RunListItem {
  runDir: string;
  /** As its log names it. */
  cardPath: string;
}

const EVENTS_FILE = 'events.ndjson';
/** A running run writes many times a second; its list needs no more than this. */
const CHANGE_QUIET_MS = 1_000;

/** The runs of this workspace, read from their logs. Knows of runs that another program writes into the same folders. */
export class RunStore implements Disposable {
  private readonly changed = new EventEmitter<void>();
  readonly onDidChange = this.changed.event;
  /** A log that has not grown says what it said. Only runs that have ended are kept. */
  private readonly ended = new Map<string, { bytes: number; run: StoredRun }>();
  private watchers: FileSystemWatcher[] = [];
  private timer: NodeJS.Timeout | undefined;
  private readonly subscriptions: Disposable[];

  constructor(private readonly context: ExtensionContext) {
    this.watch();
    this.subscriptions = [
      workspace.onDidChangeWorkspaceFolders(() => this.watch()),
      workspace.onDidChangeConfiguration((event) => event.affectsConfiguration(`${CONFIGURATION}.runsFolder`) && this.watch()),
    ];
  }

  dispose(): void {
    clearTimeout(this.timer);
    for (const disposable of [...this.watchers, ...this.subscriptions, this.changed]) disposable.dispose();
  }

  /** Where runs of a card are kept: in its workspace folder, or in the extension's own storage where there is none on disk. */
  folderFor(card: Uri): string {
    const folder = workspace.getWorkspaceFolder(card);
    return (folder && configuredFolder(folder.uri)) ?? this.ownFolder();
  }

  /** Newest first. */
  async list(): Promise<StoredRun[]> {
    const folders = [...(workspace.workspaceFolders ?? []).map(({ uri }) => configuredFolder(uri)), this.ownFolder()];
    const dirs = (await Promise.all([...new Set(folders)].map((folder) => (folder === undefined ? [] : listRuns(folder))))).flat();
    const runs = await Promise.all(dirs.map((runDir) => this.describe(runDir)));
    return runs.filter((run) => run !== undefined).sort((a, b) => (a.runId < b.runId ? 1 : -1));
  }

  async find(runId: string | undefined): Promise<StoredRun | undefined> {
    return runId === undefined ? undefined : (await this.list()).find((run) => run.runId === runId);
  }

  /** Something about the runs is new: a run began, ended or was deleted. */
  notify(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.changed.fire();
  }

  private async describe(runDir: string): Promise<StoredRun | undefined> {
    const bytes = (await stat(join(runDir, EVENTS_FILE)).catch(() => undefined))?.size;
    const known = this.ended.get(runDir);
    if (bytes === undefined) return undefined;
    if (known?.bytes === bytes) return known.run;
    const { events, status } = await readRun(runDir);
    const run = describeRun(runDir, events, status);
    if (run && events.at(-1)?.type === 'run-ended') this.ended.set(runDir, { bytes, run });
    return run;
  }

  private ownFolder(): string {
    return join((this.context.storageUri ?? this.context.globalStorageUri).fsPath, 'runs');
  }

  private watch(): void {
    for (const watcher of this.watchers) watcher.dispose();
    const later = (): void => void (this.timer ??= setTimeout(() => this.notify(), CHANGE_QUIET_MS));
    this.watchers = (workspace.workspaceFolders ?? []).flatMap(({ uri }) => {
      const folder = configuredFolder(uri);
      if (folder === undefined) return [];
      const watcher = workspace.createFileSystemWatcher(new RelativePattern(Uri.file(folder), `*/${EVENTS_FILE}`));
      watcher.onDidCreate(later);
      watcher.onDidChange(later);
      watcher.onDidDelete(later);
      return [watcher];
    });
  }
}

/** Undefined for a workspace that is not on a disk: evidence needs one. */
function configuredFolder(root: Uri): string | undefined {
  if (root.scheme !== 'file') return undefined;
  return resolve(root.fsPath, workspace.getConfiguration(CONFIGURATION, root).get<string>('runsFolder', join('.gpu-acceptance', 'runs')));
}

function describeRun(runDir: string, events: readonly RunEvent[], status: LiveStatus): StoredRun | undefined {
  const started = events[0];
  if (started?.type !== 'run-started') return undefined;
  const verdict = events.findLast((event) => event.type === 'verdict')?.verdict.state;
  return {
    runDir,
    cardPath: started.card.path,
    runId: basename(runDir),
    cardName: started.cardName,
    target: started.target,
    startedAt: started.time,
    status,
    ...(verdict ? { verdict } : {}),
  };
}

/** What the page may know of a run: everything but where it lies. */
export const listItem = ({ runId, cardName, target, startedAt, status, verdict }: StoredRun): RunListItem => ({ runId, cardName, target, startedAt, status, ...(verdict ? { verdict } : {}) });

/** How a run is called in lists: a run without an end or a verdict is never called by a better name. */
export function stateOf({ status, verdict }: Pick<RunListItem, 'status' | 'verdict'>): string {
  return status === 'running' || status === 'interrupted' ? status : (verdict ?? 'inconclusive');
}

/** The card that a run was made with, as it lies in the workspace now; undefined when it is gone. */
export async function cardOf({ cardPath }: Pick<StoredRun, 'cardPath'>): Promise<Uri | undefined> {
  const folders = (workspace.workspaceFolders ?? []).map(({ uri }) => uri);
  const candidates = folders.flatMap((folder) => [Uri.joinPath(folder, cardPath), Uri.joinPath(folder, '..', cardPath)]);
  for (const uri of [...candidates, Uri.file(cardPath)]) {
    const isThere = await workspace.fs.stat(uri).then(() => true, () => false);
    if (isThere) return uri;
  }
  return undefined;
}
