import { createHmac } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { addKnownHost, fingerprint, hostName, judgeHostKey, keyTypeOf, knownKeyTypes, matchesHost, parseKnownHosts, readKnownHosts } from './known-hosts';

/** A key blob as it is sent: its type, then something. */
function blob(type: string, content: string): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(type.length);
  return Buffer.concat([length, Buffer.from(type), Buffer.from(content)]);
}
const ED = blob('ssh-ed25519', 'one');
const OTHER_ED = blob('ssh-ed25519', 'two');
const RSA = blob('ssh-rsa', 'three');
const entry = (hosts: string, key = ED, marker = ''): string => `${marker}${hosts} ${keyTypeOf(key)} ${key.toString('base64')} comment\n`;
const parse = (text: string) => parseKnownHosts(text, '/home/ada/.ssh/known_hosts');
const judge = (text: string, name: string, key = ED) => judgeHostKey(parse(text), name, key).state;

function hashed(name: string): string {
  const salt = Buffer.alloc(20, 7);
  return `|1|${salt.toString('base64')}|${createHmac('sha1', salt).update(name).digest('base64')}`;
}

describe('known_hosts', () => {
  it.each([
    ['gpu-1.example.com', 'gpu-1.example.com', true],
    ['GPU-1.example.com', 'gpu-1.example.com', true],
    ['gpu-1.example.com', 'gpu-1.example.org', false],
    ['gpu-1.example.com', 'gpu-1xexample.com', false],
    ['gpu-?.example.com,192.0.2.*', '192.0.2.44', true],
    ['gpu-?.example.com', 'gpu-10.example.com', false],
    ['*.example.com,!bad.example.com', 'good.example.com', true],
    ['*.example.com,!bad.example.com', 'bad.example.com', false],
    ['[gpu-1.example.com]:2222', '[gpu-1.example.com]:2222', true],
    ['gpu-1.example.com', '[gpu-1.example.com]:2222', false],
    [hashed('gpu-1.example.com'), 'gpu-1.example.com', true],
    [hashed('[gpu-1.example.com]:2222'), '[gpu-1.example.com]:2222', true],
    [hashed('gpu-1.example.com'), 'gpu-2.example.com', false],
    ['|1|broken', 'gpu-1.example.com', false],
  ])('pattern %s, host %s: %s', (hosts, name, expected) => {
    expect(matchesHost(parse(entry(hosts))[0]!, name)).toBe(expected);
  });

  it('names a host as OpenSSH does', () => {
    expect([hostName('GPU-1', 22), hostName('GPU-1', 2222), hostName('::1', 2222)]).toEqual(['gpu-1', '[gpu-1]:2222', '[::1]:2222']);
  });

  it('keeps comments, blank lines and damaged lines out, and the numbers of the others right', () => {
    const entries = parse(`# mine\r\n\r\n${entry('a')}only-a-host\n@strange ${entry('b')}${entry('c')}`);
    expect(entries.map(({ hosts, line }) => [hosts, line])).toEqual([['a', 3], ['c', 6]]);
  });

  it('judges a key', () => {
    expect(judge(entry('a'), 'a')).toBe('known');
    expect(judge(entry('b'), 'a')).toBe('unknown');
    expect(judge(entry('a', OTHER_ED), 'a')).toBe('changed');
    expect(judge(entry('a', OTHER_ED) + entry('a', ED), 'a')).toBe('known');
    expect(judge(entry('a', RSA), 'a')).toBe('changed');
  });

  it('names the recorded key of the same type when it has changed', () => {
    const judged = judgeHostKey(parse(entry('a', RSA) + entry('a', OTHER_ED)), 'a', ED);
    expect(judged).toMatchObject({ state: 'changed', entry: { keyType: 'ssh-ed25519', line: 2 } });
  });

  it('a revoked key stays revoked, whatever else is on record', () => {
    expect(judge(entry('a') + entry('*', ED, '@revoked '), 'a')).toBe('revoked');
    expect(judge(entry('a') + entry('*', OTHER_ED, '@revoked '), 'a')).toBe('known');
    expect(judge(entry('a', OTHER_ED, '@revoked '), 'a')).toBe('unknown');
  });

  it('a certificate authority proves nothing here, and is named', () => {
    expect(judgeHostKey(parse(entry('*.example.com', ED, '@cert-authority ')), 'gpu.example.com', ED)).toMatchObject({ state: 'unknown', authority: { line: 1 } });
  });

  it('tells the key types on record, without revoked ones', () => {
    const entries = parse(entry('a', RSA) + entry('a', ED) + entry('a', OTHER_ED) + entry('a', blob('ecdsa-sha2-nistp256', 'x'), '@revoked '));
    expect(knownKeyTypes(entries, 'a')).toEqual(['ssh-rsa', 'ssh-ed25519']);
  });

  it('shows fingerprints without padding', () => {
    expect(fingerprint(ED)).toMatch(/^SHA256:[A-Za-z0-9+/]{43}$/);
  });

  it('reads several files, takes a missing one as empty, and appends behind an unfinished line', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'known-hosts-'));
    try {
      const [first, second] = [join(folder, 'one'), join(folder, 'ssh', 'two')];
      writeFileSync(first, entry('a').trimEnd());
      await addKnownHost(first, '[b]:2222', OTHER_ED);
      await addKnownHost(second, 'c', RSA);
      const entries = await readKnownHosts([first, join(folder, 'missing'), second]);
      expect(entries.map(({ hosts, file, line }) => [hosts, file, line])).toEqual([['a', first, 1], ['[b]:2222', first, 2], ['c', second, 1]]);
      expect(readFileSync(first, 'utf8').endsWith('\n')).toBe(true);
      await expect(readKnownHosts([folder])).rejects.toThrow();
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
