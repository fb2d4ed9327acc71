import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import ssh2, { type ParsedKey } from 'ssh2';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ScriptedHost } from '../testing/scripted-host';
import { connectSsh2 } from './connect';

const newKey = (): ParsedKey => ssh2.utils.parseKey(ssh2.utils.generateKeyPairSync('ed25519').private) as ParsedKey;

/** An agent that holds keys and refuses to sign with some, as one does whose user says no. */
function startAgent(path: string, keys: readonly ParsedKey[], refused: readonly ParsedKey[]): Promise<Server> {
  const server = createServer((socket) => {
    const agent = new ssh2.AgentProtocol(false);
    agent.on('identities', (request) => agent.getIdentitiesReply(request, [...keys]));
    agent.on('sign', (request, wanted, data) => {
      const key = keys.find((candidate) => candidate.getPublicSSH().equals(wanted.getPublicSSH()))!;
      if (refused.includes(key)) agent.failureReply(request);
      else agent.signReply(request, key.sign(data) as Buffer);
    });
    socket.pipe(agent).pipe(socket);
  });
  return new Promise((resolve) => server.listen(path, () => resolve(server)));
}

describe('logging in with an SSH agent', () => {
  let folder: string;
  let host: ScriptedHost;
  let agent: Server | undefined;
  const usual = process.env['SSH_AUTH_SOCK'];
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'agent-'));
    process.env['SSH_AUTH_SOCK'] = join(folder, 'agent.sock');
    host = await ScriptedHost.start({ authenticate: (context) => (context.method === 'publickey' ? context.accept() : context.reject(['publickey'])) });
  });
  afterEach(async () => {
    if (usual === undefined) delete process.env['SSH_AUTH_SOCK'];
    else process.env['SSH_AUTH_SOCK'] = usual;
    await host.stop();
    await new Promise((resolve) => (agent ? agent.close(resolve) : resolve(undefined)));
    agent = undefined;
    rmSync(folder, { recursive: true });
  });

  const connect = () => connectSsh2({ ...host.endpoint, authentication: 'agent' }, { acceptFirstSeenKey: async () => true }, { knownHostsFiles: [join(folder, 'known_hosts')] });

  it('goes on with the next key when the agent refuses one', async () => {
    const keys = [newKey(), newKey()];
    agent = await startAgent(process.env['SSH_AUTH_SOCK']!, keys, [keys[0]!]);
    const transport = await connect();
    expect(transport.hostKeyFingerprint).toMatch(/^SHA256:/);
    await transport.close();
  });

  it('blames the agent when it refuses every key', async () => {
    const keys = [newKey()];
    agent = await startAgent(process.env['SSH_AUTH_SOCK']!, keys, keys);
    await expect(connect()).rejects.toMatchObject({ code: 'authentication-failed', message: expect.stringContaining('the SSH agent failed'), nextStep: expect.stringContaining('agent') });
  });

  it('blames the agent when nobody answers at its address', async () => {
    await expect(connect()).rejects.toMatchObject({ code: 'authentication-failed', nextStep: expect.stringContaining('agent') });
  });
});
