import { closeSync, fstatSync, openSync, readdirSync, readSync, writeSync } from 'node:fs';
import { join } from 'node:path';

const LOOK_EVERY_MS = 20;
/** Smaller files are still being begun. */
const MIN_BYTES = 1024;

/** Storage that gives back other bytes: one byte of each file in a folder flips soon after it was written. */
export class CorruptStorage {
  private readonly corrupted = new Set<string>();
  private readonly timer: NodeJS.Timeout;

  constructor(folder: string) {
    this.timer = setInterval(() => this.look(folder), LOOK_EVERY_MS);
    this.timer.unref();
  }

  stop(): void {
    clearInterval(this.timer);
  }

  private look(folder: string): void {
    try {
      for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
        const path = join(entry.parentPath, entry.name);
        if (entry.isFile() && !this.corrupted.has(path) && flipMiddleByte(path)) this.corrupted.add(path);
      }
    } catch {
      // A file or folder went away while it was looked at.
    }
  }
}

/** A writer that appends does not notice. False: the file is too small yet. */
function flipMiddleByte(path: string): boolean {
  const file = openSync(path, 'r+');
  try {
    const { size } = fstatSync(file);
    if (size < MIN_BYTES) return false;
    const byte = Buffer.alloc(1);
    readSync(file, byte, 0, 1, size >> 1);
    byte[0]! ^= 0xff;
    writeSync(file, byte, 0, 1, size >> 1);
    return true;
  } finally {
    closeSync(file);
  }
}
