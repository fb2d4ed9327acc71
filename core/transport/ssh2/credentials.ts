import type { ConnectConfig, Prompt } from 'ssh2';
import { endpointLabel, type SshEndpoint, type SshPrompts, TransportError } from '../contract';
import { type ParseKey, readIdentity } from './identity';

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
  const { file, passphrase } = await readIdentity(endpoint.identityFile, prompts, parseKey);
  return { privateKey: file, ...(passphrase === undefined ? {} : { passphrase }) };
}
