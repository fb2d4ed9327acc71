import { basename, join } from 'node:path';
import type { RunListItem } from '../core/messages/workbench';
import type { RunEvent } from '../core/run/events';
import { listRuns, readEvents, statusOf } from '../core/run/read-run';
import { runsFolder } from './settings';

export interface StoredRun extends RunListItem {
  runDir: string;
}

/** The runs of this workspace, newest first, read from their logs. */
export async function storedRuns(): Promise<StoredRun[]> {
  const folder = runsFolder();
  if (folder === undefined) return [];
  const runs = await Promise.all((await listRuns(folder)).map(async (runDir) => describeRun(runDir, await readEvents(runDir).catch(() => []))));
  return runs.filter((run) => run !== undefined);
}

export async function describeRun(runDir: string, events: readonly RunEvent[]): Promise<StoredRun | undefined> {
  const started = events[0];
  if (started?.type !== 'run-started') return undefined;
  const verdict = events.findLast((event) => event.type === 'verdict')?.verdict.state;
  return {
    runDir,
    runId: basename(runDir),
    cardName: started.cardName,
    target: started.target,
    startedAt: started.time,
    status: await statusOf(runDir, events),
    ...(verdict ? { verdict } : {}),
  };
}

export function runDirOf(runId: string): string | undefined {
  const folder = runsFolder();
  // A run id is one folder name; anything else does not come from our list.
  return folder === undefined || !/^[\w.-]+$/.test(runId) ? undefined : join(folder, runId);
}
