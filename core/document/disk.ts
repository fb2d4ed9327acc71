import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The little that checking needs of the disk, with bounds. Checks themselves get it injected. */

/** Larger files are data, not documents. */
const MAX_TEXT_BYTES = 1024 * 1024;
const MAX_LISTED = 500;

/** `unknown` when the disk does not let us look. */
export function fileState(path: string): 'present' | 'missing' | 'unknown' {
  try {
    statSync(path);
    return 'present';
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === 'ENOENT' || code === 'ENOTDIR' ? 'missing' : 'unknown';
  }
}

/** Undefined for what is missing, not a file, unreadable or larger than 1 MB. */
export function readTextFile(path: string): string | undefined {
  try {
    const stat = statSync(path);
    return stat.isFile() && stat.size <= MAX_TEXT_BYTES ? readFileSync(path, 'utf8') : undefined;
  } catch {
    return undefined;
  }
}

/** The first 500 entries of a folder; none when it cannot be read. */
export function listFolder(path: string): { name: string; isFolder: boolean }[] {
  try {
    return readdirSync(path, { withFileTypes: true })
      .slice(0, MAX_LISTED)
      .map((entry) => ({ name: entry.name, isFolder: entry.isDirectory() }));
  } catch {
    return [];
  }
}

/** Paths of a file of this name in a folder and all folders above it, nearest first. */
export function pathsUpwards(folder: string, name: string): string[] {
  const parent = dirname(folder);
  return [join(folder, name), ...(parent === folder ? [] : pathsUpwards(parent, name))];
}

/** By error code of the system. */
const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'it does not exist. Check the path; it is taken from the current folder.',
  ENOTDIR: 'a part of the path is a file, not a folder.',
  EISDIR: 'it is a folder. Name a file in it.',
  EACCES: 'this user may not. Change its permissions, or run as a user who may.',
  EPERM: 'this user may not. Change its permissions, or run as a user who may.',
  EROFS: 'the disk can only be read.',
  ENOSPC: 'the disk is full.',
  EMFILE: 'too many files are open.',
};

/** Why a file could not be read or written, and what to do; ends a sentence. */
export function fileProblem(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return REASONS[code ?? ''] ?? message;
}
