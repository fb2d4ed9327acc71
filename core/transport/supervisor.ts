import { quoteArgument, quoteCommand } from './shell-quote';
import script from './supervisor.sh';

/** The machine ends a command by itself this long after the deadline, for the case that nobody is left to do it. */
const MARGIN_SECONDS = 30;

export interface SupervisedCommand {
  argv: readonly string[];
  env?: Readonly<Record<string, string>>;
  stdin?: string;
  timeoutMs: number;
}

/** The arguments behind `sh -c SCRIPT NAME`. Values are arguments, never part of the script. */
function supervisorArguments({ argv, env, stdin, timeoutMs }: SupervisedCommand): string[] {
  const assignments = Object.entries(env ?? {}).map(([name, value]) => `${name}=${value}`);
  const command = assignments.length > 0 ? ['env', ...assignments, ...argv] : [...argv];
  const lifeSeconds = Math.ceil(timeoutMs / 1000) + MARGIN_SECONDS;
  return [String(Buffer.byteLength(stdin ?? '')), String(lifeSeconds), ...command];
}

/** The supervised command as one line for a login shell of any kind. */
export function supervisedLine(command: SupervisedCommand): string {
  return `exec sh -c ${quoteArgument(script)} gpu-acceptance ${quoteCommand(supervisorArguments(command))}`;
}

/** The same for a local process, without a login shell. */
export function supervisedArgv(command: SupervisedCommand): string[] {
  return ['sh', '-c', script, 'gpu-acceptance', ...supervisorArguments(command)];
}

const MARKER = /gpu-acceptance-(pgid|error)=(\S+)\n/;
const LONGEST_PREAMBLE = 16 * 1024;

/** Takes the supervisor's own line out of standard error; everything else passes unchanged. */
export class SupervisorStderr {
  private held: Buffer | undefined = Buffer.alloc(0);
  processGroupId: number | undefined;
  /** The supervisor could not start the command. */
  error: string | undefined;

  constructor(
    private readonly pass: (chunk: Uint8Array) => void,
    private readonly started: (processGroupId: number) => void,
  ) {}

  write(chunk: Uint8Array): void {
    if (this.held === undefined) return this.pass(chunk);
    this.held = Buffer.concat([this.held, chunk]);
    // latin1 keeps one character a byte, so that the position in the text is the position in the bytes.
    const match = MARKER.exec(this.held.toString('latin1'));
    if (!match) {
      if (this.held.length > LONGEST_PREAMBLE) this.flush();
      return undefined;
    }
    const rest = Buffer.concat([this.held.subarray(0, match.index), this.held.subarray(match.index + match[0].length)]);
    this.held = undefined;
    if (match[1] === 'error') this.error = match[2];
    else this.started((this.processGroupId = Number(match[2])));
    if (rest.length > 0) this.pass(rest);
    return undefined;
  }

  flush(): void {
    if (this.held === undefined) return;
    const held = this.held;
    this.held = undefined;
    if (held.length > 0) this.pass(held);
  }
}
