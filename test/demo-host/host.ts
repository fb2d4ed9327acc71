import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { closeSync, fstatSync, openSync, readdirSync, readSync, writeFileSync, writeSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import ssh2, { type Connection, type Server, type ServerChannel } from 'ssh2';
import { MetricsServer } from './metrics-server';
import { Sandbox } from './sandbox';
import { type ScenarioName, SCENARIOS, type Scenario } from './scenarios';

export interface DemoHostOptions {
  /** Root of the source tree, where the tools are built from. */
  root: string;
  scenario: ScenarioName;
  seed?: number;
  speed?: number;
  port?: number;
}

/** What a client needs to connect. */
export interface DemoHostAddress {
  host: string;
  port: number;
  user: string;
  /** Private key that the host lets in. */
  identityFile: string;
  /** A known_hosts file with the host's key. */
  knownHostsFile: string;
  checkpoints: string;
  metricsPort: number;
}

/**
 * A GPU machine to try things on: a real SSH server on loopback whose commands run as real processes with the demo machine's
 * programs first on their PATH. It listens on loopback alone and knows one key.
 */
export class DemoHost {
  private readonly connections = new Set<Connection>();
  private readonly processes = new Set<ChildProcessWithoutNullStreams>();
  private corrupter: NodeJS.Timeout | undefined;

  private constructor(
    private readonly server: Server,
    private readonly sandbox: Sandbox,
    private readonly metrics: MetricsServer,
    readonly address: DemoHostAddress,
  ) {}

  static async start({ root, scenario, seed = 1, speed = 1, port = 0 }: DemoHostOptions): Promise<DemoHost> {
    const sandbox = new Sandbox({ entry: join(root, 'test', 'demo-host', 'tools', 'main.ts') });
    const metrics = new MetricsServer(SCENARIOS[scenario], seed, speed);
    const metricsPort = await metrics.listen();
    const [hostKey, userKey] = [makeKey(), makeKey()];
    const identityFile = join(sandbox.folder, 'id_demo');
    writeFileSync(identityFile, userKey.privateKey, { mode: 0o600 });
    const allowed = ssh2.utils.parseKey(userKey.privateKey);
    if (allowed instanceof Error) throw allowed;
    const server = new ssh2.Server({ hostKeys: [hostKey.privateKey] }, (connection) => host.accept(connection, allowed.getPublicSSH(), sandbox.environment(scenario, seed, speed)));
    const listening = await new Promise<number>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, '127.0.0.1', () => resolve((server.address() as { port: number }).port));
    });
    const knownHostsFile = join(sandbox.folder, 'known_hosts');
    writeFileSync(knownHostsFile, `[127.0.0.1]:${listening} ${hostKey.publicKey}\n`);
    const host: DemoHost = new DemoHost(server, sandbox, metrics, { host: '127.0.0.1', port: listening, user: 'demo', identityFile, knownHostsFile, checkpoints: sandbox.checkpoints, metricsPort });
    host.applyFaults(SCENARIOS[scenario]);
    return host;
  }

  /** Storage that gives back other bytes: a byte of each checkpoint flips soon after it was written. */
  private applyFaults({ corruptCheckpoint }: Scenario): void {
    if (!corruptCheckpoint) return;
    const { checkpoints } = this.sandbox;
    this.corrupter = setInterval(() => {
      for (const entry of readdirSync(checkpoints, { recursive: true, withFileTypes: true })) {
        if (entry.isFile()) flipByte(join(entry.parentPath, entry.name));
      }
    }, 20);
    this.corrupter.unref();
  }

  private accept(connection: Connection, allowedKey: Buffer, environment: Record<string, string>): void {
    this.connections.add(connection);
    connection.on('error', () => undefined);
    connection.on('close', () => this.connections.delete(connection));
    connection.on('authentication', (context) => {
      if (context.method === 'publickey' && context.key.data.equals(allowedKey)) context.accept();
      else context.reject(['publickey']);
    });
    connection.on('ready', () => {
      connection.on('session', (acceptSession) => {
        const session = acceptSession();
        session.on('exec', (acceptExec, _reject, { command }) => this.run(acceptExec(), command, environment));
      });
      connection.on('tcpip', (acceptTcp, reject, { destIP, destPort }) => {
        // Port 8000 is where the example card looks for vLLM; only loopback is reached.
        if (destIP !== '127.0.0.1' && destIP !== 'localhost') return reject();
        const socket = connect(destPort === 8000 ? this.address.metricsPort : destPort, '127.0.0.1');
        socket.once('connect', () => {
          const channel = acceptTcp();
          socket.on('error', () => channel.close());
          channel.on('error', () => socket.destroy());
          channel.on('close', () => socket.destroy());
          socket.pipe(channel).pipe(socket);
        });
        socket.once('error', () => reject());
        return undefined;
      });
    });
  }

  /** As sshd does: the command's standard input ends when the channel does, its exit is sent, then the channel is closed. */
  private run(channel: ServerChannel, command: string, environment: Record<string, string>): void {
    const child = spawn('/bin/sh', ['-c', command], { env: { ...environment, HOME: this.sandbox.folder }, cwd: this.sandbox.folder });
    this.processes.add(child);
    child.stdin.on('error', () => undefined);
    channel.on('error', () => undefined);
    channel.pipe(child.stdin);
    channel.on('close', () => child.stdin.destroy());
    child.stdout.on('data', (chunk: Buffer) => channel.write(chunk));
    child.stderr.on('data', (chunk: Buffer) => channel.stderr.write(chunk));
    child.on('error', () => channel.close());
    child.on('close', (code, signal) => {
      this.processes.delete(child);
      if (signal) channel.exit(signal.replace('SIG', ''));
      else channel.exit(code ?? 255);
      channel.end();
    });
  }

  async stop(): Promise<void> {
    clearInterval(this.corrupter);
    for (const connection of this.connections) connection.end();
    for (const child of this.processes) child.stdin.destroy();
    await new Promise<void>((resolve) => this.server.close(() => resolve()));
    await this.metrics.close();
    this.sandbox.dispose();
  }
}

function makeKey(): { privateKey: string; publicKey: string } {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const pem = privateKey.export({ type: 'pkcs1', format: 'pem' }) as string;
  const parsed = ssh2.utils.parseKey(pem);
  if (parsed instanceof Error) throw parsed;
  return { privateKey: pem, publicKey: `${parsed.type} ${parsed.getPublicSSH().toString('base64')}` };
}

const corrupted = new Set<string>();

/** One byte in the middle of what is there; a writer that is still busy does not notice. */
function flipByte(path: string): void {
  if (corrupted.has(path)) return;
  try {
    const file = openSync(path, 'r+');
    try {
      const { size } = fstatSync(file);
      if (size < 1024) return;
      const byte = Buffer.alloc(1);
      readSync(file, byte, 0, 1, size >> 1);
      byte[0]! ^= 0xff;
      writeSync(file, byte, 0, 1, size >> 1);
      corrupted.add(path);
    } finally {
      closeSync(file);
    }
  } catch {
    // The file is gone already.
  }
}
