import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';

export const ROOT = join(import.meta.dirname, '..', '..');
const PROGRAM = join(ROOT, 'dist', 'cli.js');

export interface CommandLineEnd {
  /** Null when a signal ended it. */
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface RunningCommandLine {
  process: ChildProcess;
  /** Everything that it wrote to standard error so far. */
  stderr(): string;
  ended: Promise<CommandLineEnd>;
}

/** The built command line as its users call it. */
export function startCommandLine(...args: string[]): RunningCommandLine {
  const child = spawn(process.execPath, [PROGRAM, ...args], { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] });
  const said = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (said.stdout += chunk));
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (said.stderr += chunk));
  const ended = new Promise<CommandLineEnd>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, ...said }));
  });
  return { process: child, stderr: () => said.stderr, ended };
}

export const commandLine = (...args: string[]): Promise<CommandLineEnd> => startCommandLine(...args).ended;
