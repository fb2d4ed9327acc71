import { createHash, randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { strToU8, zipSync } from 'fflate';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { listFiles } from './bag';
import { BundleDamagedError, extractZip } from './unzip';
import { writeZip, type ZipSource } from './zip';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'zip-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function makeBundle(name = 'a.zip'): Promise<string> {
  writeFileSync(join(folder, 'one'), 'GPU 0: fine\n'.repeat(200));
  writeFileSync(join(folder, 'two'), '');
  const archive = join(folder, name);
  await writeZip(archive, [
    { name: 'data/raw/one', path: join(folder, 'one') },
    { name: 'data/two', path: join(folder, 'two') },
  ]);
  return archive;
}

/** A foreign zip with our seal, so that the check of names is reached. */
const sealed = (files: Record<string, Uint8Array>): string => seal(Buffer.from(zipSync(files)));

function seal(bytes: Buffer): string {
  bytes.writeUInt16LE(71, bytes.length - 2);
  const archive = join(folder, 'foreign.zip');
  writeFileSync(archive, Buffer.concat([bytes, Buffer.from(`sha256:${createHash('sha256').update(bytes).digest('hex')}`)]));
  return archive;
}

describe('bundle container', () => {
  it('gives back what was put in', async () => {
    const archive = await makeBundle();
    const names = await extractZip(archive, join(folder, 'out'));
    expect(names).toEqual(['data/raw/one', 'data/two']);
    expect(readFileSync(join(folder, 'out/data/raw/one'), 'utf8')).toBe('GPU 0: fine\n'.repeat(200));
    expect(readFileSync(join(folder, 'out/data/two'), 'utf8')).toBe('');
  });

  it('is the same bytes for the same files', async () => {
    expect(readFileSync(await makeBundle('a.zip'))).toEqual(readFileSync(await makeBundle('b.zip')));
  });

  it('refuses every change of any one byte', async () => {
    const archive = await makeBundle();
    const original = readFileSync(archive);
    for (let offset = 0; offset < original.length; offset++) {
      const changed = Buffer.from(original);
      changed[offset]! ^= 0x01;
      writeFileSync(archive, changed);
      await expect(extractZip(archive, join(folder, `out-${offset}`)), `byte ${offset}`).rejects.toThrow(BundleDamagedError);
    }
  });

  it('refuses every cut', async () => {
    const archive = await makeBundle();
    const original = readFileSync(archive);
    for (let length = 0; length < original.length; length += 7) {
      writeFileSync(archive, original.subarray(0, length));
      await expect(extractZip(archive, join(folder, `out-${length}`)), `length ${length}`).rejects.toThrow(BundleDamagedError);
    }
  });

  it.each(['../outside', 'data/../../outside', '/etc/passwd', 'data\\..\\outside', 'C:/outside', 'data//x'])('never writes the name %s', async (name) => {
    await expect(extractZip(sealed({ [name]: strToU8('x') }), join(folder, 'out/deep'))).rejects.toThrow(/not allowed/);
    expect((await listFiles(folder)).filter((file) => file.endsWith('outside'))).toEqual([]);
  });

  it('refuses names that differ in case alone', async () => {
    await expect(extractZip(sealed({ 'data/a': strToU8('x'), 'data/A': strToU8('y') }), join(folder, 'out'))).rejects.toThrow(/not allowed/);
  });

  it.each(['PK\x03\x04', 'PK\x07\x08', 'PK\x01\x02'])('gives back output that holds the signature %j of a record', async (signature) => {
    const line = Buffer.concat([randomBytes(5_000), Buffer.from(signature, 'latin1')]);
    const content = Buffer.concat(Array.from({ length: 20 }, () => line));
    writeFileSync(join(folder, 'large'), content);
    const archive = join(folder, 'a.zip');
    await writeZip(archive, [{ name: 'data/large', path: join(folder, 'large') }]);
    await extractZip(archive, join(folder, 'out'));
    expect(readFileSync(join(folder, 'out/data/large')).equals(content)).toBe(true);
  });

  describe('shows other programs nothing else', () => {
    const LOCAL_NAME = 30;
    const central = (bytes: Buffer, field: number): number => bytes.indexOf('PK\x01\x02', 0, 'latin1') + field;
    const two = (): Buffer => Buffer.from(zipSync({ 'data/a': strToU8('accepted'), 'data/b': strToU8('rejected') }, { level: 0 }));
    /** Puts bytes before the directory, and lets its offset follow. */
    const withGap = (bytes: Buffer): Buffer => {
      const start = central(bytes, 0);
      bytes.writeUInt32LE(start + 3, bytes.length - 6);
      return Buffer.concat([bytes.subarray(0, start), Buffer.from('gap'), bytes.subarray(start)]);
    };
    const changed = (change: (bytes: Buffer) => unknown): (() => Buffer) => () => {
      const bytes = two();
      change(bytes);
      return bytes;
    };

    it.each<[string, () => Buffer]>([
      ['a name that stands beside the data alone', changed((bytes) => bytes.write('data/c', LOCAL_NAME))],
      ['the data of another file', changed((bytes) => bytes.writeUInt32LE(bytes.indexOf('PK\x03\x04', 4, 'latin1'), central(bytes, 42)))],
      ['bytes between files and directory', () => withGap(two())],
      ['a link', changed((bytes) => bytes.writeUInt16LE(0xa1ff, central(bytes, 40)))],
      ['an encrypted file', changed((bytes) => bytes.writeUInt16LE(1, central(bytes, 8)))],
      ['a size that is not true', changed((bytes) => bytes.writeUInt32LE(4, central(bytes, 24)))],
    ])('%s', async (_, make) => {
      await expect(extractZip(seal(make()), join(folder, 'out'))).rejects.toThrow(BundleDamagedError);
    });

    it('and its unchanged form is read', async () => {
      expect(await extractZip(seal(two()), join(folder, 'out'))).toEqual(['data/a', 'data/b']);
    });
  });

  /** Many times what a stream holds back. */
  const large = (): ZipSource[] => {
    writeFileSync(join(folder, 'large'), randomBytes(500_000));
    return [{ name: 'data/large', path: join(folder, 'large') }];
  };

  it('gives back a file that comes in many pieces', async () => {
    const archive = join(folder, 'a.zip');
    await writeZip(archive, large());
    await extractZip(archive, join(folder, 'out'));
    expect(readFileSync(join(folder, 'out/data/large')).equals(readFileSync(join(folder, 'large')))).toBe(true);
  });

  it('says that it cannot be written where there is no folder', async () => {
    await expect(writeZip(join(folder, 'missing', 'a.zip'), large())).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it.runIf(existsSync('/dev/full'))('says that the disk is full', async () => {
    await expect(writeZip('/dev/full', large())).rejects.toMatchObject({ code: 'ENOSPC' });
  });

  it('does not call a bundle damaged that this computer cannot unpack', async () => {
    const archive = await makeBundle();
    // A file stands where the folder should be.
    await expect(extractZip(archive, join(folder, 'one'))).rejects.toMatchObject({ code: 'ENOTDIR' });
  });

  it('stops at its limits', async () => {
    const archive = sealed({ 'data/zeros': new Uint8Array(5_000_000) });
    await expect(extractZip(archive, join(folder, 'out'), { maximumEntries: 10, maximumBytes: 1_000_000 })).rejects.toThrow(/larger than allowed/);
    const many = sealed({ a: strToU8(''), b: strToU8(''), c: strToU8('') });
    await expect(extractZip(many, join(folder, 'out2'), { maximumEntries: 2, maximumBytes: 1_000_000 })).rejects.toThrow(/more than 2/);
  });
});
