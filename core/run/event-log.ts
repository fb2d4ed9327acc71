import { createHash } from 'node:crypto';
import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import type { RunEvent, RunEventBody } from './events';

/** Events after which a crash must not lose the line. */
const DURABLE = new Set<RunEventBody['type']>(['run-started', 'plan-locked', 'probe-started', 'probe-ended', 'verdict', 'run-ended', 'connection-lost', 'cancel-requested']);

const FIRST_PREVIOUS = '0'.repeat(64);

/** Appends events to one file. Each line is written whole, with the seal of the line before it. */
export class EventLog {
  private readonly descriptor: number;
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

  append(body: RunEventBody): RunEvent {
    const event: RunEvent = {
      seq: this.seq++,
      time: this.now().toISOString(),
      elapsedMs: Math.round(performance.now() - this.startedAt),
      previous: this.previous,
      ...body,
    };
    const line = JSON.stringify(event);
    writeSync(this.descriptor, `${line}\n`);
    if (DURABLE.has(body.type)) fsyncSync(this.descriptor);
    this.previous = createHash('sha256').update(line).digest('hex');
    this.tell(event);
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
