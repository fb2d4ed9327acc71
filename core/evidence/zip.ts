import { createHash } from 'node:crypto';
import { closeSync, createReadStream, mkdirSync, openSync, writeFileSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Unzip, UnzipInflate, UnzipPassThrough, Zip, ZipDeflate } from 'fflate';

/**
 * The bundle's container. A zip whose archive comment is `sha256:` and the SHA-256 of every byte before the comment, so that
 * a change of any byte is seen, even of one that no file's content depends on (padding of a compressed stream, a time stamp).
 * Layout of the records: APPNOTE.TXT 6.3, sections 4.3.12 and 4.3.16.
 */

const COMMENT_PREFIX = 'sha256:';
const COMMENT_LENGTH = COMMENT_PREFIX.length + 64;
const EOCD_LENGTH = 22;
const EOCD_SIGNATURE = 0x06054b50;
const CENTRAL_SIGNATURE = 0x02014b50;
const ZIP64_COUNT = 0xffff;
/** One time for all entries: the same run gives the same bytes. */
const FIXED_TIME = new Date(1980, 0, 1);

/** The file is no bundle of ours, or it was changed. */
export class BundleDamagedError extends Error {}

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
  /** The last record is kept back, because its comment length has to be set. */
  const emit = async (chunk: Uint8Array, final: boolean): Promise<void> => {
    const bytes = Buffer.concat([held, chunk]);
    const keep = final ? EOCD_LENGTH : Math.min(EOCD_LENGTH, bytes.length);
    held = Buffer.from(bytes.subarray(bytes.length - keep));
    const ready = bytes.subarray(0, bytes.length - keep);
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

export interface UnzipLimits {
  maximumEntries: number;
  maximumBytes: number;
}

export const DEFAULT_LIMITS: UnzipLimits = { maximumEntries: 20_000, maximumBytes: 8 * 1024 ** 3 };

/** Checks the container and extracts it into `directory`. Returns the names in archive order. Throws {@link BundleDamagedError}. */
export async function extractZip(archive: string, directory: string, limits: UnzipLimits = DEFAULT_LIMITS): Promise<string[]> {
  const central = await checkContainer(archive);
  if (central.length > limits.maximumEntries) throw new BundleDamagedError(`It holds more than ${limits.maximumEntries} files.`);
  const problem = central.find((name) => !isSafeName(name)) ?? firstDuplicate(central);
  if (problem !== undefined) throw new BundleDamagedError(`It holds a file with a name that is not allowed: ${JSON.stringify(problem)}.`);
  const local = await extractLocalFiles(archive, directory, new Set(central), limits.maximumBytes);
  if (local.join('\n') !== central.join('\n')) throw new BundleDamagedError('Its directory does not list the files that it holds.');
  return central;
}

/** Relative, without `..`, drive letters, back-slashes or control characters: nothing is ever written outside the folder. */
function isSafeName(name: string): boolean {
  return name.length > 0 && name.length < 512 && !/[\\:\u0000-\u001f]/.test(name) && name.split('/').every((part) => part !== '' && part !== '.' && part !== '..');
}

function firstDuplicate(names: readonly string[]): string | undefined {
  const seen = new Set<string>();
  // Folded: two names that differ in case alone would overwrite each other on some systems.
  return names.find((name) => seen.size === seen.add(name.toLowerCase()).size);
}

async function checkContainer(archive: string): Promise<string[]> {
  const file = await open(archive, 'r');
  try {
    const { size } = await file.stat();
    const tailLength = EOCD_LENGTH + COMMENT_LENGTH;
    if (size < tailLength) throw new BundleDamagedError('It is too short for a bundle.');
    const tail = Buffer.alloc(tailLength);
    await file.read(tail, 0, tailLength, size - tailLength);
    const comment = tail.subarray(EOCD_LENGTH).toString('latin1');
    if (tail.readUInt32LE(0) !== EOCD_SIGNATURE || tail.readUInt16LE(20) !== COMMENT_LENGTH || !comment.startsWith(COMMENT_PREFIX)) {
      throw new BundleDamagedError('It does not end like a bundle: it was cut, changed, or made by another program.');
    }
    const hash = createHash('sha256');
    for await (const chunk of createReadStream(archive, { end: size - COMMENT_LENGTH - 1 })) hash.update(chunk as Uint8Array);
    if (comment !== COMMENT_PREFIX + hash.digest('hex')) {
      throw new BundleDamagedError('Its bytes do not match the checksum at its end: it was changed after it was written.');
    }
    const length = tail.readUInt32LE(12);
    const directory = Buffer.alloc(Math.min(length, size));
    await file.read(directory, 0, directory.length, tail.readUInt32LE(16));
    return readCentralDirectory(directory, tail.readUInt16LE(10));
  } finally {
    await file.close();
  }
}

function readCentralDirectory(bytes: Buffer, count: number): string[] {
  const names: string[] = [];
  let offset = 0;
  while (offset + 46 <= bytes.length && bytes.readUInt32LE(offset) === CENTRAL_SIGNATURE) {
    const nameLength = bytes.readUInt16LE(offset + 28);
    names.push(bytes.toString('utf8', offset + 46, offset + 46 + nameLength));
    offset += 46 + nameLength + bytes.readUInt16LE(offset + 30) + bytes.readUInt16LE(offset + 32);
  }
  if (names.length !== count || offset !== bytes.length) throw new BundleDamagedError('Its directory cannot be read.');
  return names;
}

/** Writes each file as its bytes come, so that memory stays bounded; every opened file is closed here. */
async function extractLocalFiles(archive: string, directory: string, allowed: ReadonlySet<string>, maximumBytes: number): Promise<string[]> {
  const names: string[] = [];
  const openFiles = new Map<string, number>();
  let total = 0;
  // The unpacker hands an error that a callback throws to the next callback: the first one is the cause.
  let failure: Error | undefined;
  const fail = (message: string): never => {
    failure ??= new BundleDamagedError(message);
    throw failure;
  };
  /** A full disk on this computer says nothing against the bundle. */
  const onDisk = <T>(work: () => T): T => {
    try {
      return work();
    } catch (error) {
      failure ??= error as Error;
      throw error;
    }
  };
  const unzip = new Unzip((file) => {
    if (!allowed.has(file.name)) fail('It holds a file that its directory does not list.');
    names.push(file.name);
    const target = join(directory, ...file.name.split('/'));
    onDisk(() => mkdirSync(dirname(target), { recursive: true }));
    const descriptor = onDisk(() => openSync(target, 'wx', 0o600));
    openFiles.set(file.name, descriptor);
    file.ondata = (error, chunk, final) => {
      if (error) fail(`The file ${file.name} in it cannot be unpacked.`);
      total += chunk.length;
      if (total > maximumBytes) fail('Unpacked, it is larger than allowed.');
      // Not `writeSync`: that may write a part and say so.
      onDisk(() => writeFileSync(descriptor, chunk));
      if (!final) return;
      closeSync(descriptor);
      openFiles.delete(file.name);
    };
    file.start();
  });
  unzip.register(UnzipInflate);
  unzip.register(UnzipPassThrough);
  try {
    for await (const chunk of createReadStream(archive)) unzip.push(chunk as Uint8Array);
    if (openFiles.size > 0) fail('It ends in the middle of a file.');
    return names;
  } catch (error) {
    throw failure ?? new BundleDamagedError(`It cannot be unpacked: ${(error as Error).message}`);
  } finally {
    for (const descriptor of openFiles.values()) closeSync(descriptor);
  }
}
