import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { type FileHandle, mkdir, open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createInflateRaw } from 'node:zlib';
import { COMMENT_LENGTH, COMMENT_PREFIX, EOCD_LENGTH, EOCD_SIGNATURE } from './zip';

/**
 * Reads a bundle's container by its central directory, and refuses one that could be read in another way too: a gap between
 * entries, or a local header that says something else, would show another program other files than the ones verified here.
 * Layout of the records: APPNOTE.TXT 6.3, sections 4.3.7 to 4.3.16.
 */

const CENTRAL_SIGNATURE = 0x02014b50;
const CENTRAL_LENGTH = 46;
const LOCAL_SIGNATURE = 0x04034b50;
const LOCAL_LENGTH = 30;
const DESCRIPTOR_SIGNATURE = 0x08074b50;
const DESCRIPTOR_LENGTH = 16;
const HAS_DESCRIPTOR = 1 << 3;
const NAME_IS_UTF8 = 1 << 11;
const STORED = 0;
const DEFLATED = 8;
/** Upper half of the external attributes: the file type of Unix. 0: not said. */
const FILE_TYPE_MASK = 0xf000;
const PLAIN_FILE = 0x8000;
const LONGEST_NAME = 512;

/** The file is no bundle of ours, or it was changed. */
export class BundleDamagedError extends Error {}

export interface UnzipLimits {
  maximumEntries: number;
  maximumBytes: number;
}

export const DEFAULT_LIMITS: UnzipLimits = { maximumEntries: 20_000, maximumBytes: 8 * 1024 ** 3 };

interface Entry {
  name: string;
  flags: number;
  method: number;
  /** CRC-32 and both sizes as the record holds them, to be compared with what stands beside the data. */
  sizes: Buffer;
  compressedBytes: number;
  bytes: number;
  /** Of the local header. */
  offset: number;
}

/** Checks the container and extracts it into `directory`. Returns the names in archive order. Throws {@link BundleDamagedError}. */
export async function extractZip(archive: string, directory: string, limits: UnzipLimits = DEFAULT_LIMITS): Promise<string[]> {
  const file = await open(archive, 'r');
  try {
    const { entries, end } = await readDirectory(archive, file, limits);
    const names = entries.map(({ name }) => name);
    const problem = names.find((name) => !isSafeName(name)) ?? firstDuplicate(names);
    if (problem !== undefined) throw new BundleDamagedError(`It holds a file with a name that is not allowed: ${JSON.stringify(problem)}.`);
    if (entries.reduce((sum, { bytes }) => sum + bytes, 0) > limits.maximumBytes) throw new BundleDamagedError('Unpacked, it is larger than allowed.');
    let position = 0;
    for (const entry of entries) {
      const data = await findData(file, entry, position);
      position = data.next;
      await extractEntry(archive, entry, data.start, join(directory, ...entry.name.split('/')));
    }
    if (position !== end) throw new BundleDamagedError('It holds bytes that belong to no file.');
    return names;
  } finally {
    await file.close();
  }
}

/** Relative, without `..`, drive letters, back-slashes or control characters: nothing is ever written outside the folder. */
function isSafeName(name: string): boolean {
  return name.length > 0 && name.length < LONGEST_NAME && !/[\\:\u0000-\u001f\ufffd]/.test(name) && name.split('/').every((part) => part !== '' && part !== '.' && part !== '..');
}

function firstDuplicate(names: readonly string[]): string | undefined {
  const seen = new Set<string>();
  // Folded: two names that differ in case alone would overwrite each other on some systems.
  return names.find((name) => seen.size === seen.add(name.toLowerCase()).size);
}

/** `end`: where the files end and the directory begins. */
async function readDirectory(archive: string, file: FileHandle, { maximumEntries }: UnzipLimits): Promise<{ entries: Entry[]; end: number }> {
  const { size } = await file.stat();
  const tailBytes = EOCD_LENGTH + COMMENT_LENGTH;
  if (size < tailBytes) throw new BundleDamagedError('It is too short for a bundle.');
  const tail = await readAt(file, size - tailBytes, tailBytes);
  const comment = tail.toString('latin1', EOCD_LENGTH);
  if (tail.readUInt32LE(0) !== EOCD_SIGNATURE || tail.readUInt16LE(20) !== COMMENT_LENGTH || !comment.startsWith(COMMENT_PREFIX)) {
    throw new BundleDamagedError('It does not end like a bundle: it was cut, changed, or made by another program.');
  }
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(archive, { end: size - COMMENT_LENGTH - 1 })) hash.update(chunk as Uint8Array);
  if (comment !== COMMENT_PREFIX + hash.digest('hex')) {
    throw new BundleDamagedError('Its bytes do not match the checksum at its end: it was changed after it was written.');
  }
  const [count, bytes, start] = [tail.readUInt16LE(10), tail.readUInt32LE(12), tail.readUInt32LE(16)];
  if (count > maximumEntries) throw new BundleDamagedError(`It holds more than ${maximumEntries} files.`);
  if (start + bytes !== size - tailBytes || bytes > count * (CENTRAL_LENGTH + 2 * LONGEST_NAME)) throw new BundleDamagedError('Its directory cannot be read.');
  return { entries: parseDirectory(await readAt(file, start, bytes), count), end: start };
}

function parseDirectory(bytes: Buffer, count: number): Entry[] {
  const entries: Entry[] = [];
  let offset = 0;
  while (offset + CENTRAL_LENGTH <= bytes.length && bytes.readUInt32LE(offset) === CENTRAL_SIGNATURE) {
    const record = bytes.subarray(offset);
    const nameBytes = record.readUInt16LE(28);
    entries.push(parseRecord(record, nameBytes));
    offset += CENTRAL_LENGTH + nameBytes;
  }
  if (entries.length !== count || offset !== bytes.length) throw new BundleDamagedError('Its directory cannot be read.');
  return entries;
}

/** Extra fields and comments are refused: some of them give a file another name, or another size. */
function parseRecord(record: Buffer, nameBytes: number): Entry {
  const name = record.toString('utf8', CENTRAL_LENGTH, CENTRAL_LENGTH + nameBytes);
  const [flags, method, extraBytes, commentBytes] = [record.readUInt16LE(8), record.readUInt16LE(10), record.readUInt16LE(30), record.readUInt16LE(32)];
  const fileType = record.readUInt16LE(40) & FILE_TYPE_MASK;
  const refuse = (what: string): never => {
    throw new BundleDamagedError(`The file ${JSON.stringify(name)} in it ${what}.`);
  };
  if ((flags & ~(HAS_DESCRIPTOR | NAME_IS_UTF8 | 0b110)) !== 0 || (method !== STORED && method !== DEFLATED)) refuse('is packed in a way that no bundle uses');
  if (fileType !== 0 && fileType !== PLAIN_FILE) refuse('is not a plain file');
  if (extraBytes > 0 || commentBytes > 0 || (name.length !== nameBytes && (flags & NAME_IS_UTF8) === 0)) refuse('can be read in more than one way');
  return { name, flags, method, sizes: record.subarray(16, 28), compressedBytes: record.readUInt32LE(20), bytes: record.readUInt32LE(24), offset: record.readUInt32LE(42) };
}

/** Where an entry's data begins, and where the next entry must. */
async function findData(file: FileHandle, { name, flags, method, sizes, compressedBytes, offset }: Entry, position: number): Promise<{ start: number; next: number }> {
  const nameBytes = Buffer.byteLength(name);
  const header = await readAt(file, position, LOCAL_LENGTH + nameBytes);
  const start = position + LOCAL_LENGTH + nameBytes;
  const hasDescriptor = (flags & HAS_DESCRIPTOR) !== 0;
  const fits =
    offset === position &&
    header.length === LOCAL_LENGTH + nameBytes &&
    header.readUInt32LE(0) === LOCAL_SIGNATURE &&
    header.readUInt16LE(6) === flags &&
    header.readUInt16LE(8) === method &&
    header.readUInt16LE(26) === nameBytes &&
    header.readUInt16LE(28) === 0 &&
    header.toString('utf8', LOCAL_LENGTH) === name &&
    (hasDescriptor || header.subarray(14, 26).equals(sizes));
  const end = start + compressedBytes;
  const descriptor = hasDescriptor ? await readAt(file, end, DESCRIPTOR_LENGTH) : undefined;
  const ends = descriptor === undefined || (descriptor.length === DESCRIPTOR_LENGTH && descriptor.readUInt32LE(0) === DESCRIPTOR_SIGNATURE && descriptor.subarray(4).equals(sizes));
  if (!fits || !ends) throw new BundleDamagedError(`Its directory and the file ${JSON.stringify(name)} in it do not agree.`);
  return { start, next: end + (descriptor?.length ?? 0) };
}

/** Writes the file as its bytes come, so that memory stays bounded. */
async function extractEntry(archive: string, { name, method, compressedBytes, bytes }: Entry, start: number, target: string): Promise<void> {
  await mkdir(dirname(target), { recursive: true });
  const packed = compressedBytes === 0 ? Readable.from([]) : createReadStream(archive, { start, end: start + compressedBytes - 1 });
  const inflate = createInflateRaw();
  let written = 0;
  const limited = async function* (chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of chunks) {
      written += chunk.length;
      if (written > bytes) throw new BundleDamagedError(`The file ${name} in it is larger than it says.`);
      yield chunk;
    }
  };
  const output = createWriteStream(target, { flags: 'wx', mode: 0o600 });
  try {
    await (method === STORED ? pipeline(packed, limited, output) : pipeline(packed, inflate, limited, output));
  } catch (error) {
    // Anything but the stream itself, a full disk for one, says nothing against the bundle.
    if ((error as NodeJS.ErrnoException).code?.startsWith('Z_')) throw new BundleDamagedError(`The file ${name} in it cannot be unpacked.`);
    throw error;
  }
  const isWhole = written === bytes && (method === STORED || inflate.bytesWritten === compressedBytes);
  if (!isWhole) throw new BundleDamagedError(`The file ${name} in it cannot be unpacked.`);
}

/** Shorter than asked at the end of the file. */
async function readAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const buffer = Buffer.alloc(length);
  const { bytesRead } = await file.read(buffer, 0, length, position);
  return buffer.subarray(0, bytesRead);
}
