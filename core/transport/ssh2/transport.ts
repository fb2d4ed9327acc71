import type { Duplex } from 'node:stream';
import type { Client, ClientChannel } from 'ssh2';
import { type ExecEnd, type ExecRequest, type ExecSink, type Transport, TransportError } from '../contract';
import { Semaphore } from '../semaphore';
import { supervisedLine, SupervisorStderr } from '../supervisor';

/** Servers allow ten sessions a connection by default; some are kept free for ending and checking commands. */
const MAX_SESSIONS = 6;
const OPEN_ATTEMPTS = 5;
const OPEN_RETRY_MS = 400;
/** How long the machine may take to end a process group: TERM, two seconds, KILL. */
const END_TIMEOUT_MS = 6_000;
const PROOF_TIMEOUT_MS = 10_000;

type Cut = NonNullable<ExecEnd['cut']>;

export class Ssh2Transport implements Transport {
  readonly kind = 'ssh2';
  readonly lost: Promise<TransportError>;
  private closed = false;
  private alive = true;
  private readonly sessions = new Semaphore(MAX_SESSIONS);

  constructor(
    private readonly client: Client,
    private readonly where: string,
    readonly hostKeyFingerprint: string,
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

  async exec(request: ExecRequest, sink: ExecSink): Promise<ExecEnd> {
    return this.sessions.run(() => this.execNow(request, sink));
  }

  private async execNow(request: ExecRequest, sink: ExecSink): Promise<ExecEnd> {
    const startedAt = performance.now();
    const finish = (end: Omit<ExecEnd, 'durationMs'>): ExecEnd => ({ ...end, durationMs: Math.round(performance.now() - startedAt) });
    if (request.signal?.aborted) return finish({ exitCode: null, cut: 'cancelled', remoteProcesses: 'ended' });
    if (!this.alive) return finish({ exitCode: null, cut: 'connection-lost', remoteProcesses: 'ended' });
    const channel = await this.open(supervisedLine(request));
    const running = new RunningCommand(channel, request, sink);
    const end = await running.ended;
    if (running.startError) throw new TransportError('exec-refused', `${this.where} has no setsid, so a command could not be ended for certain.`, 'Install util-linux on the machine.');
    const remoteProcesses = this.alive ? await this.proveEnded(running.processGroupId) : 'unknown';
    return finish({ ...end, ...(this.alive || end.cut ? {} : { cut: 'connection-lost' as const }), remoteProcesses });
  }

  private async open(line: string): Promise<ClientChannel> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await new Promise((resolve, reject) => this.client.exec(line, (error, channel) => (error ? reject(error) : resolve(channel))));
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

  /** Asks the machine whether the process group is gone; ends it by force if it is not. */
  private async proveEnded(processGroupId: number | undefined): Promise<ExecEnd['remoteProcesses']> {
    if (processGroupId === undefined) return 'unknown';
    const script = 'kill -0 -"$1" 2>/dev/null || exit 0; kill -KILL -"$1" 2>/dev/null; i=0; while [ $i -lt 20 ]; do kill -0 -"$1" 2>/dev/null || exit 0; sleep 0.1; i=$((i + 1)); done; exit 1';
    const answer = await this.ask(`exec sh -c '${script}' prove ${processGroupId}`);
    return answer === undefined ? 'unknown' : answer === 0 ? 'ended' : 'left';
  }

  /** Exit code of a short command of our own; undefined when there was no answer. */
  private ask(line: string): Promise<number | undefined> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(undefined), PROOF_TIMEOUT_MS);
      const settle = (code: number | undefined): void => {
        clearTimeout(timer);
        resolve(code);
      };
      this.client.exec(line, (error, channel) => {
        if (error) return settle(undefined);
        let code: number | undefined;
        channel.on('exit', (exitCode: number | null) => (code = exitCode ?? undefined));
        channel.on('close', () => settle(code));
        channel.resume();
        channel.stderr.resume();
        channel.end();
      });
    });
  }

  openTcp(host: string, port: number, signal?: AbortSignal): Promise<Duplex> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted || !this.alive) return reject(new TransportError('cancelled', 'The connection was not opened.', 'Run the card again.'));
      this.client.forwardOut('127.0.0.1', 0, host, port, (error, channel) => {
        if (error) return reject(new TransportError('unreachable', `${this.where} does not reach ${host}:${port}: ${error.message}`, 'Check that the service listens there and that the SSH server allows TCP forwarding.'));
        signal?.addEventListener('abort', () => channel.destroy(), { once: true });
        resolve(channel as unknown as Duplex);
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
      }, 2_000);
      this.client.once('close', () => {
        clearTimeout(timer);
        resolve();
      });
      this.client.end();
    });
  }
}

/** One command on one channel. Both streams are always read: an unread one would stop the command. */
class RunningCommand {
  readonly ended: Promise<Pick<ExecEnd, 'exitCode' | 'signal' | 'cut'>>;
  private readonly stderr: SupervisorStderr;
  private cut: Cut | undefined;
  private exit: { code: number | null; signal?: string } = { code: null };

  constructor(
    private readonly channel: ClientChannel,
    request: ExecRequest,
    sink: ExecSink,
  ) {
    this.stderr = new SupervisorStderr((chunk) => sink.stderr(chunk), (processGroupId) => sink.started?.(processGroupId));
    channel.on('data', (chunk: Buffer) => sink.stdout(chunk));
    channel.stderr.on('data', (chunk: Buffer) => this.stderr.write(chunk));
    channel.on('exit', (code: number | null, signal?: string) => (this.exit = { code, ...(signal ? { signal: `SIG${signal.replace(/^SIG/, '')}` } : {}) }));
    channel.on('error', () => undefined);
    // Standard input stays open behind the data: its end tells the machine to end the command.
    if (request.stdin) channel.write(request.stdin);
    this.ended = this.waitForEnd(request);
  }

  get processGroupId(): number | undefined {
    return this.stderr.processGroupId;
  }

  get startError(): string | undefined {
    return this.stderr.error;
  }

  private waitForEnd({ timeoutMs, signal }: ExecRequest): Promise<Pick<ExecEnd, 'exitCode' | 'signal' | 'cut'>> {
    return new Promise((resolve) => {
      let force: NodeJS.Timeout | undefined;
      const stop = (cut: Cut): void => {
        if (this.cut) return;
        this.cut = cut;
        this.channel.end();
        force = setTimeout(() => this.channel.close(), END_TIMEOUT_MS);
        // A close that never comes must not hold the run.
        force.unref();
        setTimeout(done, END_TIMEOUT_MS + 2_000).unref();
      };
      const onAbort = (): void => stop('cancelled');
      const deadline = setTimeout(() => stop('timeout'), timeoutMs);
      signal?.addEventListener('abort', onAbort, { once: true });
      const done = (): void => {
        clearTimeout(deadline);
        clearTimeout(force);
        signal?.removeEventListener('abort', onAbort);
        this.stderr.flush();
        const { code, signal: endedBy } = this.exit;
        if (this.cut) return resolve({ exitCode: null, cut: this.cut });
        resolve({ exitCode: code, ...(endedBy ? { signal: endedBy } : {}) });
      };
      this.channel.once('close', done);
    });
  }
}
