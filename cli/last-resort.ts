import type { EventEmitter } from 'node:events';
import type { Writable } from 'node:stream';
import { EXIT_USAGE } from './exit';

/** The part of `process` that is looked after. */
export interface Program extends EventEmitter {
  stdout: Writable;
  stderr: Writable;
  exit(code: number): void;
}

/**
 * Keeps faults of this program and of its surroundings from looking like a verdict: Node ends with 1 for what nobody caught,
 * and 1 says "rejected".
 */
export function guardExitCode(program: Program): void {
  // A reader that went away (`| head`) stops nothing: the verdict is in the exit code and on disk.
  for (const stream of [program.stdout, program.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') giveUp(program, error);
    });
  }
  program.on('uncaughtException', (error: unknown) => giveUp(program, error));
}

function giveUp(program: Program, error: unknown): void {
  program.stderr.write(`gpu-acceptance: ${error instanceof Error ? error.message : String(error)}\n`);
  program.exit(EXIT_USAGE);
}
