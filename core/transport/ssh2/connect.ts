import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import type { Client, ConnectConfig } from 'ssh2';
import { type SshEndpoint, type SshPrompts, type Transport, TransportError } from '../contract';
import { prepareHostKeyCheck } from './host-key';
import { Ssh2Transport } from './transport';

export interface Ssh2Options {
  knownHostsFiles?: readonly string[];
  signal?: AbortSignal;
  /** From TCP connect to authentication, without the time that a person needs for an answer. */
  handshakeTimeoutMs?: number;
  keepaliveIntervalMs?: number;
}

const HANDSHAKE_TIMEOUT_MS = 20_000;
const KEEPALIVE_INTERVAL_MS = 15_000;
const KEEPALIVE_COUNT = 3;

/** Opens one connection for a whole run. Rejects with a {@link TransportError}. */
export async function connectSsh2(endpoint: SshEndpoint, prompts: SshPrompts, options: Ssh2Options = {}): Promise<Transport> {
  options.signal?.throwIfAborted();
  // Loaded here: an editor that never connects never pays for it.
  const ssh2 = await import('ssh2');
  const check = await prepareHostKeyCheck(endpoint, prompts, options.knownHostsFiles ? [...options.knownHostsFiles] : undefined);
  const credentials = await readCredentials(endpoint, prompts, ssh2.utils.parseKey);
  const client = new ssh2.Client();
  const deadline = new PausableDeadline(options.handshakeTimeoutMs ?? HANDSHAKE_TIMEOUT_MS);
  let hostKeyFingerprint = '';

  const config: ConnectConfig = {
    host: endpoint.host,
    port: endpoint.port,
    username: endpoint.user,
    readyTimeout: 0,
    keepaliveInterval: options.keepaliveIntervalMs ?? KEEPALIVE_INTERVAL_MS,
    keepaliveCountMax: KEEPALIVE_COUNT,
    ...(check.algorithms ? { algorithms: { serverHostKey: check.algorithms as never } } : {}),
    ...credentials,
  };
  await new Promise<void>((resolve, reject) => {
    const settle = (error?: unknown): void => {
      deadline.stop();
      options.signal?.removeEventListener('abort', onAbort);
      if (error === undefined) return resolve();
      client.end();
      reject(error);
    };
    const onAbort = (): void => settle(new TransportError('cancelled', `The connection to ${label(endpoint)} was cancelled.`, 'Run the card again.'));
    options.signal?.addEventListener('abort', onAbort, { once: true });
    deadline.start(() => settle(new TransportError('timeout', `${label(endpoint)} did not finish the SSH handshake in time.`, 'Check the address, the port and the firewall.')));
    client.once('ready', () => settle());
    client.once('error', (error: Error & { level?: string }) => settle(toTransportError(error, endpoint)));
    client.once('close', () => settle(new TransportError('unreachable', `${label(endpoint)} closed the connection before login.`, 'Check that an SSH server listens there and lets this address in.')));
    config.hostVerifier = (key: Buffer, answer: (accepted: boolean) => void): void => {
      deadline.pause();
      check.verify(key).then(
        (fingerprint) => {
          hostKeyFingerprint = fingerprint;
          deadline.resume();
          answer(true);
        },
        (error: unknown) => {
          settle(error);
          answer(false);
        },
      );
    };
    client.connect(config);
  });
  return new Ssh2Transport(client as Client, label(endpoint), hostKeyFingerprint);
}

export const label = ({ user, host, port }: SshEndpoint): string => `${user}@${host}:${port}`;

/** Stands still while a person is asked. */
class PausableDeadline {
  private timer: NodeJS.Timeout | undefined;
  private expire: () => void = () => undefined;

  constructor(private readonly timeoutMs: number) {}

  start(expire: () => void): void {
    this.expire = expire;
    this.resume();
  }

  pause(): void {
    clearTimeout(this.timer);
  }

  resume(): void {
    this.timer = setTimeout(this.expire, this.timeoutMs);
  }

  stop(): void {
    clearTimeout(this.timer);
    this.expire = () => undefined;
  }
}

type ParseKey = (data: Buffer, passphrase?: string) => unknown;

async function readCredentials(endpoint: SshEndpoint, prompts: SshPrompts, parseKey: ParseKey): Promise<Partial<ConnectConfig>> {
  const method = endpoint.authentication ?? (endpoint.identityFile ? 'key' : 'agent');
  if (method === 'key') return readKey(endpoint, prompts, parseKey);
  if (method === 'password') {
    const password = await prompts.password?.(endpoint);
    if (password === undefined) throw new TransportError('cancelled', `No password was given for ${label(endpoint)}.`, 'Give the password when asked, or use a key.');
    return { password, tryKeyboard: false };
  }
  const agent = process.env['SSH_AUTH_SOCK'] ?? (process.platform === 'win32' ? '\\\\.\\pipe\\openssh-ssh-agent' : undefined);
  if (!agent) throw new TransportError('authentication-failed', 'There is no SSH agent.', 'Start an agent and add your key, or name an identityFile in the target.');
  return { agent };
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
  if (parseKey(privateKey, passphrase) instanceof Error) throw new TransportError('authentication-failed', `The passphrase for ${path} is wrong.`, 'Try again.');
  return { privateKey, passphrase };
}

/** Classified by `level`, as the library documents; its message texts may change. */
function toTransportError(error: Error & { level?: string; code?: string }, endpoint: SshEndpoint): TransportError {
  const where = label(endpoint);
  const cause = { cause: error };
  switch (error.level) {
    case 'client-authentication':
      return new TransportError('authentication-failed', `${where} refused the login.`, 'Check user, key and authentication of the target.', cause);
    case 'client-timeout':
      return new TransportError('timeout', `${where} did not answer in time.`, 'Check the address, the port and the firewall.', cause);
    case 'client-socket':
      return new TransportError('unreachable', `${where} cannot be reached: ${error.message}.`, 'Check the address, the port and that the machine runs.', cause);
    default:
      return new TransportError('unreachable', `The SSH handshake with ${where} failed: ${error.message}.`, 'Check that an SSH server with current algorithms listens there.', cause);
  }
}
