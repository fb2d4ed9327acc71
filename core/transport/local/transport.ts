import { type ChildProcessWithoutNullStreams, execFile, spawn } from 'node:child_process';
import { connect } from 'node:net';
import type { Duplex } from 'node:stream';
import { type ExecEnd, type ExecRequest, type ExecSink, type Transport, TransportError } from '../contract';
import { type CommandChannel, type CommandHost, execSupervised } from '../supervised-exec';
import { PROVE_ENDED, type SupervisedCommand, supervisedArgv } from '../supervisor';

const WHERE = 'this machine';
const BEAT_INTERVAL_MS = 15_000;
const PROOF_TIMEOUT_MS = 10_000;

/** Commands on the machine itself, with the same deadlines, cancellation and proof as over a connection. */
export class LocalTransport implements Transport, CommandHost {
  readonly kind = 'local';
  readonly where = WHERE;
  readonly beatIntervalMs = BEAT_INTERVAL_MS;
  /** There is no connection that could be lost. */
  readonly lost = new Promise<TransportError>(() => undefined);
  private readonly channels = new Set<CommandChannel>();
  private closed = false;

  isAlive(): boolean {
    return !this.closed;
  }

  exec(request: ExecRequest, sink: ExecSink): Promise<ExecEnd> {
    return execSupervised(this, request, sink);
  }

  open(command: SupervisedCommand): Promise<CommandChannel> {
    const [program, ...args] = supervisedArgv(command, this.beatIntervalMs);
    const child = spawn(program!, args, { stdio: 'pipe' });
    return new Promise((resolve, reject) => {
      child.once('error', (error) => reject(new TransportError('exec-refused', `A command could not be started: ${error.message}`, 'Check that a POSIX shell is on the PATH.', { cause: error })));
      child.once('spawn', () => {
        const channel = channelOf(child);
        this.channels.add(channel);
        child.once('close', () => this.channels.delete(channel));
        resolve(channel);
      });
    });
  }

  proveEnded(processGroupId: number): Promise<boolean | undefined> {
    return new Promise((resolve) => {
      execFile('sh', ['-c', PROVE_ENDED, 'prove', String(processGroupId)], { timeout: PROOF_TIMEOUT_MS }, (error) => resolve(error === null ? true : error.code === 1 ? false : undefined));
    });
  }

  openTcp(host: string, port: number, signal?: AbortSignal): Promise<Duplex> {
    return new Promise((resolve, reject) => {
      const socket = connect({ host, port, ...(signal ? { signal } : {}) });
      socket.once('connect', () => resolve(socket));
      socket.once('error', (error) => reject(new TransportError('unreachable', `${WHERE} does not reach ${host}:${port}: ${error.message}`, 'Check that the service listens there.', { cause: error })));
    });
  }

  async close(): Promise<void> {
    this.closed = true;
    for (const channel of this.channels) channel.endInput();
  }
}

function channelOf(child: ChildProcessWithoutNullStreams): CommandChannel {
  // A supervisor that has ended takes no more signs of life.
  child.stdin.on('error', () => undefined);
  return {
    onStdout: (listener) => child.stdout.on('data', listener),
    onStderr: (listener) => child.stderr.on('data', listener),
    onEnd: (listener) => child.once('close', (code, signal) => listener({ code, ...(signal ? { signal } : {}) })),
    write: (text) => child.stdin.write(text),
    endInput: () => child.stdin.end(),
    destroy: () => {
      child.kill('SIGKILL');
      child.stdout.destroy();
      child.stderr.destroy();
    },
  };
}
