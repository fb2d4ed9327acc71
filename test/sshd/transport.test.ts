import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type ExecRequest, type SshPrompts, type Transport, TransportError } from '../../core/transport/contract';
import { connectSsh2 } from '../../core/transport/ssh2/connect';
import { Cable, processesWith, Sshd, SSHD_MISSING, waitFor } from './sshd';

const nobody: SshPrompts = { acceptFirstSeenKey: () => Promise.reject(new Error('nobody may be asked')) };
let mark = 0;
/** A duration that no other process sleeps, so that a left process is found. */
const uniqueSleep = (): string => `86${process.pid}.${++mark}`;

describe.skipIf(SSHD_MISSING)('ssh2 transport against a real sshd', () => {
  let sshd: Sshd;
  beforeAll(async () => {
    sshd = await Sshd.start();
  });
  afterAll(() => sshd.dispose());
  beforeEach(() => sshd.trust());

  const open = (port = sshd.port, prompts = nobody): Promise<Transport> =>
    connectSsh2({ ...sshd.endpoint, port }, prompts, { knownHostsFiles: [sshd.knownHostsFile], keepaliveIntervalMs: 500 });

  async function run(transport: Transport, request: Partial<ExecRequest> & { argv: string[] }, started?: (pgid: number) => void) {
    const [stdout, stderr]: [Buffer[], Buffer[]] = [[], []];
    const end = await transport.exec(
      { timeoutMs: 20_000, ...request },
      { stdout: (chunk) => stdout.push(Buffer.from(chunk)), stderr: (chunk) => stderr.push(Buffer.from(chunk)), ...(started ? { started } : {}) },
    );
    return { end, stdout: Buffer.concat(stdout).toString(), stderr: Buffer.concat(stderr).toString() };
  }

  it('gives both streams, the exit code and nothing of its own', async () => {
    const transport = await open();
    const result = await run(transport, { argv: ['sh', '-c', 'echo out; echo err >&2; exit 7'] });
    expect(result).toMatchObject({ stdout: 'out\n', stderr: 'err\n', end: { exitCode: 7, remoteProcesses: 'ended' } });
    await transport.close();
  });

  it('passes arguments, environment and input as they are', async () => {
    const transport = await open();
    const nasty = `a 'b' "c" $HOME \`id\` \\ ; rm -rf / & | > < * ? # ~ é\n`;
    const args = await run(transport, { argv: ['printf', '%s', nasty] });
    expect(args.stdout).toBe(nasty);
    const env = await run(transport, { argv: ['sh', '-c', 'printf %s "$NCCL_DEBUG"'], env: { NCCL_DEBUG: `IN'FO $x` } });
    expect(env.stdout).toBe(`IN'FO $x`);
    const stdin = await run(transport, { argv: ['sh', '-s', 'one'], stdin: 'echo "$1"\necho two\n' });
    expect(stdin.stdout).toBe('one\ntwo\n');
    await transport.close();
  });

  it('reads a flood on standard error without stopping', async () => {
    const transport = await open();
    const result = await run(transport, { argv: ['sh', '-c', 'head -c 8000000 /dev/zero >&2; head -c 8000000 /dev/zero'] });
    expect([result.stdout.length, result.stderr.length, result.end.exitCode]).toEqual([8_000_000, 8_000_000, 0]);
    await transport.close();
  });

  it('starts more commands than the server has sessions', async () => {
    const transport = await open();
    const results = await Promise.all(Array.from({ length: 16 }, (_, index) => run(transport, { argv: ['echo', String(index)] })));
    expect(results.map(({ stdout }) => stdout)).toEqual(results.map((_, index) => `${index}\n`));
    await transport.close();
  });

  it('ends the whole process group at the deadline', async () => {
    const transport = await open();
    const seconds = uniqueSleep();
    const result = await run(transport, { argv: ['sh', '-c', `sleep ${seconds} & sleep ${seconds}`], timeoutMs: 700 });
    expect(result.end).toMatchObject({ exitCode: null, cut: 'timeout', remoteProcesses: 'ended' });
    expect(processesWith(seconds)).toEqual([]);
    await transport.close();
  });

  it('ends it on cancel, even when it does not listen to TERM', async () => {
    const transport = await open();
    const seconds = uniqueSleep();
    const cancel = new AbortController();
    const result = await run(transport, { argv: ['sh', '-c', `trap "" TERM; sleep ${seconds}; sleep ${seconds}`], signal: cancel.signal }, () => cancel.abort());
    expect(result.end).toMatchObject({ cut: 'cancelled', remoteProcesses: 'ended' });
    await waitFor(() => processesWith(seconds).length === 0, 'the command is gone');
    await transport.close();
  });

  it('leaves nothing behind when a command leaves children in the background', async () => {
    const transport = await open();
    const seconds = uniqueSleep();
    const result = await run(transport, { argv: ['sh', '-c', `sleep ${seconds} & echo done`] });
    expect(result).toMatchObject({ stdout: 'done\n', end: { exitCode: 0, remoteProcesses: 'ended' } });
    expect(processesWith(seconds)).toEqual([]);
    await transport.close();
  });

  it('says when the cable is pulled, and the machine ends the command by itself', async () => {
    const cable = await Cable.plug(sshd.port);
    sshd.trust(cable.port);
    const transport = await open(cable.port);
    const seconds = uniqueSleep();
    const result = await run(transport, { argv: ['sleep', seconds] }, () => cable.pull());
    expect(result.end).toMatchObject({ exitCode: null, cut: 'connection-lost', remoteProcesses: 'unknown' });
    expect((await transport.lost).code).toBe('connection-lost');
    await waitFor(() => processesWith(seconds).length === 0, 'the command is gone');
    await transport.close();
    await cable.dispose();
  });

  it('ends the command on a machine that never learns that the connection is gone', async () => {
    const cable = await Cable.plug(sshd.port);
    sshd.trust(cable.port);
    const transport = await open(cable.port);
    const seconds = uniqueSleep();
    const result = await run(transport, { argv: ['sleep', seconds] }, () => cable.freeze());
    expect(result.end).toMatchObject({ exitCode: null, cut: 'connection-lost', remoteProcesses: 'unknown' });
    // The session still stands, so only the missing signs of life can have ended it.
    expect(processesWith(seconds)).not.toEqual([]);
    await waitFor(() => processesWith(seconds).length === 0, 'the command is gone');
    await transport.close();
    await cable.dispose();
  });

  it('leaves no helper of its own on the machine', async () => {
    const transport = await open();
    const mark = `done-${uniqueSleep()}`;
    for (let index = 0; index < 3; index++) await run(transport, { argv: ['echo', mark] });
    expect(processesWith(mark)).toEqual([]);
    await transport.close();
  });

  it('cancels a command whose session is still being opened', async () => {
    const transport = await open();
    const cancel = new AbortController();
    const seconds = uniqueSleep();
    const running = run(transport, { argv: ['sleep', seconds], signal: cancel.signal });
    // The request is on its way; its answer cannot have come within this turn of the event loop.
    queueMicrotask(() => cancel.abort());
    expect((await running).end).toMatchObject({ exitCode: null, cut: 'cancelled', remoteProcesses: 'ended' });
    expect(processesWith(seconds)).toEqual([]);
    await transport.close();
  });

  it('asks for a host seen for the first time, remembers it, and does not ask again', async () => {
    writeFileSync(sshd.knownHostsFile, '');
    const refused = open(sshd.port, { acceptFirstSeenKey: async () => false });
    await expect(refused).rejects.toMatchObject({ code: 'host-key-unknown' });
    expect(readFileSync(sshd.knownHostsFile, 'utf8')).toBe('');
    const asked: string[] = [];
    const first = await open(sshd.port, { acceptFirstSeenKey: async ({ fingerprint }) => asked.push(fingerprint) > 0 });
    expect(asked).toEqual([first.hostKeyFingerprint]);
    await first.close();
    await (await open()).close();
  });

  it('refuses a changed key without asking', async () => {
    await sshd.stop();
    sshd.newHostKey();
    await sshd.listen();
    const error = (await open().catch((caught: unknown) => caught)) as TransportError;
    expect(error).toBeInstanceOf(TransportError);
    expect(error.code).toBe('host-key-changed');
    expect(error.message).toContain(`${sshd.knownHostsFile}:1`);
    expect(error.nextStep).toContain('ssh-keygen -R');
  });

  it('says what is wrong with a login, a port and a missing key file', async () => {
    const attempt = (over: object) => connectSsh2({ ...sshd.endpoint, ...over }, nobody, { knownHostsFiles: [sshd.knownHostsFile] });
    await expect(attempt({ user: 'nobody-at-all' })).rejects.toMatchObject({ code: 'authentication-failed' });
    await expect(attempt({ port: 1 })).rejects.toMatchObject({ code: 'unreachable' });
    await expect(attempt({ identityFile: '/nowhere/key' })).rejects.toMatchObject({ code: 'authentication-failed' });
  });
});
