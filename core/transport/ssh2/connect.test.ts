import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import ssh2, { type ServerChannel } from 'ssh2';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { ExecSink, SshPrompts, Transport } from '../contract';
import { type HostScript, ScriptedHost } from '../testing/scripted-host';
import { connectSsh2, type Ssh2Options } from './connect';

const PASSWORD = 'correct horse';
const nothing: ExecSink = { stdout: () => undefined, stderr: () => undefined };

function answer(channel: ServerChannel, stderr: string, exitCode: number): void {
  if (stderr !== '') channel.stderr.write(stderr);
  channel.exit(exitCode);
  channel.end();
}

describe('connecting by ssh2', () => {
  let folder: string;
  let host: ScriptedHost | undefined;
  let transport: Transport | undefined;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'ssh2-connect-'));
  });
  afterEach(async () => {
    await transport?.close();
    await host?.stop();
    host = transport = undefined;
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const knownHosts = (): string => join(folder, 'known_hosts');
  const prompts = (over: Partial<SshPrompts> = {}): SshPrompts => ({ acceptFirstSeenKey: async () => true, password: async () => PASSWORD, ...over });
  async function connect(script: HostScript, over: Partial<SshPrompts> = {}, options: Ssh2Options = {}, endpoint: object = {}): Promise<Transport> {
    host = await ScriptedHost.start(script);
    return (transport = await connectSsh2({ ...host.endpoint, ...endpoint }, prompts(over), { knownHostsFiles: [knownHosts()], ...options }));
  }

  it('logs in by password', async () => {
    await connect({ authenticate: (context) => (context.method === 'password' && context.password === PASSWORD ? context.accept() : context.reject(['password'])) });
    expect(transport?.hostKeyFingerprint).toMatch(/^SHA256:/);
  });

  it('answers the one hidden question of a keyboard-interactive login with the password', async () => {
    await connect({
      authenticate: (context) => {
        if (context.method !== 'keyboard-interactive') return context.reject(['keyboard-interactive']);
        context.prompt([{ prompt: 'Password: ', echo: false }], (answers) => (answers[0] === PASSWORD ? context.accept() : context.reject()));
      },
    });
  });

  it('never answers a question that is not for the password', async () => {
    const given: string[][] = [];
    const connecting = connect({
      authenticate: (context) => {
        if (context.method !== 'keyboard-interactive') return context.reject(['keyboard-interactive']);
        context.prompt([{ prompt: 'Password: ', echo: false }, { prompt: 'Code: ', echo: true }], (answers) => {
          given.push([...answers]);
          context.reject();
        });
      },
    });
    await expect(connecting).rejects.toMatchObject({ code: 'authentication-failed' });
    expect(given.flat().filter((answer) => answer !== '')).toEqual([]);
  });

  it('says that a login was refused, and what to check', async () => {
    const refused: string[] = [];
    await expect(connect({ authenticate: (context) => context.reject(['publickey']) }, { refused: async (secret) => void refused.push(secret) })).rejects.toMatchObject({ code: 'authentication-failed', nextStep: expect.stringMatching(/user, key/) });
    expect(refused).toEqual(['password']);
  });

  it('asks for the passphrase of a protected key, and says when it is wrong', async () => {
    const { private: privateKey } = ssh2.utils.generateKeyPairSync('ed25519', { passphrase: 'open sesame', cipher: 'aes256-ctr', rounds: 2 });
    const identityFile = join(folder, 'id_protected');
    writeFileSync(identityFile, privateKey, { mode: 0o600 });
    const asked: string[] = [];
    const passphrase = (answer: string) => async (file: string) => {
      asked.push(file);
      return answer;
    };
    const key = { authentication: 'key', identityFile };
    await connect({ authenticate: (context) => (context.method === 'publickey' ? context.accept() : context.reject(['publickey'])) }, { passphrase: passphrase('open sesame') }, {}, key);
    expect(asked).toEqual([identityFile]);
    await expect(connectSsh2({ ...host!.endpoint, authentication: 'key', identityFile }, prompts({ passphrase: passphrase('nope'), refused: async (secret) => void asked.push(secret) }), { knownHostsFiles: [knownHosts()] })).rejects.toMatchObject({ code: 'authentication-failed', message: expect.stringContaining('passphrase') });
    expect(asked).toEqual([identityFile, identityFile, 'passphrase']);
    await expect(connectSsh2({ ...host!.endpoint, authentication: 'key', identityFile }, prompts(), { knownHostsFiles: [knownHosts()] })).rejects.toMatchObject({ code: 'cancelled' });
  });

  it('does not count the time in which a person compares the fingerprint', async () => {
    const handshakeTimeoutMs = 400;
    const thinking = new Promise<boolean>((resolve) => setTimeout(() => resolve(true), handshakeTimeoutMs * 2));
    await connect({}, { acceptFirstSeenKey: () => thinking }, { handshakeTimeoutMs });
    expect(readFileSync(knownHosts(), 'utf8')).toContain(`[127.0.0.1]:${host!.endpoint.port} ssh-rsa `);
  });

  it('asks once for a first seen key, however often the connection renews its keys', async () => {
    const asked: string[] = [];
    const acceptFirstSeenKey = async ({ fingerprint }: { fingerprint: string }) => asked.push(fingerprint) > 0;
    await connect({ exec: (channel) => answer(channel, 'gpu-acceptance-pgid=77\n', 0) }, { acceptFirstSeenKey });
    await host!.renewKeys();
    expect(await transport!.exec({ argv: ['true'], timeoutMs: 10_000 }, nothing)).toMatchObject({ exitCode: 0 });
    expect(asked).toEqual([transport!.hostKeyFingerprint]);
  });

  it('says why an accepted key cannot be remembered', async () => {
    const file = join(folder, 'dangling');
    symlinkSync(join(folder, 'gone', 'known_hosts'), file);
    await expect(connect({}, {}, { knownHostsFiles: [file] })).rejects.toMatchObject({ code: 'host-key-unknown', message: expect.stringContaining('cannot be remembered'), nextStep: expect.stringContaining(file) });
  });

  it('gives up a server that says nothing', async () => {
    const silent = createServer((socket) => socket.resume());
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const { port } = silent.address() as AddressInfo;
    const connecting = connectSsh2({ host: '127.0.0.1', port, user: 'ada', authentication: 'password' }, prompts(), { knownHostsFiles: [knownHosts()], handshakeTimeoutMs: 200 });
    await expect(connecting).rejects.toMatchObject({ code: 'timeout' });
    // Resolves only when the client has closed its socket.
    await new Promise((resolve) => silent.close(resolve));
  });

  it('can be cancelled while a person is asked', async () => {
    const cancel = new AbortController();
    const forever = new Promise<never>(() => undefined);
    const password = async () => {
      cancel.abort();
      return forever;
    };
    await expect(connect({}, { password }, { signal: cancel.signal })).rejects.toMatchObject({ code: 'cancelled' });
  });

  it('refuses a key file of a kind that it cannot use', async () => {
    const identityFile = join(folder, 'id_odd');
    writeFileSync(identityFile, generateKeyPairSync('x25519').privateKey.export({ type: 'pkcs8', format: 'pem' }));
    await expect(connect({}, {}, {}, { authentication: 'key', identityFile })).rejects.toMatchObject({ code: 'unsupported' });
  });

  it('cancels a command whose session is still being opened', async () => {
    const cancel = new AbortController();
    await connect({
      exec: (channel) => {
        // Here the client does not know yet that its session was accepted.
        cancel.abort();
        channel.on('end', () => answer(channel, 'gpu-acceptance-pgid=77\n', 143)).resume();
      },
    });
    expect(await transport!.exec({ argv: ['sleep', '60'], timeoutMs: 10_000, signal: cancel.signal }, nothing)).toMatchObject({ exitCode: null, cut: 'cancelled' });
  });

  it('tries again while the server has no free session', async () => {
    await connect({ busySessions: 2, exec: (channel) => answer(channel, 'gpu-acceptance-pgid=77\n', 0) });
    const end = await transport!.exec({ argv: ['true'], timeoutMs: 10_000 }, nothing);
    expect(end).toMatchObject({ exitCode: 0, remoteProcesses: 'ended' });
    expect(host!.refusedSessions).toBe(2);
  });

  it('says when the account may not run commands', async () => {
    await connect({ exec: (channel) => answer(channel, 'This account is closed.\n', 1) });
    const said: string[] = [];
    const end = await transport!.exec({ argv: ['true'], timeoutMs: 10_000 }, { ...nothing, stderr: (chunk) => said.push(Buffer.from(chunk).toString()) });
    expect({ ...end, said: said.join('') }).toMatchObject({ exitCode: 1, remoteProcesses: 'ended', said: 'This account is closed.\n' });
  });

  it('takes a session that ends without a status for a lost one', async () => {
    await connect({ exec: (channel) => channel.end() });
    expect(await transport!.exec({ argv: ['true'], timeoutMs: 10_000 }, nothing)).toMatchObject({ exitCode: null, cut: 'connection-lost', remoteProcesses: 'unknown' });
  });

  it('ends the command, not this program, when the output cannot be kept', async () => {
    const full = new Error('no space left on device');
    await connect({
      exec: (channel) => {
        channel.stderr.write('gpu-acceptance-pgid=77\n');
        channel.write('gpu-acceptance-pgid=77\nmore than fits\n');
        channel.on('end', () => answer(channel, '', 143)).resume();
      },
    });
    const stdout = (): void => {
      throw full;
    };
    await expect(transport!.exec({ argv: ['true'], timeoutMs: 10_000 }, { ...nothing, stdout })).rejects.toBe(full);
  });
});
