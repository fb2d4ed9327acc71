import { execFileSync } from 'node:child_process';
import { type AddressInfo, createServer } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ExecRequest } from '../contract';
import { LocalTransport } from './transport';

/** A duration that no other process sleeps, so that a left process is found. */
let count = 0;
const uniqueSleep = (): string => `87${process.pid}.${++count}`;
const processesWith = (mark: string): string[] => execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' }).split('\n').filter((line) => line.includes(mark));

describe.skipIf(process.platform !== 'linux')('commands on the machine itself', () => {
  let transport: LocalTransport;
  beforeEach(() => {
    transport = new LocalTransport();
  });
  afterEach(() => transport.close());

  async function run(request: Partial<ExecRequest> & { argv: string[] }, started?: () => void) {
    const [stdout, stderr]: [Buffer[], Buffer[]] = [[], []];
    const end = await transport.exec(
      { timeoutMs: 20_000, ...request },
      { stdout: (chunk) => stdout.push(Buffer.from(chunk)), stderr: (chunk) => stderr.push(Buffer.from(chunk)), ...(started ? { started } : {}) },
    );
    return { end, stdout: Buffer.concat(stdout).toString(), stderr: Buffer.concat(stderr).toString() };
  }

  it('give both streams, environment, exit code and nothing else', async () => {
    const result = await run({ argv: ['sh', '-c', 'echo "$A"; echo err >&2; exit 7'], env: { A: `it's $B` } });
    expect(result).toMatchObject({ stdout: `it's $B\n`, stderr: 'err\n', end: { exitCode: 7, remoteProcesses: 'ended' } });
  });

  it('get their input to the byte, and its end', async () => {
    const stdin = 'one\n\n  two é\n\n';
    expect((await run({ argv: ['cat'], stdin })).stdout).toBe(stdin);
    expect((await run({ argv: ['cat'] })).stdout).toBe('');
  });

  it('are ended with their children at the deadline, without a word of the shells', async () => {
    const seconds = uniqueSleep();
    const result = await run({ argv: ['sh', '-c', `sleep ${seconds} & sleep ${seconds}`], timeoutMs: 300 });
    expect(result).toMatchObject({ stdout: '', stderr: '', end: { exitCode: null, cut: 'timeout', remoteProcesses: 'ended' } });
    expect(processesWith(seconds)).toEqual([]);
  });

  it('are ended however early they are cancelled', async () => {
    const seconds = uniqueSleep();
    for (let round = 0; round < 10; round++) {
      const cancel = new AbortController();
      const running = run({ argv: ['sleep', seconds], signal: cancel.signal });
      setTimeout(() => cancel.abort(), round * 3);
      expect((await running).end).toMatchObject({ cut: 'cancelled', remoteProcesses: 'ended' });
    }
    expect(processesWith(seconds)).toEqual([]);
  });

  it('are ended when they do not listen to TERM', async () => {
    const seconds = uniqueSleep();
    const cancel = new AbortController();
    const result = await run({ argv: ['sh', '-c', `trap "" TERM; sleep ${seconds}; sleep ${seconds}`], signal: cancel.signal }, () => cancel.abort());
    expect(result.end).toMatchObject({ cut: 'cancelled', remoteProcesses: 'ended' });
    expect(processesWith(seconds)).toEqual([]);
  });

  it('say that a program does not exist', async () => {
    const result = await run({ argv: ['no-such-program-here'] });
    expect(result).toMatchObject({ end: { exitCode: 127 }, stderr: expect.stringMatching(/no-such-program-here: not found/) });
  });

  it('reach a TCP service, and say when there is none', async () => {
    const server = createServer((socket) => socket.end('hello'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const socket = await transport.openTcp('127.0.0.1', port);
    const chunks: Buffer[] = [];
    for await (const chunk of socket) chunks.push(chunk as Buffer);
    expect(Buffer.concat(chunks).toString()).toBe('hello');
    await new Promise((resolve) => server.close(resolve));
    await expect(transport.openTcp('127.0.0.1', port)).rejects.toMatchObject({ code: 'unreachable' });
  });
});
