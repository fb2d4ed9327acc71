import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { RunPlan } from '../run/contract';
import type { RunEvent } from '../run/events';
import { RUN_FILES } from '../run/run-folder';
import { toJUnit } from './junit';
import { renderReport, type StoredMeasurement } from './report';
import { readOptional } from './run-files';
import { summariseRun } from './run-summary';

/** Files that say once more what log and plan say, for readers of one file. A verdict never rests on them, but a reader might. */

export const VIEWS = ['report.html', 'gaps.json', 'junit.xml'] as const;

/** The files that an export adds, by name: the report, what was not measured, and the result for a build server. */
export function viewsOf(events: readonly RunEvent[], measurements: readonly StoredMeasurement[]): Partial<Record<(typeof VIEWS)[number], string>> {
  const summary = summariseRun(events);
  const { cardName, target, verdict, durationMs } = summary;
  return {
    'report.html': renderReport(summary, measurements),
    'gaps.json': `${JSON.stringify(gapsOf(events), null, 2)}\n`,
    ...(verdict ? { 'junit.xml': toJUnit(cardName, target, verdict, durationMs) } : {}),
  };
}

/** What was planned and not measured, and why. */
function gapsOf(events: readonly RunEvent[]): { probe: string; entry: string; stage: string; reason: string }[] {
  return events
    .filter((event) => event.type === 'probe-not-run')
    .map(({ probe, entry, stage, reason }) => ({ probe, entry, stage, reason: reason.message }));
}

/** The name of a view that is not what this version makes of the evidence; one that is not there is none. */
export async function differingView(data: string, events: readonly RunEvent[], measurements: readonly StoredMeasurement[]): Promise<string | undefined> {
  for (const [name, expected] of Object.entries(viewsOf(events, measurements))) {
    const actual = await readOptional(join(data, name));
    if (actual !== undefined && actual !== expected) return name;
  }
  return undefined;
}

/** The first of the files beside the raw output, `cmd.json` and `exit.json`, that says something else than plan and log. */
export async function differingRecord(runDir: string, events: readonly RunEvent[]): Promise<string | undefined> {
  const plan = JSON.parse(await readFile(join(runDir, RUN_FILES.plan), 'utf8')) as RunPlan;
  const started = new Map(events.filter((event) => event.type === 'probe-started').map((event) => [event.probeRun, event]));
  for (const ended of events.filter((event) => event.type === 'probe-ended')) {
    const start = started.get(ended.probeRun);
    // A probe that read another one's output has no files of its own.
    if (!start || start.from !== undefined) continue;
    const planned = plan.probes.find(({ stage, entry }) => stage === start.stage && entry === start.entry)?.plan;
    const folder = `${RUN_FILES.raw}/${ended.probeRun}`;
    const records = { 'cmd.json': planned && commandRecord(planned), 'exit.json': endRecord(ended) };
    for (const [name, expected] of Object.entries(records)) {
      const text = await readOptional(join(runDir, folder, name));
      if (text === undefined || !isDeepStrictEqual(parsed(text), expected)) return `${folder}/${name}`;
    }
  }
  return undefined;
}

/** The plan without what was sent to the command: that is kept as its length. */
function commandRecord(plan: RunPlan['probes'][number]['plan']): object {
  const { stdin, ...record } = plan as { stdin?: string };
  return { ...record, stdinBytes: Buffer.byteLength(stdin ?? '') };
}

function endRecord(event: Extract<RunEvent, { type: 'probe-ended' }>): object {
  const { seq: _seq, time: _time, elapsedMs: _elapsedMs, previous: _previous, type: _type, probeRun: _probeRun, parser: _parser, outcome: _outcome, reasons: _reasons, ...record } = event;
  return record;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
