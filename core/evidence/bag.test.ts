import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkBag, writeBagManifests } from './bag';

let bag: string;
beforeEach(async () => {
  bag = mkdtempSync(join(tmpdir(), 'bag-'));
  mkdirSync(join(bag, 'data/raw'), { recursive: true });
  writeFileSync(join(bag, 'data/events.ndjson'), '{"seq":0}\n');
  writeFileSync(join(bag, 'data/raw/stdout 100%'), 'GPU 0\n');
  await writeBagManifests(bag, { 'Source-Organization': 'x' });
});
afterEach(() => rmSync(bag, { recursive: true, force: true }));

describe('bag', () => {
  it('is complete and valid as written', async () => {
    expect(await checkBag(bag)).toEqual([]);
  });

  it('names a changed, a missing and an extra file', async () => {
    writeFileSync(join(bag, 'data/events.ndjson'), '{"seq":1}\n');
    expect(await checkBag(bag)).toEqual(['data/events.ndjson was changed.']);
    writeFileSync(join(bag, 'data/extra'), '');
    expect(await checkBag(bag)).toContain('data/extra is not listed in a manifest.');
    renameSync(join(bag, 'data/events.ndjson'), join(bag, 'data/other'));
    expect(await checkBag(bag)).toContain('data/events.ndjson is listed but missing.');
  });

  it('sees a manifest that was written anew', async () => {
    writeFileSync(join(bag, 'manifest-sha256.txt'), '');
    expect(await checkBag(bag)).toContain('manifest-sha256.txt was changed.');
  });

  it('says so when the manifests cannot be read', async () => {
    writeFileSync(join(bag, 'tagmanifest-sha256.txt'), 'nonsense\n');
    expect(await checkBag(bag)).toEqual(['The manifests are missing or cannot be read.']);
  });
});
