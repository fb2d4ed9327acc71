import type { Client, ConnectConfig } from 'ssh2';
import { orAbort } from '../abort';
import { endpointLabel, type SshEndpoint, type SshPrompts, type Transport, TransportError } from '../contract';
import { type Credentials, readCredentials } from './credentials';
import { PausableDeadline } from './deadline';
import { type HostKeyCheck, prepareHostKeyCheck } from './host-key';
import { Ssh2Transport } from './transport';

export interface Ssh2Options {
  knownHostsFiles?: readonly string[];
  signal?: AbortSignal;
  /** From TCP connect to authentication, without the time that a person needs for an answer. */
  handshakeTimeoutMs?: number;
  /** Also how often a command on the machine is told that somebody is there. */
  keepaliveIntervalMs?: number;
}

const HANDSHAKE_TIMEOUT_MS = 20_000;
const KEEPALIVE_INTERVAL_MS = 15_000;
const KEEPALIVE_COUNT = 3;

/** Opens one connection for a whole run. Rejects with a {@link TransportError}. */
export async function connectSsh2(endpoint: SshEndpoint, prompts: SshPrompts, options: Ssh2Options = {}): Promise<Transport> {
  const cancelled = (): TransportError => new TransportError('cancelled', `The connection to ${endpointLabel(endpoint)} was cancelled.`, 'Run the card again.');
  if (options.signal?.aborted) throw cancelled();
  // Loaded here: an editor that never connects never pays for it.
  const ssh2 = await import('ssh2');
  const check = await prepareHostKeyCheck(endpoint, prompts, options.knownHostsFiles);
  const credentials = await orAbort(readCredentials(endpoint, prompts, ssh2.utils.parseKey), options.signal, cancelled);
  const handshake = new Handshake(new ssh2.Client(), endpoint, check, credentials, options);
  try {
    const hostKeyFingerprint = await orAbort(handshake.ready, options.signal, cancelled);
    return new Ssh2Transport(handshake.client, endpointLabel(endpoint), hostKeyFingerprint, options.keepaliveIntervalMs ?? KEEPALIVE_INTERVAL_MS);
  } catch (error) {
    handshake.giveUp();
    if (endpoint.authentication === 'password' && error instanceof TransportError && error.code === 'authentication-failed') await prompts.refused?.('password');
    throw error;
  }
}

/** From the first byte to a login. */
class Handshake {
  /** Resolves with the fingerprint of the host key. */
  readonly ready: Promise<string>;
  private readonly deadline: PausableDeadline;
  private fingerprint = '';
  /** What the SSH agent last failed with. The login then goes on with its other keys, and tells its end by itself. */
  private agentProblem: string | undefined;

  constructor(
    readonly client: Client,
    private readonly endpoint: SshEndpoint,
    private readonly check: HostKeyCheck,
    private readonly credentials: Credentials,
    options: Ssh2Options,
  ) {
    const where = endpointLabel(endpoint);
    let fail: (error: unknown) => void = () => undefined;
    this.deadline = new PausableDeadline(options.handshakeTimeoutMs ?? HANDSHAKE_TIMEOUT_MS, () =>
      fail(new TransportError('timeout', `${where} did not finish the SSH handshake in time.`, 'Check the address, the port and the firewall.')),
    );
    this.ready = new Promise((resolve, reject) => {
      fail = reject;
      client.once('ready', () => {
        this.deadline.stop();
        resolve(this.fingerprint);
      });
      // Stays for the life of the client: an error behind the first one must not end this program.
      client.on('error', (error: LevelledError) => {
        if (error.level === 'agent') this.agentProblem = error.message;
        else reject(toTransportError(error, endpoint, this.agentProblem));
      });
      client.once('close', () => reject(new TransportError('unreachable', `${where} closed the connection before login.`, 'Check that an SSH server listens there and lets this address in.')));
      client.on('keyboard-interactive', (_name, _instructions, _language, asked, answer) => answer(this.credentials.answer(asked)));
      client.connect(this.config(options, reject));
    });
  }

  giveUp(): void {
    this.deadline.stop();
    this.client.destroy();
  }

  private config(options: Ssh2Options, refuse: (error: unknown) => void): ConnectConfig {
    const { endpoint, check, credentials } = this;
    return {
      host: endpoint.host,
      port: endpoint.port,
      username: endpoint.user,
      // Its clock would go on while a person is asked.
      readyTimeout: 0,
      keepaliveInterval: options.keepaliveIntervalMs ?? KEEPALIVE_INTERVAL_MS,
      keepaliveCountMax: KEEPALIVE_COUNT,
      ...(check.algorithms ? { algorithms: { serverHostKey: check.algorithms as never } } : {}),
      ...credentials.config,
      hostVerifier: (key: Buffer, answer: (accepted: boolean) => void): void => {
        this.deadline.pause();
        check.verify(key).then(
          (fingerprint) => {
            this.fingerprint = fingerprint;
            this.deadline.resume();
            answer(true);
          },
          (error: unknown) => {
            refuse(error);
            answer(false);
          },
        );
      },
    };
  }
}

type LevelledError = Error & { level?: string };

/** Classified by `level`, as the library documents; its message texts may change. */
function toTransportError(error: LevelledError, endpoint: SshEndpoint, agentProblem: string | undefined): TransportError {
  const where = endpointLabel(endpoint);
  const cause = { cause: error };
  switch (error.level) {
    case 'client-authentication':
      if (agentProblem !== undefined) return new TransportError('authentication-failed', `${where} refused the login, and the SSH agent failed: ${agentProblem}.`, 'Check that the agent runs, is unlocked and may use the key.', cause);
      return new TransportError('authentication-failed', `${where} refused the login.`, 'Check user, key and authentication of the target.', cause);
    case 'client-timeout':
      return new TransportError('timeout', `${where} did not answer in time.`, 'Check the address, the port and the firewall.', cause);
    case 'client-socket':
      return new TransportError('unreachable', `${where} cannot be reached: ${error.message}.`, 'Check the address, the port and that the machine runs.', cause);
    default:
      return new TransportError('unreachable', `The SSH handshake with ${where} failed: ${error.message}.`, 'Check that an SSH server with current algorithms listens there.', cause);
  }
}
