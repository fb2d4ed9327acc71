import { describe, expect, it } from 'vitest';
import { type CommandChannel, type CommandHost, execSupervised } from './supervised-exec';

const nothing = { stdout: () => undefined, stderr: () => undefined };

/** A machine whose answer to a new session comes when the test says so. */
function slowMachine() {
  const done: string[] = [];
  const channel: CommandChannel = {
    onStdout: () => undefined,
    onStderr: () => undefined,
    onEnd: () => undefined,
    write: () => void done.push('write'),
    endInput: () => void done.push('endInput'),
    destroy: () => void done.push('destroy'),
  };
  let answer: () => void = () => undefined;
  const opened = new Promise<CommandChannel>((resolve) => (answer = () => resolve(channel)));
  const host: CommandHost = { where: 'gpu-7', beatIntervalMs: 1_000, isAlive: () => true, open: () => opened, proveEnded: async () => true };
  return { host, done, opened, answer: () => answer() };
}

describe('a machine that does not open a session', () => {
  it('holds nobody behind the deadline, and never gets the command', async () => {
    const { host, done, opened, answer } = slowMachine();
    expect(await execSupervised(host, { argv: ['true'], timeoutMs: 20 }, nothing)).toMatchObject({ exitCode: null, cut: 'timeout', remoteProcesses: 'unknown' });
    answer();
    await opened;
    expect(done).toEqual(['endInput']);
  });

  it('is still heard when it only says no', async () => {
    const { host } = slowMachine();
    await expect(execSupervised({ ...host, open: () => Promise.reject(new Error('refused')) }, { argv: ['true'], timeoutMs: 10_000 }, nothing)).rejects.toThrow('refused');
  });
});
