import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { CONFIG_FILE, readConfig, type SeverityMap } from '../core/checks/config';
import type { FileProvider } from '../core/checks/files';
import { fileState, listFolder, pathsUpwards, readTextFile } from '../core/document/disk';

/** Files around the open documents: open editors first, then the disk. Other than `file:` addresses are not known. */
export class WorkspaceFiles {
  constructor(private readonly openText: (uri: string) => string | undefined) {}

  providerFor(documentUri: string): FileProvider {
    const folder = folderOf(documentUri);
    const pathOf = (path: string): string => join(folder!, path);
    if (folder === undefined) return { state: () => 'unknown', readText: () => undefined };
    return {
      state: (path) => (this.openText(addressOf(pathOf(path))) === undefined ? fileState(pathOf(path)) : 'present'),
      readText: (path) => this.readText(addressOf(pathOf(path))),
      list: (path) => listFolder(pathOf(path)),
    };
  }

  readText(uri: string | undefined): string | undefined {
    return uri === undefined ? undefined : (this.openText(uri) ?? readTextFile(fileURLToPath(uri)));
  }

  /** Severities of the nearest `gpu-acceptance.yaml` at or above the document. */
  configFor(documentUri: string): SeverityMap {
    const folder = folderOf(documentUri);
    const texts = folder === undefined ? [] : pathsUpwards(folder, CONFIG_FILE).flatMap((path) => this.readText(addressOf(path)) ?? []);
    return texts[0] === undefined ? {} : readConfig(texts[0]).severity;
  }
}

/** The address of a path that a document names; undefined when the document is not a file on this machine. */
export function resolveUri(documentUri: string, path: string): string | undefined {
  const folder = folderOf(documentUri);
  return folder === undefined ? undefined : addressOf(join(folder, path));
}

const addressOf = (path: string): string => pathToFileURL(path).href;

function folderOf(uri: string): string | undefined {
  if (!uri.startsWith('file:')) return undefined;
  try {
    return dirname(fileURLToPath(uri));
  } catch {
    return undefined;
  }
}
