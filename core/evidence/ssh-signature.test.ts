import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { checkSshSignature, type SigningKey, signWithSshKey } from './ssh-signature';
import { MESSAGE, NAMESPACE, SIGNATURES } from './testing/openssh-signatures';

const message = Buffer.from(MESSAGE);

/** A fresh key with its public half as SSH writes it. */
function keyOf(type: 'ed25519' | 'rsa' | 'ecdsa', bits?: 256 | 384 | 521): SigningKey {
  const { privateKey } = type === 'ed25519' ? generateKeyPairSync('ed25519') : type === 'rsa' ? generateKeyPairSync('rsa', { modulusLength: 2048 }) : generateKeyPairSync('ec', { namedCurve: `P-${bits}` });
  const jwk = privateKey.export({ format: 'jwk' }) as Record<'x' | 'y' | 'n' | 'e', string>;
  const bytes = (part: string): Buffer => Buffer.from(part, 'base64url');
  const string = (text: Buffer | string): Buffer => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(text.length);
    return Buffer.concat([length, Buffer.from(text)]);
  };
  if (type === 'ed25519') return { privateKey, publicKey: Buffer.concat([string('ssh-ed25519'), string(bytes(jwk.x))]) };
  if (type === 'rsa') return { privateKey, publicKey: Buffer.concat([string('ssh-rsa'), string(bytes(jwk.e)), string(Buffer.concat([Buffer.alloc(1), bytes(jwk.n)]))]) };
  return { privateKey, publicKey: Buffer.concat([string(`ecdsa-sha2-nistp${bits}`), string(`nistp${bits}`), string(Buffer.concat([Buffer.from([4]), bytes(jwk.x), bytes(jwk.y)]))]) };
}

const problemOf = (text: string, over: { message?: Uint8Array; namespace?: string } = {}): string => {
  const checked = checkSshSignature(text, over.message ?? message, over.namespace ?? NAMESPACE);
  return 'problem' in checked ? checked.problem : 'none';
};

describe.each(Object.entries(SIGNATURES))('a signature of OpenSSH by a key of the kind %s', (_, { publicKey, signature }) => {
  it('is checked, and says which key signed', () => {
    const checked = checkSshSignature(signature, message, NAMESPACE);
    expect('publicKey' in checked && checked.publicKey.toString('base64')).toBe(publicKey);
    expect(problemOf(signature.replaceAll('\n', '\r\n'))).toBe('none');
  });

  it('holds for its own bytes and its own purpose alone', () => {
    expect(problemOf(signature, { message: Buffer.from(`${MESSAGE} `) })).toBe('The signature does not belong to this bundle.');
    expect(problemOf(signature, { namespace: 'file' })).toContain('was made for "night-shift", not for "file"');
  });

  it('never holds with one byte changed or the end missing', () => {
    const bytes = Buffer.from(signature.split('\n').slice(1, -2).join(''), 'base64');
    const armoured = (changed: Buffer): string => signature.replace(/-\n[^-]+\n-/, `-\n${changed.toString('base64')}\n-`);
    expect(problemOf(armoured(bytes))).toBe('none');
    for (let index = 0; index < bytes.length; index++) {
      const changed = Buffer.from(bytes);
      changed[index]! ^= 0x01;
      // The key inside may become another one that is no key, but never one that signed this.
      expect(problemOf(armoured(changed)), `byte ${index}`).not.toBe('none');
      expect(problemOf(armoured(bytes.subarray(0, index))), `cut at ${index}`).not.toBe('none');
    }
  });
});

describe('a signature that is made here', () => {
  it.each([
    ['ed25519', keyOf('ed25519')],
    ['rsa', keyOf('rsa')],
    ['ecdsa 256', keyOf('ecdsa', 256)],
    ['ecdsa 384', keyOf('ecdsa', 384)],
    ['ecdsa 521', keyOf('ecdsa', 521)],
  ])('by a key of the kind %s holds, every time', (_, key) => {
    // The numbers of ECDSA differ in length from one signature to the next.
    for (let round = 0; round < 40; round++) {
      const text = signWithSshKey(message, NAMESPACE, key);
      const checked = checkSshSignature(text, message, NAMESPACE);
      expect('publicKey' in checked && checked.publicKey.equals(key.publicKey), JSON.stringify(checked)).toBe(true);
      expect(Math.max(...text.split('\n').map(({ length }) => length))).toBeLessThanOrEqual(70);
    }
  });

  it('is refused for a key that cannot sign, in words', () => {
    const token = Buffer.concat([Buffer.from([0, 0, 0, 26]), Buffer.from('sk-ssh-ed25519@openssh.com')]);
    expect(() => signWithSshKey(message, NAMESPACE, { ...keyOf('ed25519'), publicKey: token })).toThrow('A key of the type sk-ssh-ed25519@openssh.com cannot sign here.');
  });
});

describe('what is no signature', () => {
  it.each([
    ['nothing', '', 'is not one that ssh-keygen makes'],
    ['another kind of text', '-----BEGIN PGP SIGNATURE-----\nAAAA\n-----END PGP SIGNATURE-----\n', 'is not one that ssh-keygen makes'],
    ['no bytes of one', '-----BEGIN SSH SIGNATURE-----\nAAAA\n-----END SSH SIGNATURE-----\n', 'is damaged'],
    ['another version', `-----BEGIN SSH SIGNATURE-----\n${Buffer.from('SSHSIG\0\0\0\x02').toString('base64')}\n-----END SSH SIGNATURE-----\n`, 'unknown version'],
  ])('%s is told in words', (_, text, expected) => expect(problemOf(text)).toContain(expected));
});
