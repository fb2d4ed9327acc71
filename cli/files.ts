import { readFileSync, statSync } from 'node:fs';
import { fileProblem } from '../core/document/disk';
import { UsageError } from './exit';

/** A sentence for the user about a file that could not be read or written; `what` is for example `read /tmp/a.log`. */
export function fileError(what: string, error: unknown): UsageError {
  return new UsageError(`Cannot ${what}: ${fileProblem(error)}`);
}

/** The text of a file. Throws a `UsageError` that says why it cannot be read. */
export function readText(path: string, what = path): string {
  try {
    // A folder opens without an error on some systems.
    if (statSync(path).isDirectory()) throw Object.assign(new Error(), { code: 'EISDIR' });
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw fileError(`read ${what}`, error);
  }
}
