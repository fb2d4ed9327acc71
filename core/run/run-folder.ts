import { createHash, type Hash, randomBytes } from 'node:crypto';
import { appendFileSync, closeSync, fsyncSync, mkdirSync, openSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { Measurement } from '../probes/contract';
import { Redactor } from './redaction';

/** Names inside a run folder. */
export const RUN_FILES = {
  events: 'events.ndjson',
  plan: 'plan.lock.json',
  card: 'card.yaml',
  brief: 'brief.yaml',
  measurements: 'measurements.ndjson',
  verdict: 'verdict.json',
  raw: 'raw',
} as const;

/** Touched while the run lives; not part of the evidence. */
export const OWNER_FILE = 'owner.json';
export const HEARTBEAT_MS = 2_000;
/** A run whose owner has not been heard of for so long is interrupted. */
export const OWNER_SILENCE_MS = 10_000;

export const CAPABILITIES_RUN = 'preflight/host-capabilities/1';

export const sha256 = (data: string | Uint8Array): string => createHash('sha256').update(data).digest('hex');

/** Sorts by time, says which card, and is unique. */
export function makeRunId(cardName: string, now: Date): string {
  const time = now.toISOString().replace(/[-:]/g, '').replace('T', '-').slice(0, 15);
  const name = cardName.toLowerCase().replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '').slice(0, 40) || 'card';
  return `${time}-${name}-${randomBytes(2).toString('hex')}`;
}

/** Writes one run folder. */
export class RunFolder {
  readonly path: string;
  private readonly heartbeat: NodeJS.Timeout;

  constructor(outDir: string, readonly runId: string) {
    this.path = join(outDir, runId);
    mkdirSync(outDir, { recursive: true });
    mkdirSync(this.path, { mode: 0o700 });
    const owner = join(this.path, OWNER_FILE);
    writeFileSync(owner, JSON.stringify({ pid: process.pid, host: hostname() }));
    this.heartbeat = setInterval(() => {
      const now = new Date();
      try {
        utimesSync(owner, now, now);
      } catch {
        // The folder was deleted under a running run; the next write of evidence reports it.
      }
    }, HEARTBEAT_MS);
    this.heartbeat.unref();
  }

  write(name: string, text: string): string {
    writeFileSync(join(this.path, name), text, { mode: 0o600 });
    return sha256(text);
  }

  appendMeasurements(probeRun: string, measurements: readonly Measurement[]): void {
    const lines = measurements.map((measurement) => `${JSON.stringify({ probeRun, ...measurement })}\n`);
    appendFileSync(join(this.path, RUN_FILES.measurements), lines.join(''), { mode: 0o600 });
  }

  rawFolder(probeRun: string): string {
    return join(this.path, RUN_FILES.raw, ...probeRun.split('/'));
  }

  close(): void {
    clearInterval(this.heartbeat);
    rmSync(join(this.path, OWNER_FILE), { force: true });
  }
}

export interface WrittenFile {
  bytes: number;
  sha256: string;
}

/** One raw stream on its way to disk: redacted, written, hashed, then handed on. In this order, always. */
export class RawStream {
  private readonly descriptor: number;
  private readonly hash: Hash = createHash('sha256');
  private readonly redactor: Redactor;
  private closed = false;
  bytes = 0;
  overLimit = false;

  constructor(path: string, private readonly maximumBytes: number, private readonly next: (chunk: Uint8Array) => void = () => undefined) {
    this.descriptor = openSync(path, 'ax', 0o600);
    this.redactor = new Redactor((chunk) => this.store(chunk));
  }

  get redactions(): number {
    return this.redactor.count;
  }

  push(chunk: Uint8Array): void {
    if (!this.overLimit) this.redactor.push(chunk);
  }

  private store(chunk: Uint8Array): void {
    if (this.overLimit || chunk.length === 0) return;
    if (this.bytes + chunk.length > this.maximumBytes) {
      this.overLimit = true;
      return;
    }
    // Not `writeSync`: that may write a part and say so.
    writeFileSync(this.descriptor, chunk);
    this.hash.update(chunk);
    this.bytes += chunk.length;
    this.next(chunk);
  }

  /** Gives the file up as it is. */
  close(): void {
    if (this.closed) return;
    this.closed = true;
    closeSync(this.descriptor);
  }

  end(): WrittenFile {
    this.redactor.end();
    // Its hash goes into the log next; a crash must not leave the hash without the bytes.
    fsyncSync(this.descriptor);
    this.close();
    return { bytes: this.bytes, sha256: this.hash.digest('hex') };
  }
}

export function makeRawFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
}
