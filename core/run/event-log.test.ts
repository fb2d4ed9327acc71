import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { EventLog } from './event-log';
import type { RunEventBody } from './events';

const STAGE: RunEventBody = { type: 'stage-started', stage: 'functional' };
/** Stands for whatever keeps a line from being written. */
const UNWRITABLE = {
  type: 'stage-started',
  get stage(): never {
    throw new Error('ENOSPC: no space left on device');
  },
} as RunEventBody;

describe('the event log', () => {
  let folder: string;
  let log: EventLog;
  const seen: number[] = [];
  const lines = (): string[] => readFileSync(join(folder, 'events.ndjson'), 'utf8').split('\n').slice(0, -1);
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'event-log-'));
    seen.length = 0;
    log = new EventLog(join(folder, 'events.ndjson'), ({ seq }) => seen.push(seq));
  });
  afterEach(() => {
    log.close();
    rmSync(folder, { recursive: true });
  });

  it('ends with the first event that cannot be kept', () => {
    log.append(STAGE);
    expect(() => log.append(UNWRITABLE)).toThrow('ENOSPC');
    expect(() => log.append(STAGE)).toThrow('ENOSPC');
    expect([lines().length, seen]).toEqual([1, [0]]);
  });

  it('tells of an event that a timer could not keep when the next one is written', () => {
    log.note(STAGE);
    log.note(UNWRITABLE);
    expect(() => log.append(STAGE)).toThrow('ENOSPC');
    expect([lines().length, seen]).toEqual([1, [0]]);
  });
});
