import { type FSWatcher, watch } from 'node:fs';
import { open, readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { RunEvent, RunStatus } from './events';
import { HEARTBEAT_MS, OWNER_FILE, OWNER_SILENCE_MS, RUN_FILES } from './run-folder';

export type LiveStatus = RunStatus | 'running' | 'interrupted';

/** Events of a log, forgiving a last line that is still being written or was torn by a crash. */
export function parseEvents(text: string): RunEvent[] {
  const events: RunEvent[] = [];
  for (const line of text.slice(0, text.lastIndexOf('\n') + 1).split('\n')) {
    if (line === '') continue;
    try {
      events.push(JSON.parse(line) as RunEvent);
    } catch {
      // Nothing after a damaged line can be trusted to be complete.
      break;
    }
  }
  return events;
}

export async function readEvents(runDir: string): Promise<RunEvent[]> {
  return parseEvents(await readFile(join(runDir, RUN_FILES.events), 'utf8'));
}

/** How a run's owner, the program that writes it, was last seen: it leaves when it has written its last event. */
type Owner = 'heard' | 'silent' | 'gone';

async function ownerOf(runDir: string): Promise<Owner> {
  const owner = await stat(join(runDir, OWNER_FILE)).catch(() => undefined);
  if (!owner) return 'gone';
  return Date.now() - owner.mtimeMs < OWNER_SILENCE_MS ? 'heard' : 'silent';
}

/** A run without an end is running while its owner is heard of, and interrupted after that. `owner`: as seen before the events were read. */
function statusOf(events: readonly RunEvent[], owner: Owner): LiveStatus {
  const last = events.findLast((event) => event.type === 'run-ended');
  return last?.status ?? (owner === 'heard' ? 'running' : 'interrupted');
}

/** The log of a run as far as it is written, and how the run stands. Without a readable log: no events, and interrupted. */
export async function readRun(runDir: string): Promise<{ events: RunEvent[]; status: LiveStatus }> {
  // In this order: an owner that ends its run between the two must not make it look interrupted.
  const owner = await ownerOf(runDir);
  const events = await readEvents(runDir).catch((): RunEvent[] => []);
  return { events, status: statusOf(events, owner) };
}

/** Run folders below `outDir`, newest first. */
export async function listRuns(outDir: string): Promise<string[]> {
  const entries = await readdir(outDir, { withFileTypes: true }).catch(() => []);
  const names = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  const withLog = await Promise.all(names.map(async (name) => ((await stat(join(outDir, name, RUN_FILES.events)).catch(() => undefined)) ? name : undefined)));
  return withLog.filter((name) => name !== undefined).sort().reverse().map((name) => join(outDir, name));
}

const POLL_MS = 1_000;

type WatchFile = (path: string) => FSWatcher;

/** Hands on the events of a run, those that exist and those that come, until it ends, is interrupted, or `signal` aborts. */
export async function followRun(runDir: string, onEvents: (events: RunEvent[]) => void, signal: AbortSignal, watchFile: WatchFile = watch): Promise<LiveStatus> {
  const path = join(runDir, RUN_FILES.events);
  let offset = 0;
  let rest = '';
  let ends: RunEvent[] = [];
  const readNew = async (): Promise<void> => {
    const file = await open(path, 'r');
    try {
      const { size } = await file.stat();
      if (size <= offset) return;
      const buffer = Buffer.alloc(size - offset);
      const { bytesRead } = await file.read(buffer, 0, buffer.length, offset);
      // Lines are whole JSON texts in ASCII-safe UTF-8; a torn character can only be in the unfinished last line.
      const end = buffer.subarray(0, bytesRead).lastIndexOf(0x0a) + 1;
      offset += end;
      rest = buffer.toString('utf8', 0, end);
    } finally {
      await file.close();
    }
    const events = parseEvents(rest);
    ends = ends.concat(events.filter(({ type }) => type === 'run-ended'));
    if (events.length > 0) onEvents(events);
  };
  const changes = new FileChanges(path, watchFile);
  let silentSinceMs: number | undefined;
  try {
    for (;;) {
      changes.forget();
      const owner = await ownerOf(runDir);
      await readNew();
      const status = statusOf(ends, owner);
      // A machine that slept finds its own run silent when it wakes: the next heartbeat decides.
      silentSinceMs = owner === 'silent' ? (silentSinceMs ?? performance.now()) : undefined;
      const mayWake = silentSinceMs !== undefined && performance.now() - silentSinceMs < HEARTBEAT_MS * 2;
      if (signal.aborted || (status !== 'running' && !(status === 'interrupted' && mayWake))) return status;
      await changes.next(signal);
    }
  } finally {
    changes.close();
  }
}

/** Changes of one file. One that comes while nobody waits is kept. */
class FileChanges {
  private readonly watcher: FSWatcher | undefined;
  private isChanged = false;
  private wake: () => void = () => undefined;

  constructor(path: string, watchFile: WatchFile) {
    this.watcher = watchIfPossible(path, watchFile);
    const tell = (): void => {
      this.isChanged = true;
      this.wake();
    };
    this.watcher?.on('change', tell).on('error', tell);
  }

  forget(): void {
    this.isChanged = false;
  }

  /** Resolves on a change, on abort, and at the latest after a second (not every file system tells of changes). */
  async next(signal: AbortSignal): Promise<void> {
    if (this.isChanged || signal.aborted) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(() => this.wake(), POLL_MS);
      const done = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', done);
        resolve();
      };
      this.wake = done;
      signal.addEventListener('abort', done, { once: true });
    });
  }

  close(): void {
    this.watcher?.close();
  }
}

/** Undefined where the system has no watcher left to give, as happens beside an editor with large folders: the clock still ticks. */
function watchIfPossible(path: string, watchFile: WatchFile): FSWatcher | undefined {
  try {
    return watchFile(path);
  } catch {
    return undefined;
  }
}
