import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { Zip, ZipDeflate } from 'fflate';

/**
 * The bundle's container. A zip whose archive comment is `sha256:` and the SHA-256 of every byte before the comment, so that
 * a change of any byte is seen, even of one that no file's content depends on (padding of a compressed stream, a time stamp).
 * Layout of the records: APPNOTE.TXT 6.3, sections 4.3.12 and 4.3.16.
 */

export const COMMENT_PREFIX = 'sha256:';
export const COMMENT_LENGTH = COMMENT_PREFIX.length + 64;
export const EOCD_LENGTH = 22;
export const EOCD_SIGNATURE = 0x06054b50;
const ZIP64_COUNT = 0xffff;
/** Behind this no record can point. */
const ZIP64_BYTES = 0xffff_ffff;
/** One time for all entries: the same run gives the same bytes. */
const FIXED_TIME = new Date(1980, 0, 1);

export interface ZipSource {
  /** With `/`, relative. */
  name: string;
  path: string;
}

/** Writes `entries` in the given order, streaming; `target` is replaced when everything was written. */
export async function writeZip(target: string, entries: readonly ZipSource[]): Promise<void> {
  if (entries.length >= ZIP64_COUNT) throw new Error(`A bundle holds at most ${ZIP64_COUNT - 1} files.`);
  const output = await open(target, 'w', 0o600);
  try {
    await writeEntries(output, entries);
  } finally {
    await output.close();
  }
}

async function writeEntries(output: FileHandle, entries: readonly ZipSource[]): Promise<void> {
  const hash = createHash('sha256');
  let held = Buffer.alloc(0);
  let written = 0;
  /** The last record is kept back, because its comment length has to be set. */
  const emit = async (chunk: Uint8Array, final: boolean): Promise<void> => {
    const bytes = Buffer.concat([held, chunk]);
    const keep = final ? EOCD_LENGTH : Math.min(EOCD_LENGTH, bytes.length);
    held = Buffer.from(bytes.subarray(bytes.length - keep));
    const ready = bytes.subarray(0, bytes.length - keep);
    written += ready.length;
    if (written > ZIP64_BYTES) throw new Error('A bundle holds at most 4 GiB.');
    hash.update(ready);
    await output.writeFile(ready);
  };
  /** Awaited right behind everything that may add to it, so that its failure always has somebody to go to. */
  let pending = Promise.resolve();
  let failure: Error | undefined;
  const zip = new Zip((error, chunk, final) => {
    if (error) failure = error;
    else pending = pending.then(() => emit(chunk, final));
  });
  for (const entry of entries) {
    const file = new ZipDeflate(entry.name, { level: 6 });
    file.mtime = FIXED_TIME;
    zip.add(file);
    await pending;
    for await (const chunk of createReadStream(entry.path)) {
      file.push(chunk as Uint8Array);
      await pending;
    }
    file.push(new Uint8Array(0), true);
    await pending;
  }
  zip.end();
  await pending;
  if (failure) throw failure;
  held.writeUInt16LE(COMMENT_LENGTH, EOCD_LENGTH - 2);
  hash.update(held);
  await output.writeFile(Buffer.concat([held, Buffer.from(COMMENT_PREFIX + hash.digest('hex'), 'latin1')]));
}
