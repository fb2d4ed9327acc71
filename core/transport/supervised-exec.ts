import { orAbort } from './abort';
import { type ExecEnd, type ExecRequest, type ExecSink, TransportError } from './contract';
import { MarkedStream, type SupervisedCommand, supervisedInput, type SupervisorMark } from './supervisor';

/** How long the machine may take to end a process group: TERM, two seconds, KILL. */
const END_TIMEOUT_MS = 6_000;
/** A channel that was given up and still does not close holds nobody longer than this. */
const CLOSE_TIMEOUT_MS = 2_000;

export interface ChannelEnd {
  /** Null: ended by a signal, or no status came. */
  code: number | null;
  /** `SIGKILL` */
  signal?: string;
}

/** A started supervisor, seen from here. */
export interface CommandChannel {
  onStdout(listener: (chunk: Uint8Array) => void): void;
  onStderr(listener: (chunk: Uint8Array) => void): void;
  /** Once, behind the last byte of both streams. */
  onEnd(listener: (end: ChannelEnd) => void): void;
  write(text: string): void;
  /** Ends standard input, which orders the supervisor to end the command. */
  endInput(): void;
  /** Gives the channel up. */
  destroy(): void;
}

/** A machine that starts supervised commands. */
export interface CommandHost {
  /** For messages. */
  readonly where: string;
  readonly beatIntervalMs: number;
  isAlive(): boolean;
  /** Rejects with a {@link TransportError}. */
  open(command: SupervisedCommand): Promise<CommandChannel>;
  /** True when the process group is gone, false when it cannot be ended, undefined when there was no answer. */
  proveEnded(processGroupId: number): Promise<boolean | undefined>;
}

/** Runs one command to its end, its deadline or its cancellation, then proves that its process group is gone. */
export async function execSupervised(host: CommandHost, request: ExecRequest, sink: ExecSink): Promise<ExecEnd> {
  const startedAt = performance.now();
  const finish = (end: Omit<ExecEnd, 'durationMs'>): ExecEnd => ({ ...end, durationMs: Math.round(performance.now() - startedAt) });
  if (request.signal?.aborted) return finish({ exitCode: null, cut: 'cancelled', remoteProcesses: 'ended' });
  if (!host.isAlive()) return finish({ exitCode: null, cut: 'connection-lost', remoteProcesses: 'ended' });
  const channel = await openInTime(host, request);
  if (!channel) return finish({ exitCode: null, cut: request.signal?.aborted ? 'cancelled' : 'timeout', remoteProcesses: 'unknown' });
  const running = new RunningCommand(channel, request, sink, host.beatIntervalMs);
  const { failure, exitCode, cut, signal } = await running.ended;
  const remoteProcesses = await stateOfProcesses(host, running);
  if (running.startError !== undefined) throw startFailure(host.where, running.startError);
  if (failure !== undefined) throw failure;
  // No status and no signal: nobody saw the end of the command.
  const unseen = exitCode === null && signal === undefined ? ('connection-lost' as const) : undefined;
  const cause = cut ?? (host.isAlive() ? unseen : 'connection-lost');
  return finish({ exitCode, remoteProcesses, ...(signal === undefined ? {} : { signal }), ...(cause ? { cut: cause } : {}) });
}

/**
 * Undefined when the machine does not answer before the deadline, or soon after a cancellation: it must not hold anybody longer.
 * A session that it opens later still ends without its command, whose input never comes.
 */
async function openInTime(host: CommandHost, request: ExecRequest): Promise<CommandChannel | undefined> {
  const givenUp = new AbortController();
  const giveUpAfter = (delayMs: number): NodeJS.Timeout => setTimeout(() => givenUp.abort(), delayMs);
  const timers = [giveUpAfter(request.timeoutMs)];
  const onAbort = (): void => void timers.push(giveUpAfter(END_TIMEOUT_MS));
  request.signal?.addEventListener('abort', onAbort, { once: true });
  const opening = host.open(request);
  try {
    return await orAbort(opening, givenUp.signal, () => new Error('No session in time.'));
  } catch (error) {
    if (!givenUp.signal.aborted) throw error;
    void opening.then((channel) => channel.endInput(), () => undefined);
    return undefined;
  } finally {
    request.signal?.removeEventListener('abort', onAbort);
    for (const timer of timers) clearTimeout(timer);
  }
}

async function stateOfProcesses(host: CommandHost, { processGroupId, hasStatus }: RunningCommand): Promise<ExecEnd['remoteProcesses']> {
  // The supervisor exits only after it has ended the group; without a mark, the command itself had not begun.
  if (processGroupId === undefined) return hasStatus ? 'ended' : 'unknown';
  if (!host.isAlive()) return 'unknown';
  const ended = await host.proveEnded(processGroupId);
  return ended === undefined ? 'unknown' : ended ? 'ended' : 'left';
}

function startFailure(where: string, error: string): TransportError {
  if (error === 'no-setsid') return new TransportError('exec-refused', `${where} has no setsid, so a command could not be ended for certain.`, 'Install util-linux on the machine.');
  return new TransportError('exec-refused', `The input of a command did not reach ${where} whole, so it was not started.`, 'Check the connection, then run the card again.');
}

interface CommandEnd {
  exitCode: number | null;
  signal?: string;
  cut?: ExecEnd['cut'];
  /** What the sink threw; the command was ended because of it. */
  failure?: unknown;
}

/** One command on one channel. Both streams are always read: an unread one would stop the command. */
class RunningCommand {
  readonly ended: Promise<CommandEnd>;
  processGroupId: number | undefined;
  /** The supervisor could not start the command. */
  startError: string | undefined;
  /** An exit status arrived, whatever became of the command. */
  hasStatus = false;
  private cut: ExecEnd['cut'];
  private failure: unknown;
  private isOver = false;
  private readonly timers = new Set<NodeJS.Timeout>();
  private readonly streams: readonly MarkedStream[];
  private over!: (end: ChannelEnd) => void;

  constructor(
    private readonly channel: CommandChannel,
    private readonly request: ExecRequest,
    private readonly sink: ExecSink,
    beatIntervalMs: number,
  ) {
    const stdout = new MarkedStream((chunk) => sink.stdout(chunk), () => undefined);
    const stderr = new MarkedStream((chunk) => sink.stderr(chunk), (mark) => this.noteMark(mark));
    this.streams = [stdout, stderr];
    channel.onStdout((chunk) => this.guard(() => stdout.write(chunk)));
    channel.onStderr((chunk) => this.guard(() => stderr.write(chunk)));
    this.ended = new Promise((resolve) => {
      this.over = (end) => resolve(this.end(end));
    });
    channel.onEnd((end) => this.over(end));
    channel.write(supervisedInput(request));
    this.timers.add(setInterval(() => channel.write('\n'), beatIntervalMs));
    this.after(request.timeoutMs, () => this.stop('timeout'));
    request.signal?.addEventListener('abort', this.onAbort, { once: true });
    // Opening the channel took its time; a cancellation in the meantime tells nobody.
    if (request.signal?.aborted) this.onAbort();
  }

  private readonly onAbort = (): void => this.stop('cancelled');

  private noteMark(mark: SupervisorMark): void {
    if ('error' in mark) this.startError = mark.error;
    else {
      this.processGroupId = mark.processGroupId;
      this.sink.started?.(mark.processGroupId);
    }
  }

  /** A sink that cannot take more (a full disk) ends the command; it must not end this program. */
  private guard(pass: () => void): void {
    if (this.failure !== undefined || this.isOver) return;
    try {
      pass();
    } catch (error) {
      this.failure = error;
      this.stop('cancelled');
    }
  }

  private after(delayMs: number, action: () => void): void {
    this.timers.add(setTimeout(action, delayMs));
  }

  private clearTimers(): void {
    for (const timer of this.timers) clearTimeout(timer);
    this.timers.clear();
  }

  private stop(cut: NonNullable<ExecEnd['cut']>): void {
    if (this.cut !== undefined || this.isOver) return;
    this.cut = cut;
    this.clearTimers();
    this.channel.endInput();
    this.after(END_TIMEOUT_MS, () => this.channel.destroy());
    this.after(END_TIMEOUT_MS + CLOSE_TIMEOUT_MS, () => this.over({ code: null }));
  }

  private end({ code, signal }: ChannelEnd): CommandEnd {
    this.clearTimers();
    this.request.signal?.removeEventListener('abort', this.onAbort);
    for (const stream of this.streams) this.guard(() => stream.flush());
    this.isOver = true;
    this.hasStatus = code !== null;
    const failure = this.failure === undefined ? {} : { failure: this.failure };
    if (this.cut !== undefined) return { exitCode: null, cut: this.cut, ...failure };
    return { exitCode: code, ...(signal === undefined ? {} : { signal }), ...failure };
  }
}
