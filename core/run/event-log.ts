import { createHash } from 'node:crypto';
import { closeSync, fsyncSync, openSync, writeFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import type { RunEvent, RunEventBody } from './events';

/** Events after which a crash must not lose the line. */
const DURABLE = new Set<RunEventBody['type']>(['run-started', 'plan-locked', 'probe-started', 'probe-ended', 'verdict', 'run-ended', 'connection-lost', 'cancel-requested']);

const FIRST_PREVIOUS = '0'.repeat(64);

/**
 * Appends events to one file. Each line is written whole, with the seal of the line before it. When one cannot be written (a
 * full disk), the log ends there: a line behind a torn one would break the seals.
 */
export class EventLog {
  private readonly descriptor: number;
  private failure: { error: unknown } | undefined;
  private seq = 0;
  private previous = FIRST_PREVIOUS;
  private readonly startedAt = performance.now();

  constructor(
    path: string,
    private readonly listener: (event: RunEvent) => void,
    private readonly now: () => Date = () => new Date(),
  ) {
    this.descriptor = openSync(path, 'ax', 0o600);
  }

  /** Throws when this event, or one before it, cannot be kept. */
  append(body: RunEventBody): RunEvent {
    if (this.failure) throw this.failure.error;
    try {
      const event = this.write(body);
      this.tell(event);
      return event;
    } catch (error) {
      this.failure = { error };
      throw error;
    }
  }

  /** For timers and signals, where an error has nobody to go to: the next `append` throws it. */
  note(body: RunEventBody): void {
    try {
      this.append(body);
    } catch {
      return;
    }
  }

  private write(body: RunEventBody): RunEvent {
    const event: RunEvent = {
      seq: this.seq++,
      time: this.now().toISOString(),
      elapsedMs: Math.round(performance.now() - this.startedAt),
      previous: this.previous,
      ...body,
    };
    const line = JSON.stringify(event);
    // Not `writeSync`: that may write a part of a line and say so.
    writeFileSync(this.descriptor, `${line}\n`);
    if (DURABLE.has(body.type)) fsyncSync(this.descriptor);
    this.previous = createHash('sha256').update(line).digest('hex');
    return event;
  }

  /** A view that fails must not end the run that it looks at; the event is on disk already. */
  private tell(event: RunEvent): void {
    try {
      this.listener(event);
    } catch {
      return;
    }
  }

  close(): void {
    closeSync(this.descriptor);
  }
}
