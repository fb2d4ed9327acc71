import { createHash, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';

/** Signatures as `ssh-keygen -Y sign` makes them: OpenSSH, PROTOCOL.sshsig. The text form is PEM-like, lines of 70 characters. */

const MAGIC = Buffer.from('SSHSIG');
const VERSION = 1;
const HASH = 'sha512';
const BEGIN = '-----BEGIN SSH SIGNATURE-----';
const END = '-----END SSH SIGNATURE-----';
const LINE_LENGTH = 70;

/** A private key with its public half as SSH writes it (RFC 4253, section 6.6). */
export interface SigningKey {
  privateKey: KeyObject;
  publicKey: Buffer;
}

export type SignatureCheck = { publicKey: Buffer } | { problem: string };

/** `namespace` keeps a signature for one purpose from being used for another. Throws when the kind of key cannot sign. */
export function signWithSshKey(message: Uint8Array, namespace: string, { privateKey, publicKey }: SigningKey): string {
  const scheme = schemeOf(publicKey);
  if (!scheme) throw new Error(`A key of the type ${keyTypeOf(publicKey)} cannot sign here. Use an Ed25519, ECDSA or RSA key.`);
  const signature = scheme.encode(sign(scheme.digest, toBeSigned(message, namespace, HASH), { key: privateKey, dsaEncoding: 'ieee-p1363' }));
  const version = Buffer.alloc(4);
  version.writeUInt32BE(VERSION);
  const blob = Buffer.concat([MAGIC, version, ...[publicKey, Buffer.from(namespace), Buffer.alloc(0), Buffer.from(HASH), Buffer.concat([packed(Buffer.from(scheme.name)), packed(signature)])].map(packed)]);
  const lines = blob.toString('base64').match(new RegExp(`.{1,${LINE_LENGTH}}`, 'g')) ?? [];
  return `${[BEGIN, ...lines, END].join('\n')}\n`;
}

/** Checks a signature over `message`. It says which key signed, not whose key that is. */
export function checkSshSignature(text: string, message: Uint8Array, namespace: string): SignatureCheck {
  try {
    return check(text, message, namespace);
  } catch {
    return { problem: 'The signature is damaged.' };
  }
}

function check(text: string, message: Uint8Array, namespace: string): SignatureCheck {
  const body = new RegExp(`^${BEGIN}\\r?\\n([A-Za-z0-9+/=\\r\\n]+)${END}\\s*$`).exec(text)?.[1];
  if (body === undefined) return { problem: 'The signature is not one that ssh-keygen makes.' };
  const reader = new Reader(Buffer.from(body, 'base64'));
  if (!reader.take(MAGIC.length).equals(MAGIC) || reader.number() !== VERSION) return { problem: 'The signature is of an unknown version.' };
  const [publicKey, purpose, , hash, signature] = [reader.string(), reader.string(), reader.string(), reader.string(), reader.string()];
  if (!reader.isAtEnd) return { problem: 'There are bytes behind the signature.' };
  if (purpose.toString() !== namespace) return { problem: `The signature was made for ${JSON.stringify(purpose.toString())}, not for ${JSON.stringify(namespace)}.` };
  const algorithm = hash.toString();
  if (algorithm !== 'sha512' && algorithm !== 'sha256') return { problem: `The signature uses ${JSON.stringify(algorithm)}, which is not allowed.` };
  const scheme = schemeOf(publicKey);
  if (!scheme) return { problem: `Signatures by a key of the type ${keyTypeOf(publicKey)} cannot be checked here. Check it with ssh-keygen -Y verify.` };
  const parts = new Reader(signature);
  const name = parts.string().toString();
  const digest = scheme.digests[name];
  if (digest === undefined) return { problem: `The signature uses ${JSON.stringify(name)}, which is not allowed for this key.` };
  const key = { key: scheme.publicKey(), dsaEncoding: 'ieee-p1363' as const };
  const isValid = verify(digest, toBeSigned(message, namespace, algorithm), key, scheme.decode(parts.string()));
  return isValid && parts.isAtEnd ? { publicKey } : { problem: 'The signature does not belong to this bundle.' };
}

function toBeSigned(message: Uint8Array, namespace: string, hash: string): Buffer {
  return Buffer.concat([MAGIC, ...[Buffer.from(namespace), Buffer.alloc(0), Buffer.from(hash), createHash(hash).update(message).digest()].map(packed)]);
}

interface Scheme {
  /** Of the signatures that are made here. */
  name: string;
  digest: string | null;
  /** What is accepted: names of signatures with their digests. */
  digests: Readonly<Record<string, string | null>>;
  publicKey(): KeyObject;
  /** Between the form of the wire and that of `node:crypto`. */
  encode(signature: Buffer): Buffer;
  decode(signature: Buffer): Buffer;
}

/** SEC 1, section 2.3.3: the point is written with both of its numbers. */
const UNCOMPRESSED = 4;

const same = (signature: Buffer): Buffer => signature;
const CURVES: Readonly<Record<string, { crv: string; bytes: number; digest: string }>> = {
  nistp256: { crv: 'P-256', bytes: 32, digest: 'sha256' },
  nistp384: { crv: 'P-384', bytes: 48, digest: 'sha384' },
  nistp521: { crv: 'P-521', bytes: 66, digest: 'sha512' },
};

/** Undefined for kinds of keys that are not known here (DSA, keys of security tokens, certificates). */
function schemeOf(blob: Buffer): Scheme | undefined {
  const reader = new Reader(blob);
  const type = reader.string().toString();
  if (type === 'ssh-ed25519') {
    const x = reader.string();
    reader.expectEnd();
    return { name: type, digest: null, digests: { [type]: null }, encode: same, decode: same, publicKey: () => fromJwk({ kty: 'OKP', crv: 'Ed25519', x: x.toString('base64url') }) };
  }
  if (type === 'ssh-rsa') {
    const [e, n] = [reader.string(), reader.string()];
    reader.expectEnd();
    // SHA-1 ("ssh-rsa") is not accepted.
    return { name: 'rsa-sha2-512', digest: 'sha512', digests: { 'rsa-sha2-512': 'sha512', 'rsa-sha2-256': 'sha256' }, encode: same, decode: same, publicKey: () => fromJwk({ kty: 'RSA', n: unsigned(n).toString('base64url'), e: unsigned(e).toString('base64url') }) };
  }
  const curve = CURVES[type.replace(/^ecdsa-sha2-/, '')];
  return curve && ecdsa(type, curve, reader);
}

function ecdsa(type: string, { crv, bytes, digest }: (typeof CURVES)[string], reader: Reader): Scheme {
  const [name, point] = [reader.string().toString(), reader.string()];
  reader.expectEnd();
  const isWhole = type === `ecdsa-sha2-${name}` && point.length === 1 + 2 * bytes && point[0] === UNCOMPRESSED;
  if (!isWhole) throw new RangeError('This is no public key.');
  return {
    name: type,
    digest,
    digests: { [type]: digest },
    publicKey: () => fromJwk({ kty: 'EC', crv, x: point.subarray(1, 1 + bytes).toString('base64url'), y: point.subarray(1 + bytes).toString('base64url') }),
    encode: (signature) => Buffer.concat([packed(mpint(signature.subarray(0, bytes))), packed(mpint(signature.subarray(bytes)))]),
    decode: (signature) => {
      const parts = new Reader(signature);
      const numbers = [parts.string(), parts.string()].map((part) => padded(unsigned(part), bytes));
      parts.expectEnd();
      return Buffer.concat(numbers);
    },
  };
}

const fromJwk = (jwk: { kty: string; [part: string]: string }): KeyObject => createPublicKey({ key: jwk, format: 'jwk' });

const keyTypeOf = (blob: Buffer): string => new Reader(blob).string().toString();

/** The format of RFC 4251, section 5: a length in four bytes, then the bytes. */
function packed(bytes: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
}

function unsigned(bytes: Buffer): Buffer {
  const first = bytes.findIndex((byte) => byte !== 0);
  return first === -1 ? Buffer.alloc(0) : bytes.subarray(first);
}

/** Positive numbers whose first bit is set have a zero byte before them. */
function mpint(bytes: Buffer): Buffer {
  const number = unsigned(bytes);
  return number.length > 0 && number[0]! >= 0x80 ? Buffer.concat([Buffer.alloc(1), number]) : number;
}

function padded(number: Buffer, length: number): Buffer {
  if (number.length > length) throw new RangeError('The number is too large.');
  return Buffer.concat([Buffer.alloc(length - number.length), number]);
}

class Reader {
  private offset = 0;
  constructor(private readonly bytes: Buffer) {}

  get isAtEnd(): boolean {
    return this.offset === this.bytes.length;
  }

  expectEnd(): void {
    if (!this.isAtEnd) throw new RangeError('There are bytes behind the end.');
  }

  take(length: number): Buffer {
    if (this.offset + length > this.bytes.length) throw new RangeError('The bytes end too early.');
    return this.bytes.subarray(this.offset, (this.offset += length));
  }

  number(): number {
    return this.take(4).readUInt32BE(0);
  }

  string(): Buffer {
    return this.take(this.number());
  }
}
