import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { EventLog } from './event-log';
import type { RunEvent, RunEventBody } from './events';
import { followRun, listRuns, parseEvents, readRun } from './read-run';
import { OWNER_FILE } from './run-folder';

const STARTED: RunEventBody = { type: 'run-started', runId: 'r', toolVersion: '0', cardName: 'é 漢', card: { path: 'c', sha256: '' }, target: 't', stages: [], by: 'cli' };
const STAGE: RunEventBody = { type: 'stage-started', stage: 'functional' };
const ENDED: RunEventBody = { type: 'run-ended', status: 'completed' };

describe('reading a run', () => {
  let runDir: string;
  let path: string;
  let log: EventLog;
  beforeEach(() => {
    runDir = mkdtempSync(join(tmpdir(), 'read-run-'));
    path = join(runDir, 'events.ndjson');
    log = new EventLog(path, () => undefined);
  });
  afterEach(() => {
    log.close();
    rmSync(runDir, { recursive: true });
  });
  const own = (): void => writeFileSync(join(runDir, OWNER_FILE), '{}');
  const disown = (): void => rmSync(join(runDir, OWNER_FILE));
  const fallSilent = (): void => utimesSync(join(runDir, OWNER_FILE), new Date(0), new Date(0));
  const typesOf = (events: readonly RunEvent[]): string[] => events.map(({ type }) => type);

  it('reads the whole events of a log that ends at any byte', () => {
    for (const body of [STARTED, STAGE, ENDED]) log.append(body);
    const bytes = readFileSync(path);
    const whole = ['run-started', 'stage-started', 'run-ended'];
    for (let length = 0; length <= bytes.length; length++) {
      const breaks = bytes.subarray(0, length).filter((byte) => byte === 0x0a).length;
      expect(typesOf(parseEvents(bytes.toString('utf8', 0, length)))).toEqual(whole.slice(0, breaks));
    }
  });

  it('trusts nothing behind a damaged line', () => {
    log.append(STARTED);
    appendFileSync(path, '{"seq":1,"type":"stage-st\n');
    log.append(ENDED);
    expect(typesOf(parseEvents(readFileSync(path, 'utf8')))).toEqual(['run-started']);
  });

  it('tells a running run from an interrupted and an ended one', async () => {
    const status = async () => (await readRun(runDir)).status;
    log.append(STARTED);
    expect(await status()).toBe('interrupted');
    own();
    expect(await status()).toBe('running');
    fallSilent();
    expect(await status()).toBe('interrupted');
    log.append(ENDED);
    expect(await status()).toBe('completed');
  });

  it('lists the folders that hold a log, newest first', async () => {
    const runs = join(runDir, 'runs');
    for (const name of ['20261101-a', '20261201-b', 'no-run']) mkdirSync(join(runs, name), { recursive: true });
    for (const name of ['20261101-a', '20261201-b']) writeFileSync(join(runs, name, 'events.ndjson'), '');
    expect(await listRuns(runs)).toEqual([join(runs, '20261201-b'), join(runs, '20261101-a')]);
    expect(await listRuns(join(runDir, 'nowhere'))).toEqual([]);
  });

  it('follows a running run from its beginning to its end', async () => {
    own();
    log.append(STARTED);
    const seen: string[] = [];
    const following = followRun(runDir, (events) => {
      seen.push(...typesOf(events));
      if (seen.length === 1) log.append(STAGE);
      if (seen.length === 2) log.append(ENDED);
    }, new AbortController().signal);
    expect(await following).toBe('completed');
    expect(seen).toEqual(['run-started', 'stage-started', 'run-ended']);
  });

  it('follows the log of a run that went on for days', async () => {
    own();
    // More than fit into the arguments of one call.
    const many = 200_000;
    writeFileSync(path, `${'{"type":"stage-started"}\n'.repeat(many)}{"type":"run-ended","status":"cancelled"}\n`);
    let seen = 0;
    expect(await followRun(runDir, (events) => (seen += events.length), new AbortController().signal)).toBe('cancelled');
    expect(seen).toBe(many + 1);
  });

  it('follows by the clock where the system has no watcher left', async () => {
    own();
    log.append(STARTED);
    const seen: string[] = [];
    const noneLeft = (): never => {
      throw new Error('ENOSPC: System limit for number of file watchers reached');
    };
    const following = followRun(runDir, (events) => {
      seen.push(...typesOf(events));
      if (seen.length === 1) setImmediate(() => log.append(ENDED));
    }, new AbortController().signal, noneLeft);
    expect(await following).toBe('completed');
    expect(seen).toEqual(['run-started', 'run-ended']);
  });

  it('waits for the rest of a torn line instead of losing it', async () => {
    own();
    log.append(STARTED);
    log.append(ENDED);
    const bytes = readFileSync(path);
    truncateSync(path, bytes.length - 10);
    const seen: string[] = [];
    const following = followRun(runDir, (events) => {
      seen.push(...typesOf(events));
      if (seen.length === 1) appendFileSync(path, bytes.subarray(bytes.length - 10));
    }, new AbortController().signal);
    expect(await following).toBe('completed');
    expect(seen).toEqual(['run-started', 'run-ended']);
  });

  it('never calls a run interrupted that ends while it is looked at', async () => {
    own();
    log.append(STARTED);
    const seen: string[] = [];
    const following = followRun(runDir, (events) => {
      seen.push(...typesOf(events));
      if (seen.length > 1) return;
      log.append(ENDED);
      disown();
    }, new AbortController().signal);
    expect(await following).toBe('completed');
    expect(seen).toEqual(['run-started', 'run-ended']);
  });

  it('gives an owner that slept the time to be heard again', async () => {
    own();
    fallSilent();
    log.append(STARTED);
    const seen: string[] = [];
    const following = followRun(runDir, (events) => {
      seen.push(...typesOf(events));
      if (seen.length === 1) setImmediate(() => log.append(ENDED));
    }, new AbortController().signal);
    expect(await following).toBe('completed');
  });

  it('stops following when it is told to, and when nobody runs the run any more', async () => {
    log.append(STARTED);
    expect(await followRun(runDir, () => undefined, new AbortController().signal)).toBe('interrupted');
    own();
    const stop = new AbortController();
    expect(await followRun(runDir, () => stop.abort(), stop.signal)).toBe('running');
  });
});
