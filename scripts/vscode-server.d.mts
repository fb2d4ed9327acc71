/** A VS Code server that runs; whoever started it stops it. */
export interface VscodeServer {
  port: number;
  /** `http://127.0.0.1:PORT` */
  origin: string;
  /** Leader of the process group that holds everything that the server started. */
  pid: number;
  stop(): Promise<void>;
}

export interface VscodeOptions {
  /** Data, settings and extensions of this server alone. */
  dataFolder: string;
  vsix?: string;
  userSettings?: Record<string, unknown>;
  /** Settings of scope `machine`. */
  machineSettings?: Record<string, unknown>;
  token?: string;
  /** More arguments for the server. */
  flags?: string[];
}

export function startVscode(options: VscodeOptions): Promise<VscodeServer>;
export function vscodeServer(): { main: string; node: string };
export function writeSettings(folder: string, settings: Record<string, unknown>): void;
export function freePort(): Promise<number>;
