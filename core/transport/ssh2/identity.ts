import { createPrivateKey, type KeyObject } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import type { ParsedKey } from 'ssh2';
import { type SshPrompts, TransportError } from '../contract';

export type ParseKey = (data: Buffer, passphrase?: string) => ParsedKey | Error;

export interface Identity {
  /** The file's bytes, as they stand on disk. */
  file: Buffer;
  passphrase?: string;
  key: ParsedKey;
}

/** Reads a private key, and asks for its passphrase when it has one. Rejects with a {@link TransportError}. */
export async function readIdentity(identityFile: string, prompts: Pick<SshPrompts, 'passphrase' | 'refused'>, parseKey: ParseKey): Promise<Identity> {
  const path = identityFile.replace(/^~(?=\/|$)/, homedir());
  const file = await readFile(path).catch((error: Error) => {
    throw new TransportError('authentication-failed', `The identity file ${path} cannot be read: ${error.message}`, 'Correct the name of the identity file.');
  });
  const key = firstOf(parseKey(file));
  if (!(key instanceof Error)) return { file, key };
  if (!/passphrase|encrypted/i.test(key.message)) {
    throw new TransportError('unsupported', `The identity file ${path} has a format that cannot be used: ${key.message}`, 'Use an Ed25519, ECDSA or RSA key in OpenSSH format, or the agent.');
  }
  const passphrase = await prompts.passphrase?.(path);
  if (passphrase === undefined) throw new TransportError('cancelled', `No passphrase was given for ${path}.`, 'Give the passphrase when asked, or add the key to your agent.');
  const unlocked = firstOf(parseKey(file, passphrase));
  if (unlocked instanceof Error) {
    await prompts.refused?.('passphrase');
    throw new TransportError('authentication-failed', `The passphrase for ${path} is wrong.`, 'Try again.');
  }
  return { file, passphrase, key: unlocked };
}

/** A file may hold several keys; its types do not say so. */
const firstOf = (parsed: ParsedKey | Error): ParsedKey | Error => (Array.isArray(parsed) ? (parsed as ParsedKey[])[0]! : parsed);

/** A private key for signing, with its public half as SSH writes it. Rejects with a {@link TransportError}. */
export async function readSigningKey(identityFile: string, prompts: Pick<SshPrompts, 'passphrase' | 'refused'>): Promise<{ privateKey: KeyObject; publicKey: Buffer }> {
  // Loaded here: who signs nothing never pays for it.
  const ssh2 = await import('ssh2');
  const { key } = await readIdentity(identityFile, prompts, ssh2.utils.parseKey);
  if (!key.isPrivateKey()) throw new TransportError('unsupported', `${identityFile} is a public key.`, 'Name the private key, the file without .pub.');
  return { privateKey: createPrivateKey(key.getPrivatePEM()), publicKey: key.getPublicSSH() };
}
