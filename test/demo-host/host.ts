import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { createHash, generateKeyPairSync, randomBytes, timingSafeEqual } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import ssh2, { type Connection, type Server, type ServerChannel } from 'ssh2';
import { CorruptStorage } from './corrupt-storage';
import { MetricsServer } from './metrics-server';
import { Sandbox, toolsEntry } from './sandbox';
import { type ScenarioName, SCENARIOS, type Scenario } from './scenarios';

export interface DemoHostOptions {
  /** Root of the source tree, where the tools are built from. */
  root: string;
  scenario: ScenarioName;
  seed?: number;
  /** Divides every pause of the tools and multiplies the load on the vLLM server; 1 is believable. */
  speed?: number;
  /** 0: any free port. */
  port?: number;
  /** Whether the host's key is on record already, or the client meets it for the first time. */
  knownHosts?: 'verified' | 'empty';
}

/** What a client needs to connect. */
export interface DemoHostAddress {
  host: string;
  port: number;
  user: string;
  /** Private key that the host lets in. */
  identityFile: string;
  /** The other way in, for the same user. */
  password: string;
  /** `SHA256:…` of the host's key, to compare with what a client shows. */
  fingerprint: string;
  /** A known_hosts file, with the host's key or empty. */
  knownHostsFile: string;
  checkpoints: string;
  metricsPort: number;
}

/** How long a command may take to end when the host stops. */
const STOP_TIMEOUT_MS = 5_000;

/**
 * A GPU machine to try things on: a real SSH server on loopback whose commands run as real processes with the demo machine's
 * programs first on their PATH. It listens on loopback alone and lets in one key and one password, both made at its start.
 */
export class DemoHost {
  private readonly connections = new Set<Connection>();
  private readonly processes = new Set<ChildProcessWithoutNullStreams>();

  private constructor(
    private readonly server: Server,
    private readonly sandbox: Sandbox,
    private readonly metrics: MetricsServer,
    private readonly faults: CorruptStorage | undefined,
    readonly address: DemoHostAddress,
  ) {}

  static async start({ root, scenario, seed = 1, speed = 1, port = 0, knownHosts = 'verified' }: DemoHostOptions): Promise<DemoHost> {
    const sandbox = new Sandbox(toolsEntry(root));
    const metrics = new MetricsServer(SCENARIOS[scenario], seed, speed);
    const metricsPort = await metrics.listen();
    const [hostKey, userKey] = [makeKey(), makeKey()];
    const password = randomBytes(12).toString('base64url');
    const identityFile = join(sandbox.folder, 'id_demo');
    writeFileSync(identityFile, userKey.privateKey, { mode: 0o600 });
    const environment = sandbox.environment(scenario, seed, speed);
    const server = new ssh2.Server({ hostKeys: [hostKey.privateKey] }, (connection) => host.accept(connection, { key: userKey.publicKey, password }, environment));
    const listening = await listen(server, port);
    const knownHostsFile = join(sandbox.folder, 'known_hosts');
    writeFileSync(knownHostsFile, knownHosts === 'verified' ? `[127.0.0.1]:${listening} ${hostKey.type} ${hostKey.publicKey.toString('base64')}\n` : '');
    const faults = (SCENARIOS[scenario] as Scenario).corruptCheckpoint ? new CorruptStorage(sandbox.checkpoints) : undefined;
    const address = { host: '127.0.0.1', port: listening, user: 'demo', identityFile, password, fingerprint: fingerprintOf(hostKey.publicKey), knownHostsFile, checkpoints: sandbox.checkpoints, metricsPort };
    const host: DemoHost = new DemoHost(server, sandbox, metrics, faults, address);
    return host;
  }

  /** Marks every process that a command of this host started: it is in their command lines and nowhere else. */
  get processMark(): string {
    return this.sandbox.folder;
  }

  private accept(connection: Connection, allowed: { key: Buffer; password: string }, environment: Record<string, string>): void {
    this.connections.add(connection);
    connection.on('error', () => undefined);
    connection.on('close', () => this.connections.delete(connection));
    connection.on('authentication', (context) => {
      const isKey = context.method === 'publickey' && context.key.data.equals(allowed.key);
      if (isKey || (context.method === 'password' && isSame(context.password, allowed.password))) context.accept();
      else context.reject(['publickey', 'password']);
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

  /** Ends every command with its children, then the server, and removes everything that the host wrote. */
  async stop(): Promise<void> {
    this.faults?.stop();
    const ended = [...this.processes].map((child) => new Promise((resolve) => child.once('close', resolve)));
    // Its end is what tells the supervisor of a command to end the whole process group.
    for (const child of this.processes) child.stdin.destroy();
    await Promise.race([Promise.all(ended), new Promise((resolve) => setTimeout(resolve, STOP_TIMEOUT_MS).unref())]);
    for (const child of this.processes) child.kill('SIGKILL');
    for (const connection of this.connections) connection.end();
    await new Promise<void>((resolve) => this.server.close(() => resolve()));
    await this.metrics.close();
    this.sandbox.dispose();
  }
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => resolve((server.address() as { port: number }).port));
  });
}

function isSame(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** As OpenSSH shows it: the hash of the key blob in base64 without padding. */
const fingerprintOf = (publicKey: Buffer): string => `SHA256:${createHash('sha256').update(publicKey).digest('base64').replace(/=+$/, '')}`;

function makeKey(): { privateKey: string; publicKey: Buffer; type: string } {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const pem = privateKey.export({ type: 'pkcs1', format: 'pem' }) as string;
  const parsed = ssh2.utils.parseKey(pem);
  if (parsed instanceof Error) throw parsed;
  return { privateKey: pem, publicKey: parsed.getPublicSSH(), type: parsed.type };
}
