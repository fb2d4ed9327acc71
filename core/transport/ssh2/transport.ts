import type { Duplex } from 'node:stream';
import type { Client, ClientChannel } from 'ssh2';
import { type ExecEnd, type ExecRequest, type ExecSink, type Transport, TransportError } from '../contract';
import { Semaphore } from '../semaphore';
import { quoteArgument } from '../shell-quote';
import { type ChannelEnd, type CommandChannel, type CommandHost, execSupervised } from '../supervised-exec';
import { PROVE_ENDED, type SupervisedCommand, supervisedLine } from '../supervisor';

/** Servers allow ten sessions a connection by default; half of them leaves room for sessions that the server is still closing. */
const MAX_SESSIONS = 5;
const OPEN_ATTEMPTS = 5;
const OPEN_RETRY_MS = 400;
const PROOF_TIMEOUT_MS = 10_000;
const CLOSE_TIMEOUT_MS = 2_000;

/** One SSH connection, kept for a whole run. */
export class Ssh2Transport implements Transport, CommandHost {
  readonly kind = 'ssh2';
  readonly lost: Promise<TransportError>;
  private closed = false;
  private alive = true;
  private readonly sessions = new Semaphore(MAX_SESSIONS);

  constructor(
    private readonly client: Client,
    readonly where: string,
    readonly hostKeyFingerprint: string,
    /** How often commands on the machine are told that somebody is there. */
    readonly beatIntervalMs: number,
  ) {
    this.lost = new Promise((resolve) => {
      const report = (message: string): void => {
        this.alive = false;
        if (!this.closed) resolve(new TransportError('connection-lost', `The connection to ${where} was lost: ${message}`, 'Check the network and the machine, then run the card again.'));
      };
      client.on('error', (error: Error) => report(error.message));
      client.on('close', () => report('it was closed.'));
    });
  }

  isAlive(): boolean {
    return this.alive;
  }

  exec(request: ExecRequest, sink: ExecSink): Promise<ExecEnd> {
    return this.sessions.run(() => execSupervised(this, request, sink));
  }

  open(command: SupervisedCommand): Promise<CommandChannel> {
    return this.openSession(supervisedLine(command, this.beatIntervalMs), channelOf);
  }

  /** `listen` is called at once: the exit status may stand in the same packets as the answer, and is told only once. */
  private async openSession<T>(line: string, listen: (channel: ClientChannel) => T): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await new Promise((resolve, reject) => this.client.exec(line, (error, channel) => (error ? reject(error) : resolve(listen(channel)))));
      } catch (error) {
        // The server's session limit, not a broken machine.
        const busy = /open fail/i.test((error as Error).message);
        if (!busy || attempt === OPEN_ATTEMPTS || !this.alive) {
          throw new TransportError('exec-refused', `${this.where} did not start a command: ${(error as Error).message}`, 'Check that the account may run commands.', { cause: error });
        }
        await new Promise((resolve) => setTimeout(resolve, OPEN_RETRY_MS * attempt));
      }
    }
  }

  async proveEnded(processGroupId: number): Promise<boolean | undefined> {
    const giveUp = new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), PROOF_TIMEOUT_MS).unref());
    const asked = this.exitCodeOf(`exec sh -c ${quoteArgument(PROVE_ENDED)} prove ${processGroupId}`).catch(() => undefined);
    const code = await Promise.race([asked, giveUp, this.lost.then(() => undefined)]);
    return code === 0 ? true : code === 1 ? false : undefined;
  }

  private async exitCodeOf(line: string): Promise<number | null> {
    const command = await this.openSession(line, channelOf);
    command.endInput();
    command.onStdout(() => undefined);
    command.onStderr(() => undefined);
    return new Promise((resolve) => command.onEnd(({ code }) => resolve(code)));
  }

  openTcp(host: string, port: number, signal?: AbortSignal): Promise<Duplex> {
    return new Promise((resolve, reject) => {
      const refuse = (): void => reject(new TransportError('cancelled', `The connection to ${host}:${port} was given up.`, 'Run the card again.'));
      if (signal?.aborted || !this.alive) return refuse();
      // A machine that does not answer must not hold anybody behind their deadline.
      signal?.addEventListener('abort', refuse, { once: true });
      this.client.forwardOut('127.0.0.1', 0, host, port, (error, channel) => {
        signal?.removeEventListener('abort', refuse);
        if (error) return reject(new TransportError('unreachable', `${this.where} does not reach ${host}:${port}: ${error.message}`, 'Check that the service listens there and that the SSH server allows TCP forwarding.', { cause: error }));
        const duplex = channel as unknown as Duplex;
        if (signal?.aborted) return void duplex.destroy();
        signal?.addEventListener('abort', () => duplex.destroy(), { once: true });
        resolve(duplex);
      });
    });
  }

  async close(): Promise<void> {
    if (this.closed) return;
    this.closed = true;
    if (!this.alive) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(() => {
        this.client.destroy();
        resolve();
      }, CLOSE_TIMEOUT_MS);
      this.client.once('close', () => {
        clearTimeout(timer);
        resolve();
      });
      this.client.end();
    });
  }
}

/** `close`, not `exit`, is the end: an exit status may overtake the last data. */
function channelOf(channel: ClientChannel): CommandChannel {
  let end: ChannelEnd = { code: null };
  channel.on('exit', (code: number | null, signal?: string) => (end = { code, ...(signal ? { signal: `SIG${signal.replace(/^SIG/, '')}` } : {}) }));
  channel.on('error', () => undefined);
  return {
    onStdout: (listener) => channel.on('data', listener),
    onStderr: (listener) => channel.stderr.on('data', listener),
    onEnd: (listener) => channel.once('close', () => listener(end)),
    write: (text) => {
      if (channel.writable) channel.write(text);
    },
    endInput: () => channel.end(),
    destroy: () => channel.close(),
  };
}
