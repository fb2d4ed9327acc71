import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Disposable, EventEmitter, FileSystemError, type FileStat, type FileSystemProvider, FileType, Uri } from 'vscode';
import { summariseRun } from '../core/evidence/run-summary';
import type { RunEvent } from '../core/run/events';

/** Files of a run are evidence: this scheme shows them, and nothing that is typed there can change them. */
export const RAW_SCHEME = 'gpu-acceptance-evidence';

export const rawUri = (path: string): Uri => Uri.file(path).with({ scheme: RAW_SCHEME });

/** The folder with the raw output of a probe run; undefined for one that the log does not know, or that was not run. */
export function rawFileOf(runDir: string, events: readonly RunEvent[], probeRun: string): string | undefined {
  // Only what the log names is opened: a path never comes from a message.
  const probe = summariseRun(events).probes.find((candidate) => candidate.probeRun === probeRun);
  return probe && probe.state !== 'not-run' ? join(runDir, 'raw', ...(probe.from ?? probe.probeRun).split('/')) : undefined;
}

const readOnly = (uri: Uri): never => {
  throw FileSystemError.NoPermissions(uri);
};

/** Reads files as they lie on disk and refuses every change. */
export class EvidenceFiles implements FileSystemProvider {
  private readonly changed = new EventEmitter<never[]>();
  readonly onDidChangeFile = this.changed.event;

  watch(): Disposable {
    return new Disposable(() => undefined);
  }

  async stat(uri: Uri): Promise<FileStat> {
    const found = await stat(pathOf(uri)).catch(() => undefined);
    if (!found) throw FileSystemError.FileNotFound(uri);
    return { type: found.isDirectory() ? FileType.Directory : FileType.File, ctime: found.birthtimeMs, mtime: found.mtimeMs, size: found.size };
  }

  async readDirectory(uri: Uri): Promise<[string, FileType][]> {
    const entries = await readdir(pathOf(uri), { withFileTypes: true });
    return entries.map((entry) => [entry.name, entry.isDirectory() ? FileType.Directory : FileType.File]);
  }

  async readFile(uri: Uri): Promise<Uint8Array> {
    return readFile(pathOf(uri));
  }

  createDirectory = readOnly;
  writeFile = readOnly;
  delete = readOnly;
  rename = readOnly;

  dispose(): void {
    this.changed.dispose();
  }
}

const pathOf = (uri: Uri): string => uri.with({ scheme: 'file' }).fsPath;
