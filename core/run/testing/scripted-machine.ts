import { Duplex } from 'node:stream';
import { type ExecEnd, type ExecRequest, type ExecSink, type Transport, TransportError } from '../../transport/contract';

export interface ScriptedCommand {
  stdout?: string;
  stderr?: string;
  exitCode?: number;
  /** Ends only when it is cancelled, times out, or the connection is lost. */
  runsOn?: boolean;
  /** Called when the command has started. */
  onStart?: () => void;
}

const CAPABILITIES = ['@capabilities 1', '@fact root yes', '@tool nvidia-smi /usr/bin/nvidia-smi', '@tool dcgmi /usr/bin/dcgmi', '@begin dcgmi-version', 'dcgmi  version: 4.2.3', '@end dcgmi-version 0', '@done', ''].join('\n');

/** A machine that answers from a script, keyed by the words that a command line begins with (`dcgmi diag`). */
export class ScriptedMachine implements Transport {
  readonly kind = 'scripted';
  readonly hostKeyFingerprint = 'SHA256:0000000000000000000000000000000000000000000';
  readonly started: string[] = [];
  closed = false;
  private reportLost: (error: TransportError) => void = () => undefined;
  readonly lost = new Promise<TransportError>((resolve) => {
    this.reportLost = resolve;
  });
  private readonly cable = new AbortController();

  constructor(
    private readonly commands: Record<string, ScriptedCommand>,
    /** Bodies of HTTP answers, one a connection; the last is repeated. */
    private readonly pages: string[] = [],
  ) {}

  pullCable(): void {
    this.cable.abort();
    this.reportLost(new TransportError('connection-lost', 'The connection to the test machine was lost.', 'Plug the cable in.'));
  }

  async exec({ argv, stdin, signal }: ExecRequest, sink: ExecSink): Promise<ExecEnd> {
    const line = [argv[0]!.split('/').at(-1), ...argv.slice(1)].join(' ');
    const name = Object.keys(this.commands).find((words) => line.startsWith(words));
    const command: ScriptedCommand = name === undefined ? (stdin === undefined ? { exitCode: 127, stderr: `${line}: not found\n` } : { stdout: CAPABILITIES }) : this.commands[name]!;
    this.started.push(line);
    if (command.stdout !== undefined) sink.stdout(Buffer.from(command.stdout));
    if (command.stderr !== undefined) sink.stderr(Buffer.from(command.stderr));
    command.onStart?.();
    if (!command.runsOn) return { exitCode: command.exitCode ?? 0, remoteProcesses: 'ended', durationMs: 1 };
    await aborted(AbortSignal.any([this.cable.signal, ...(signal ? [signal] : [])]));
    if (this.cable.signal.aborted) return { exitCode: null, cut: 'connection-lost', remoteProcesses: 'unknown', durationMs: 1 };
    return { exitCode: null, cut: 'cancelled', remoteProcesses: 'ended', durationMs: 1 };
  }

  async openTcp(host: string, port: number): Promise<Duplex> {
    const body = this.pages.length > 1 ? this.pages.shift() : this.pages[0];
    if (body === undefined) throw new TransportError('unreachable', `Nothing listens on ${host}:${port}.`, 'Start the service.');
    const answer = `HTTP/1.1 200 OK\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`;
    const connection = new Duplex({
      read: () => undefined,
      write(_chunk, _encoding, done) {
        done();
        connection.push(answer);
        connection.push(null);
      },
    });
    return connection;
  }

  async close(): Promise<void> {
    this.closed = true;
  }
}

const aborted = (signal: AbortSignal): Promise<void> => new Promise((resolve) => (signal.aborted ? resolve() : signal.addEventListener('abort', () => resolve(), { once: true })));
