import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import type { ConnectConfig, Prompt } from 'ssh2';
import { endpointLabel, type SshEndpoint, type SshPrompts, TransportError } from '../contract';

type ParseKey = (data: Buffer, passphrase?: string) => unknown;

export interface Credentials {
  config: Partial<ConnectConfig>;
  /** Answers to the questions of a keyboard-interactive login. */
  answer(prompts: readonly Prompt[]): string[];
}

/** Asks for what the target's way of authentication needs, before anything is sent. */
export async function readCredentials(endpoint: SshEndpoint, prompts: SshPrompts, parseKey: ParseKey): Promise<Credentials> {
  const method = endpoint.authentication ?? (endpoint.identityFile ? 'key' : 'agent');
  if (method === 'key') return { config: await readKey(endpoint, prompts, parseKey), answer: () => [] };
  if (method === 'password') return readPassword(endpoint, prompts);
  const agent = process.env['SSH_AUTH_SOCK'] ?? (process.platform === 'win32' ? '\\\\.\\pipe\\openssh-ssh-agent' : undefined);
  if (!agent) throw new TransportError('authentication-failed', 'There is no SSH agent.', 'Start an agent and add your key, or name an identityFile in the target.');
  return { config: { agent }, answer: () => [] };
}

async function readPassword(endpoint: SshEndpoint, prompts: SshPrompts): Promise<Credentials> {
  const password = await prompts.password?.(endpoint);
  if (password === undefined) throw new TransportError('cancelled', `No password was given for ${endpointLabel(endpoint)}.`, 'Give the password when asked, or use a key.');
  // Servers that ask by PAM offer only keyboard-interactive. One hidden question is the password; anything else (a one-time
  // code) must not be answered with it.
  const isPassword = (asked: readonly Prompt[]): boolean => asked.length === 1 && asked[0]!.echo !== true;
  return { config: { password, tryKeyboard: true }, answer: (asked) => (isPassword(asked) ? [password] : []) };
}

async function readKey(endpoint: SshEndpoint, prompts: SshPrompts, parseKey: ParseKey): Promise<Partial<ConnectConfig>> {
  if (!endpoint.identityFile) throw new TransportError('authentication-failed', 'The target wants a key but names no identityFile.', 'Add identityFile to the target.');
  const path = endpoint.identityFile.replace(/^~(?=\/|$)/, homedir());
  const privateKey = await readFile(path).catch((error: Error) => {
    throw new TransportError('authentication-failed', `The identity file ${path} cannot be read: ${error.message}`, 'Correct identityFile in the target.');
  });
  const parsed = parseKey(privateKey);
  if (!(parsed instanceof Error)) return { privateKey };
  if (!/passphrase|encrypted/i.test(parsed.message)) {
    throw new TransportError('unsupported', `The identity file ${path} has a format that cannot be used: ${parsed.message}`, 'Use an Ed25519, ECDSA or RSA key in OpenSSH format, or the agent.');
  }
  const passphrase = await prompts.passphrase?.(path);
  if (passphrase === undefined) throw new TransportError('cancelled', `No passphrase was given for ${path}.`, 'Give the passphrase when asked, or add the key to your agent.');
  if (parseKey(privateKey, passphrase) instanceof Error) {
    await prompts.refused?.('passphrase');
    throw new TransportError('authentication-failed', `The passphrase for ${path} is wrong.`, 'Try again.');
  }
  return { privateKey, passphrase };
}
