import { generateKeyPairSync } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import ssh2, { type AuthContext, type Connection, type ServerChannel } from 'ssh2';
import type { SshEndpoint } from '../contract';

export interface HostScript {
  /** Absent: everybody is let in. */
  authenticate?(context: AuthContext): void;
  /** Absent: sessions are refused. */
  exec?(channel: ServerChannel, command: string): void;
  /** How many sessions are refused before one is accepted. */
  busySessions?: number;
}

/** An SSH server that plays a script, for what a real sshd does not do on demand. Whoever starts it stops it. */
export class ScriptedHost {
  private readonly connections = new Set<Connection>();
  private readonly server: ssh2.Server;
  refusedSessions = 0;

  private constructor(private readonly script: HostScript) {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const hostKeys = [privateKey.export({ type: 'pkcs1', format: 'pem' }) as string];
    this.server = new ssh2.Server({ hostKeys }, (connection) => this.accept(connection));
  }

  static async start(script: HostScript): Promise<ScriptedHost> {
    const host = new ScriptedHost(script);
    await new Promise<void>((resolve) => host.server.listen(0, '127.0.0.1', resolve));
    return host;
  }

  get endpoint(): SshEndpoint {
    return { host: '127.0.0.1', port: (this.server.address() as AddressInfo).port, user: 'ada', authentication: 'password' };
  }

  private accept(connection: Connection): void {
    this.connections.add(connection);
    connection.on('error', () => undefined);
    connection.on('close', () => this.connections.delete(connection));
    connection.on('authentication', (context) => (this.script.authenticate ? this.script.authenticate(context) : context.accept()));
    connection.on('session', (accept, reject) => {
      const { exec, busySessions = 0 } = this.script;
      if (!exec || this.refusedSessions < busySessions) {
        this.refusedSessions++;
        return void reject();
      }
      accept().on('exec', (acceptExec, _reject, { command }) => exec(acceptExec(), command));
    });
  }

  /** As a server does after an hour, or after so many bytes. */
  async renewKeys(): Promise<void> {
    await Promise.all([...this.connections].map((connection) => new Promise<void>((resolve) => connection.rekey(() => resolve()))));
  }

  async stop(): Promise<void> {
    for (const connection of this.connections) connection.end();
    await new Promise<void>((resolve) => this.server.close(() => resolve()));
  }
}
