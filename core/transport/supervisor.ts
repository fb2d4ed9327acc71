import { loginShellLine, quoteCommand } from './shell-quote';
import script from './supervisor.sh';

/** The machine ends a command by itself this long after the deadline, for the case that nobody is left to do it. */
const MARGIN_SECONDS = 30;

/** So many signs of life may be missed. */
const MISSED_BEATS = 8;

/** Behind the command's input: tells a whole one from one that was cut on its way. */
const INPUT_END = 'gpu-acceptance-input-ends';

export interface SupervisedCommand {
  argv: readonly string[];
  env?: Readonly<Record<string, string>>;
  stdin?: string;
  timeoutMs: number;
}

/** What the supervisor must read on its standard input before it starts the command. */
export const supervisedInput = ({ stdin }: SupervisedCommand): string => `${stdin ?? ''}${INPUT_END}`;

/** `sh -c SCRIPT NAME ARGUMENT…`; values are arguments, never part of the script. `beatIntervalMs`: how often somebody says that they are there. */
export function supervisedArgv(command: SupervisedCommand, beatIntervalMs: number): string[] {
  const { argv, env, timeoutMs } = command;
  const assignments = Object.entries(env ?? {}).map(([name, value]) => `${name}=${value}`);
  const inputBytes = Buffer.byteLength(supervisedInput(command));
  const lifeSeconds = Math.ceil(timeoutMs / 1000) + MARGIN_SECONDS;
  const silenceSeconds = Math.ceil((beatIntervalMs * MISSED_BEATS) / 1000);
  return ['sh', '-c', script, 'gpu-acceptance', ...[inputBytes, lifeSeconds, silenceSeconds].map(String), ...(assignments.length > 0 ? ['env', ...assignments] : []), ...argv];
}

/** The same as one line for a login shell of any kind. */
export const supervisedLine = (command: SupervisedCommand, beatIntervalMs: number): string => loginShellLine(`exec ${quoteCommand(supervisedArgv(command, beatIntervalMs))}`);

/** Exits with 0 when the process group in `$1` is gone; ends it by force before it gives up. */
export const PROVE_ENDED = 'kill -0 -"$1" 2>/dev/null || exit 0; kill -KILL -"$1" 2>/dev/null; i=0; while [ $i -lt 20 ]; do kill -0 -"$1" 2>/dev/null || exit 0; sleep 0.1; i=$((i + 1)); done; exit 1';

const MARK = /gpu-acceptance-(pgid|error)=(\S+)\n/;
const LONGEST_PREAMBLE = 64 * 1024;

/** What the supervisor said of itself on a stream. */
export type SupervisorMark = { processGroupId: number } | { error: string };

/**
 * Takes the supervisor's mark out of a stream, with everything before it: that is the login shell's (greetings of a start-up
 * file, say). When no mark comes, everything was the login shell's, and passes as the only explanation that there is.
 */
export class MarkedStream {
  private held: Buffer | undefined = Buffer.alloc(0);

  constructor(
    private readonly pass: (chunk: Uint8Array) => void,
    private readonly found: (mark: SupervisorMark) => void,
  ) {}

  write(chunk: Uint8Array): void {
    if (this.held === undefined) return this.pass(chunk);
    this.held = Buffer.concat([this.held, chunk]);
    // latin1 keeps one character a byte, so that the position in the text is the position in the bytes.
    const match = MARK.exec(this.held.toString('latin1'));
    if (!match) return this.held.length > LONGEST_PREAMBLE ? this.flush() : undefined;
    const rest = this.held.subarray(match.index + match[0].length);
    this.held = undefined;
    this.found(match[1] === 'error' ? { error: match[2]! } : { processGroupId: Number(match[2]) });
    return rest.length > 0 ? this.pass(rest) : undefined;
  }

  /** At the end of the stream. */
  flush(): void {
    const held = this.held;
    this.held = undefined;
    if (held !== undefined && held.length > 0) this.pass(held);
  }
}
