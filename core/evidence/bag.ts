import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';

/** The layout of RFC 8493 (BagIt): a payload below `data/`, and manifests that `sha256sum -c` can check too. */

const PAYLOAD_MANIFEST = 'manifest-sha256.txt';
/** It lists the other manifest, and so stands for every byte of the bag. */
export const TAG_MANIFEST = 'tagmanifest-sha256.txt';
/** The name that `ssh-keygen -Y sign` gives. What is signed cannot list its own signature. */
export const SIGNATURE_FILE = `${TAG_MANIFEST}.sig`;

export interface BagInfo {
  [label: string]: string;
}

export async function sha256OfFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk as Uint8Array);
  return hash.digest('hex');
}

/** Names below `directory` with `/`, sorted by code unit so that every computer gives the same order. Links are errors. */
export async function listFiles(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const names: string[] = [];
  for (const entry of entries) {
    if (entry.isDirectory()) continue;
    const name = relative(directory, join(entry.parentPath, entry.name)).split(sep).join('/');
    if (!entry.isFile()) throw new Error(`${name} is not a plain file.`);
    names.push(name);
  }
  return names.sort();
}

/** Turns a folder whose payload is already in `data/` into a bag. */
export async function writeBagManifests(directory: string, info: BagInfo): Promise<void> {
  const payload = await listFiles(join(directory, 'data'));
  let bytes = 0;
  const lines: string[] = [];
  for (const name of payload) {
    const path = join(directory, 'data', name);
    bytes += (await stat(path)).size;
    lines.push(manifestLine(await sha256OfFile(path), `data/${name}`));
  }
  const fullInfo = { ...info, 'Payload-Oxum': `${bytes}.${payload.length}` };
  const tags: Record<string, string> = {
    'bag-info.txt': Object.entries(fullInfo).map(([label, value]) => `${label}: ${value.replace(/[\r\n]+/g, ' ')}\n`).join(''),
    'bagit.txt': 'BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n',
    [PAYLOAD_MANIFEST]: lines.join(''),
  };
  for (const [name, text] of Object.entries(tags)) await writeFile(join(directory, name), text);
  const tagLines = Object.entries(tags).map(([name, text]) => manifestLine(createHash('sha256').update(text).digest('hex'), name));
  await writeFile(join(directory, TAG_MANIFEST), tagLines.sort().join(''));
}

const manifestLine = (sha256: string, name: string): string =>
  `${sha256}  ${name.replace(/[%\r\n]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`)}\n`;

/** Every problem of a bag, in words; empty when it is complete and valid. */
export async function checkBag(directory: string): Promise<string[]> {
  const [files, payload, tags] = [await listFiles(directory), await readManifest(directory, PAYLOAD_MANIFEST), await readManifest(directory, TAG_MANIFEST)];
  if (!payload || !tags) return ['The manifests are missing or cannot be read.'];
  const listed = new Map([...payload, ...tags]);
  const problems: string[] = [];
  for (const name of files) {
    if (name !== TAG_MANIFEST && name !== SIGNATURE_FILE && !listed.has(name)) problems.push(`${name} is not listed in a manifest.`);
  }
  for (const [name, sha256] of listed) {
    if (!files.includes(name)) problems.push(`${name} is listed but missing.`);
    else if ((await sha256OfFile(join(directory, name))) !== sha256) problems.push(`${name} was changed.`);
  }
  if (!tags.has(PAYLOAD_MANIFEST)) problems.push(`${PAYLOAD_MANIFEST} is not listed in ${TAG_MANIFEST}.`);
  return problems;
}

async function readManifest(directory: string, name: string): Promise<Map<string, string> | undefined> {
  try {
    const lines = (await readFile(join(directory, name), 'utf8')).split('\n').filter((line) => line !== '');
    const entries = lines.map((line) => /^([0-9a-f]{64}) {2}(.+)$/.exec(line));
    if (entries.some((entry) => entry === null)) return undefined;
    return new Map(entries.map((entry) => [decodeURIComponent(entry![2]!), entry![1]!]));
  } catch {
    return undefined;
  }
}
