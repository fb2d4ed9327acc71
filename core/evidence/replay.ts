import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import type { Measurement, ParseResult } from '../probes/contract';
import { createByteParser } from '../probes/parse';
import { findProbe } from '../probes/registry';
import type { RunEvent } from '../run/events';
import { streamEndOf } from '../run/stream-end';
import type { ProbeRunResult } from '../verdict/evidence-query';

type Started = Extract<RunEvent, { type: 'probe-started' }>;
type Ended = Extract<RunEvent, { type: 'probe-ended' }>;

export interface ReplayedProbe {
  started: Started;
  ended: Ended;
  result: ParseResult;
  /** In the order in which the parser gave them while it read. */
  live: Measurement[];
}

/** Parses the raw files of a finished run again. Throws when a raw file is missing or a probe is not known here. */
export async function replayProbes(runDir: string, events: readonly RunEvent[]): Promise<ReplayedProbe[]> {
  const started = new Map<string, Started>();
  const replayed: ReplayedProbe[] = [];
  for (const event of events) {
    if (event.type === 'probe-started') started.set(event.probeRun, event);
    if (event.type !== 'probe-ended') continue;
    const start = started.get(event.probeRun);
    if (!start) throw new Error(`The log ends the probe ${event.probeRun}, which it never started.`);
    replayed.push({ started: start, ended: event, ...(await replayProbe(runDir, start, event)) });
  }
  return replayed;
}

async function replayProbe(runDir: string, started: Started, ended: Ended): Promise<Pick<ReplayedProbe, 'result' | 'live'>> {
  const probe = findProbe(started.probe);
  if (!probe) throw new Error(`This version knows no probe "${started.probe}".`);
  const folder = join(runDir, 'raw', ...(started.from ?? started.probeRun).split('/'));
  const live: Measurement[] = [];
  const parser = createByteParser(probe, { onMeasurement: (measurement) => live.push(measurement) });
  for await (const chunk of createReadStream(join(folder, 'stdout'))) parser.write(chunk as Uint8Array);
  return { result: parser.end(await streamEndOf(folder, ended)), live };
}

/** The replayed results and the probes that did not run, in the form that a verdict is made of. */
export function toProbeRunResults(events: readonly RunEvent[], replayed: readonly ReplayedProbe[], requiredOf: (stage: string, entry: string) => boolean): ProbeRunResult[] {
  const ran = replayed.map(({ started, result }) => ({
    probeRun: started.probeRun,
    stage: started.stage,
    entry: started.entry,
    probe: started.probe,
    monitor: started.monitor,
    required: requiredOf(started.stage, started.entry),
    result,
    ...(started.from === undefined ? {} : { from: started.from.split('/')[1]! }),
  }));
  const notRun = events
    .filter((event) => event.type === 'probe-not-run')
    .map(({ stage, entry, probe, reason }) => ({ probeRun: `${stage}/${entry}`, stage, entry, probe, monitor: false, required: requiredOf(stage, entry), notRun: reason }));
  return [...ran, ...notRun];
}
