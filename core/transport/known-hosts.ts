import { createHash, createHmac } from 'node:crypto';
import { appendFile, mkdir, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';

/** The known_hosts format of OpenSSH: sshd(8), section SSH_KNOWN_HOSTS FILE FORMAT. */

export interface KnownHostEntry {
  marker?: 'revoked' | 'cert-authority';
  hosts: string;
  keyType: string;
  /** base64 */
  key: string;
  file: string;
  line: number;
}

export type HostKeyJudgement =
  | { state: 'known' }
  /** `authority`: a certificate authority is on record for the host; its certificates cannot be checked here, so it proves nothing. */
  | { state: 'unknown'; authority?: KnownHostEntry }
  /** Another key of any type is on record: never a question, always an error. */
  | { state: 'changed'; entry: KnownHostEntry }
  | { state: 'revoked'; entry: KnownHostEntry };

export function parseKnownHosts(text: string, file: string): KnownHostEntry[] {
  return text.split(/\r?\n/).flatMap((raw, index) => {
    const words = raw.trim().split(/\s+/);
    if (words[0] === '' || words[0]!.startsWith('#')) return [];
    const marker = words[0]!.startsWith('@') ? words.shift()!.slice(1) : undefined;
    const [hosts, keyType, key] = words;
    if (hosts === undefined || keyType === undefined || key === undefined || (marker !== undefined && marker !== 'revoked' && marker !== 'cert-authority')) return [];
    return [{ ...(marker ? { marker } : {}), hosts, keyType, key, file, line: index + 1 }];
  });
}

/** `host` for port 22, `[host]:port` otherwise. */
export const hostName = (host: string, port: number): string => (port === 22 ? host.toLowerCase() : `[${host.toLowerCase()}]:${port}`);

export function matchesHost(entry: KnownHostEntry, name: string): boolean {
  if (entry.hosts.startsWith('|1|')) return matchesHash(entry.hosts, name);
  let matched = false;
  for (const pattern of entry.hosts.split(',')) {
    const negated = pattern.startsWith('!');
    if (!matchesPattern(negated ? pattern.slice(1) : pattern, name)) continue;
    if (negated) return false;
    matched = true;
  }
  return matched;
}

function matchesHash(hosts: string, name: string): boolean {
  const [, , salt, hash] = hosts.split('|');
  if (!salt || !hash) return false;
  return createHmac('sha1', Buffer.from(salt, 'base64')).update(name).digest('base64') === hash;
}

/** `*` stands for any characters, `?` for one: ssh_config(5), section PATTERNS. */
export const matchesPattern = (pattern: string, text: string): boolean =>
  new RegExp(`^${pattern.toLowerCase().replace(/[.+^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*').replaceAll('?', '.')}$`).test(text);

export function judgeHostKey(entries: readonly KnownHostEntry[], name: string, key: Buffer): HostKeyJudgement {
  const encoded = key.toString('base64');
  const own = entries.filter((entry) => matchesHost(entry, name));
  const revoked = own.find((entry) => entry.marker === 'revoked' && entry.key === encoded);
  if (revoked) return { state: 'revoked', entry: revoked };
  const usable = own.filter((entry) => entry.marker === undefined);
  if (usable.some((entry) => entry.key === encoded)) return { state: 'known' };
  const other = usable.find((entry) => entry.keyType === keyTypeOf(key)) ?? usable[0];
  if (other) return { state: 'changed', entry: other };
  const authority = own.find((entry) => entry.marker === 'cert-authority');
  return { state: 'unknown', ...(authority ? { authority } : {}) };
}

/** Key types on record for a host. Offering them first keeps a host with several keys from looking changed. */
export function knownKeyTypes(entries: readonly KnownHostEntry[], name: string): string[] {
  return [...new Set(entries.filter((entry) => entry.marker === undefined && matchesHost(entry, name)).map(({ keyType }) => keyType))];
}

/** The first string of the key blob (RFC 4253, section 6.6). */
export function keyTypeOf(key: Buffer): string {
  return key.length < 4 ? '' : key.toString('latin1', 4, 4 + key.readUInt32BE(0));
}

/** As `ssh-keygen -l` shows it. */
export const fingerprint = (key: Buffer): string => `SHA256:${createHash('sha256').update(key).digest('base64').replace(/=+$/, '')}`;

/** Missing files are empty; files that cannot be read are errors, because a check without them would be weaker. */
export async function readKnownHosts(files: readonly string[]): Promise<KnownHostEntry[]> {
  const parts = await Promise.all(
    files.map(async (file) => {
      try {
        return parseKnownHosts(await readFile(file, 'utf8'), file);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
        throw error;
      }
    }),
  );
  return parts.flat();
}

/** One write of one line, so that two runs at once cannot tear each other's. */
export async function addKnownHost(file: string, name: string, key: Buffer): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const existing = await readFile(file, 'utf8').catch(() => '');
  const gap = existing === '' || existing.endsWith('\n') ? '' : '\n';
  await appendFile(file, `${gap}${name} ${keyTypeOf(key)} ${key.toString('base64')}\n`, { mode: 0o600 });
}
