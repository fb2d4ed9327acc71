import { EventEmitter } from 'node:events';
import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { guardExitCode } from './last-resort';

function guarded() {
  const codes: number[] = [];
  const program = Object.assign(new EventEmitter(), { stdout: new PassThrough(), stderr: new PassThrough(), exit: (code: number) => void codes.push(code) });
  guardExitCode(program);
  return { program, codes, said: () => String(program.stderr.read() ?? '') };
}
const systemError = (code: string): Error => Object.assign(new Error(`${code}: write`), { code });

describe('the exit code', () => {
  it('is left alone when a reader goes away', () => {
    const { program, codes, said } = guarded();
    program.stdout.emit('error', systemError('EPIPE'));
    program.stderr.emit('error', systemError('EPIPE'));
    expect([codes, said()]).toEqual([[], '']);
  });

  it.each(['stdout', 'stderr'] as const)('says "could not run" when %s cannot be written', (stream) => {
    const { program, codes, said } = guarded();
    program[stream].emit('error', systemError('ENOSPC'));
    expect([codes, said()]).toEqual([[2], 'gpu-acceptance: ENOSPC: write\n']);
  });

  it('says "could not run" for what nobody caught, without a stack', () => {
    const { program, codes, said } = guarded();
    program.emit('uncaughtException', new Error('the parser broke'));
    expect([codes, said()]).toEqual([[2], 'gpu-acceptance: the parser broke\n']);
  });
});
