import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import type { SshEndpoint } from '../../core/transport/contract';

const SSHD = '/usr/sbin/sshd';

/** The sentence for people whose machine has none. */
export const SSHD_MISSING = existsSync(SSHD) ? undefined : 'OpenSSH server is missing: apt-get install openssh-server';

/** A real sshd on loopback with keys and configuration of its own. Whoever starts it stops it. */
export class Sshd {
  private process: ChildProcess | undefined;
  readonly folder = mkdtempSync(join(tmpdir(), 'gpu-acceptance-sshd-'));
  readonly identityFile = join(this.folder, 'id_ed25519');
  readonly knownHostsFile = join(this.folder, 'known_hosts');
  port = 0;

  /** `environment` becomes the session's, so that a PATH can put other tools first. */
  static async start(environment: Record<string, string> = {}): Promise<Sshd> {
    const sshd = new Sshd();
    sshd.makeKey(sshd.identityFile);
    writeFileSync(join(sshd.folder, 'authorized_keys'), readFileSync(`${sshd.identityFile}.pub`));
    sshd.newHostKey();
    sshd.port = await freePort();
    const lines = [
      `Port ${sshd.port}`,
      'ListenAddress 127.0.0.1',
      `HostKey ${join(sshd.folder, 'host_key')}`,
      `AuthorizedKeysFile ${join(sshd.folder, 'authorized_keys')}`,
      `PidFile ${join(sshd.folder, 'sshd.pid')}`,
      'StrictModes no',
      'UsePAM no',
      'PasswordAuthentication no',
      'KbdInteractiveAuthentication no',
      ...(Object.keys(environment).length > 0 ? [`SetEnv ${Object.entries(environment).map(([name, value]) => `"${name}=${value}"`).join(' ')}`] : []),
    ];
    writeFileSync(join(sshd.folder, 'sshd_config'), `${lines.join('\n')}\n`);
    await sshd.listen();
    return sshd;
  }

  get endpoint(): SshEndpoint {
    return { host: '127.0.0.1', port: this.port, user: userInfo().username, authentication: 'key', identityFile: this.identityFile };
  }

  /** What a user with a verified key has on record. */
  trust(port = this.port): void {
    const [type, key] = readFileSync(join(this.folder, 'host_key.pub'), 'utf8').split(' ');
    writeFileSync(this.knownHostsFile, `[127.0.0.1]:${port} ${type} ${key}\n`);
  }

  newHostKey(): void {
    rmSync(join(this.folder, 'host_key'), { force: true });
    rmSync(join(this.folder, 'host_key.pub'), { force: true });
    this.makeKey(join(this.folder, 'host_key'));
  }

  private makeKey(path: string): void {
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', path]);
    chmodSync(path, 0o600);
  }

  async listen(): Promise<void> {
    execFileSync('mkdir', ['-p', '/run/sshd']);
    this.process = spawn(SSHD, ['-D', '-e', '-f', join(this.folder, 'sshd_config')], { stdio: 'ignore' });
    await waitFor(async () => canConnect(this.port), 'sshd listens');
  }

  /** Ends the listener and every session, as a machine that is switched off. */
  async stop(): Promise<void> {
    const ended = this.process?.exitCode === null ? new Promise((resolve) => this.process!.once('exit', resolve)) : undefined;
    this.process?.kill('SIGTERM');
    await ended;
    this.process = undefined;
  }

  async dispose(): Promise<void> {
    await this.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** A proxy whose cable can be pulled. */
export class Cable {
  private readonly sockets = new Set<Socket>();
  private readonly server: Server;
  port = 0;

  private constructor(private readonly target: number) {
    this.server = createServer((incoming) => {
      const outgoing = connect(this.target, '127.0.0.1');
      for (const socket of [incoming, outgoing]) {
        this.sockets.add(socket);
        socket.on('error', () => undefined).on('close', () => this.sockets.delete(socket));
      }
      incoming.pipe(outgoing).pipe(incoming);
    });
  }

  static async plug(target: number): Promise<Cable> {
    const cable = new Cable(target);
    cable.port = await new Promise<number>((resolve) => cable.server.listen(0, '127.0.0.1', () => resolve((cable.server.address() as { port: number }).port)));
    return cable;
  }

  pull(): void {
    for (const socket of this.sockets) socket.destroy();
  }

  /** Nothing passes any more, and neither side is told: as when a router between them goes away. */
  freeze(): void {
    for (const socket of this.sockets) socket.unpipe().pause();
  }

  async dispose(): Promise<void> {
    this.pull();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

/** Polls until a condition holds; fails with its name after the deadline. */
export async function waitFor(condition: () => Promise<boolean> | boolean, what: string, timeoutMs = 15_000): Promise<void> {
  const until = Date.now() + timeoutMs;
  while (!(await condition())) {
    if (Date.now() > until) throw new Error(`Not within ${timeoutMs} ms: ${what}.`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}

function canConnect(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}

/** Processes whose command line holds a text that only the test uses. */
export function processesWith(mark: string): string[] {
  return execFileSync('ps', ['-eo', 'pid,args'], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line.includes(mark) && !line.includes('ps -eo'));
}
