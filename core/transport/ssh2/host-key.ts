import { homedir } from 'node:os';
import { join } from 'node:path';
import { addKnownHost, fingerprint, hostName, judgeHostKey, keyTypeOf, knownKeyTypes, readKnownHosts } from '../known-hosts';
import { type SshEndpoint, type SshPrompts, TransportError } from '../contract';

export const defaultKnownHostsFiles = (): string[] => [join(homedir(), '.ssh', 'known_hosts'), '/etc/ssh/ssh_known_hosts'];

export interface HostKeyCheck {
  /** Server host key algorithms to offer, or undefined for the library's own order. */
  algorithms: string[] | undefined;
  /** Resolves when the key is accepted; rejects with a {@link TransportError} otherwise. */
  verify(key: Buffer): Promise<string>;
}

/** Algorithms that the library can verify, best first. */
const SUPPORTED = ['ssh-ed25519', 'ecdsa-sha2-nistp256', 'ecdsa-sha2-nistp384', 'ecdsa-sha2-nistp521', 'rsa-sha2-512', 'rsa-sha2-256'];

/** Prepares the check of one host. There is no way to switch it off. */
export async function prepareHostKeyCheck(endpoint: SshEndpoint, prompts: SshPrompts, files: readonly string[] = defaultKnownHostsFiles()): Promise<HostKeyCheck> {
  const name = hostName(endpoint.host, endpoint.port);
  const entries = await readKnownHosts(files).catch((error: Error) => {
    throw new TransportError('host-key-unknown', `The known hosts cannot be read: ${error.message}`, 'Make the file readable, then try again.');
  });
  const known = knownKeyTypes(entries, name).flatMap((type) => (type === 'ssh-rsa' ? ['rsa-sha2-512', 'rsa-sha2-256'] : [type]));
  const first = known.filter((type) => SUPPORTED.includes(type));

  let accepted: Buffer | undefined;
  const verify = async (key: Buffer): Promise<string> => {
    const shown = fingerprint(key);
    // Long connections renew their keys, and the host shows its own each time: a person answers once.
    if (accepted?.equals(key)) return shown;
    const judgement = judgeHostKey(entries, name, key);
    switch (judgement.state) {
      case 'known':
        return shown;
      case 'revoked':
        throw new TransportError('host-key-revoked', `The key of ${name} (${shown}) is marked as revoked in ${judgement.entry.file}:${judgement.entry.line}.`, 'Do not connect. Ask whoever runs the machine for its present key.');
      case 'changed': {
        const { file, line, keyType, key: old } = judgement.entry;
        throw new TransportError(
          'host-key-changed',
          `The key of ${name} has changed. Offered: ${keyTypeOf(key)} ${shown}. On record in ${file}:${line}: ${keyType} ${fingerprint(Buffer.from(old, 'base64'))}.`,
          `Someone may be between you and the machine, or it was set up anew. Compare the fingerprint with the provider's; only then remove the old key with: ssh-keygen -R '${name}' -f '${file}'`,
        );
      }
      case 'unknown': {
        const { authority } = judgement;
        const note = authority && `${authority.file}:${authority.line} names a certificate authority for this host; host certificates are not supported, so the key itself must be compared.`;
        const isAccepted = await prompts.acceptFirstSeenKey({ endpoint, keyType: keyTypeOf(key), fingerprint: shown, ...(note ? { note } : {}) });
        if (!isAccepted) throw new TransportError('host-key-unknown', `The key of ${name} (${shown}) is not known and was not accepted.`, 'Compare the fingerprint with the provider’s, then accept it or add it to your known hosts.');
        if (files[0] !== undefined) await remember(files[0], name, key);
        accepted = Buffer.from(key);
        return shown;
      }
    }
  };
  return { algorithms: first.length > 0 ? [...first, ...SUPPORTED.filter((type) => !first.includes(type))] : undefined, verify };
}

async function remember(file: string, name: string, key: Buffer): Promise<void> {
  await addKnownHost(file, name, key).catch((error: Error) => {
    throw new TransportError('host-key-unknown', `The key of ${name} was accepted but cannot be remembered: ${error.message}`, `Make ${file} writable, or add the key to it yourself.`);
  });
}
