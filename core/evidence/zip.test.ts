import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { strToU8, zipSync } from 'fflate';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { listFiles } from './bag';
import { BundleDamagedError, extractZip, writeZip, type ZipSource } from './zip';

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
async function sealed(files: Record<string, Uint8Array>): Promise<string> {
  const { createHash } = await import('node:crypto');
  const bytes = Buffer.from(zipSync(files));
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
    await expect(extractZip(await sealed({ [name]: strToU8('x') }), join(folder, 'out/deep'))).rejects.toThrow(/not allowed/);
    expect((await listFiles(folder)).filter((file) => file.endsWith('outside'))).toEqual([]);
  });

  it('refuses names that differ in case alone', async () => {
    await expect(extractZip(await sealed({ 'data/a': strToU8('x'), 'data/A': strToU8('y') }), join(folder, 'out'))).rejects.toThrow(/not allowed/);
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
    const archive = await sealed({ 'data/zeros': new Uint8Array(5_000_000) });
    await expect(extractZip(archive, join(folder, 'out'), { maximumEntries: 10, maximumBytes: 1_000_000 })).rejects.toThrow(/larger than allowed/);
    const many = await sealed({ a: strToU8(''), b: strToU8(''), c: strToU8('') });
    await expect(extractZip(many, join(folder, 'out2'), { maximumEntries: 2, maximumBytes: 1_000_000 })).rejects.toThrow(/more than 2/);
  });
});
