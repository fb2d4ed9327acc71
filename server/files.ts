import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { CONFIG_FILE, readConfig, type SeverityMap } from '../core/checks/config';
import type { FileProvider, FileState } from '../core/checks/files';

/** Larger files are data, not documents. */
const MAX_TEXT_BYTES = 1024 * 1024;
const MAX_LISTED = 500;

/** Files around the open documents: open editors first, then the disk. Other than `file:` addresses are not known. */
export class WorkspaceFiles {
  constructor(private readonly openText: (uri: string) => string | undefined) {}

  providerFor(documentUri: string): FileProvider {
    const resolve = (path: string): string | undefined => resolveUri(documentUri, path);
    return {
      state: (path) => this.state(resolve(path)),
      readText: (path) => this.readText(resolve(path)),
      list: (folder) => listFolder(resolve(folder)),
    };
  }

  private state(uri: string | undefined): FileState {
    if (uri === undefined) return 'unknown';
    if (this.openText(uri) !== undefined) return 'present';
    try {
      statSync(fileURLToPath(uri));
      return 'present';
    } catch (error) {
      return (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'missing' : 'unknown';
    }
  }

  readText(uri: string | undefined): string | undefined {
    if (uri === undefined) return undefined;
    const open = this.openText(uri);
    if (open !== undefined) return open;
    try {
      const path = fileURLToPath(uri);
      const stat = statSync(path);
      return stat.isFile() && stat.size <= MAX_TEXT_BYTES ? readFileSync(path, 'utf8') : undefined;
    } catch {
      return undefined;
    }
  }

  /** Severities of the nearest `gpu-acceptance.yaml` at or above the document. */
  configFor(documentUri: string): SeverityMap {
    let folder = resolveUri(documentUri, '.');
    while (folder !== undefined) {
      const path = fileURLToPath(folder);
      const text = this.readText(pathToFileURL(join(path, CONFIG_FILE)).href);
      if (text !== undefined) return readConfig(text).severity;
      folder = dirname(path) === path ? undefined : pathToFileURL(dirname(path)).href;
    }
    return {};
  }
}

/** The address of a path that a document names; undefined when the document is not a file on this machine. */
export function resolveUri(documentUri: string, path: string): string | undefined {
  if (!documentUri.startsWith('file:')) return undefined;
  try {
    return pathToFileURL(join(dirname(fileURLToPath(documentUri)), path)).href;
  } catch {
    return undefined;
  }
}

function listFolder(uri: string | undefined): { name: string; isFolder: boolean }[] {
  if (uri === undefined) return [];
  try {
    return readdirSync(fileURLToPath(uri), { withFileTypes: true })
      .slice(0, MAX_LISTED)
      .map((entry) => ({ name: entry.name, isFolder: entry.isDirectory() }));
  } catch {
    return [];
  }
}
