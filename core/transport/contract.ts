/** How a command reaches a machine. One transport is one connection, kept for a whole run. */

import type { Duplex } from 'node:stream';

export interface ExecRequest {
  /** Never joined into shell syntax by a caller; the transport quotes each argument. */
  argv: readonly string[];
  env?: Readonly<Record<string, string>>;
  stdin?: string;
  /** After this the remote process group is ended. */
  timeoutMs: number;
  /** Aborting ends the remote process group; `exec` resolves when that is proved or given up. */
  signal?: AbortSignal;
}

export interface ExecSink {
  stdout(chunk: Uint8Array): void;
  stderr(chunk: Uint8Array): void;
  /** The remote process group, as soon as it is known. */
  started?(processGroupId: number): void;
}

export interface ExecEnd {
  /** Null when the command was ended by a signal or the connection was lost. */
  exitCode: number | null;
  signal?: string;
  cut?: 'timeout' | 'cancelled' | 'connection-lost';
  /** What is known of the remote process group after the end. `unknown`: the connection was lost before it could be proved. */
  remoteProcesses: 'ended' | 'left' | 'unknown';
  durationMs: number;
}

export interface Transport {
  /** `ssh2`, `local`. Shown to the user and kept in the evidence. */
  readonly kind: string;
  /** SHA-256 fingerprint of the host key that was verified, as `SHA256:…`; absent for local machines. */
  readonly hostKeyFingerprint?: string;
  exec(request: ExecRequest, sink: ExecSink): Promise<ExecEnd>;
  /** A TCP connection from the machine to `host:port`, through the same connection. */
  openTcp(host: string, port: number, signal?: AbortSignal): Promise<Duplex>;
  /** Resolves once when the connection is lost without `close` having been called. */
  readonly lost: Promise<TransportError>;
  close(): Promise<void>;
}

export type TransportErrorCode =
  | 'unreachable'
  | 'connection-lost'
  | 'timeout'
  | 'authentication-failed'
  | 'host-key-unknown'
  | 'host-key-changed'
  | 'host-key-revoked'
  | 'unsupported'
  | 'cancelled'
  | 'exec-refused';

/** Says what happened, where, and what to do. */
export class TransportError extends Error {
  constructor(
    readonly code: TransportErrorCode,
    message: string,
    /** One sentence: the next step for the user. */
    readonly nextStep: string,
    options?: { cause?: unknown },
  ) {
    super(message, options);
    this.name = 'TransportError';
  }
}

export interface SshEndpoint {
  host: string;
  port: number;
  user: string;
  authentication?: 'agent' | 'key' | 'password';
  identityFile?: string;
}

/** `user@host:port` */
export const endpointLabel = ({ user, host, port }: SshEndpoint): string => `${user}@${host}:${port}`;

export interface HostKeyQuestion {
  endpoint: SshEndpoint;
  keyType: string;
  /** `SHA256:…` */
  fingerprint: string;
  /** What else there is to know, in one sentence; for example that the host is on record with a certificate authority only. */
  note?: string;
}

/** What a connection may ask of its user. Every answer may take as long as a person needs. */
export interface SshPrompts {
  /** A host seen for the first time. True stores the key in the known_hosts file. A changed key is never asked here: it is an error. */
  acceptFirstSeenKey(question: HostKeyQuestion): Promise<boolean>;
  password?(endpoint: SshEndpoint): Promise<string | undefined>;
  passphrase?(identityFile: string): Promise<string | undefined>;
  /** The secret that was given does not work: whoever keeps it must not give it again unasked. */
  refused?(secret: 'password' | 'passphrase'): Promise<void>;
}
