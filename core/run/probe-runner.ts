import { createReadStream, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CommandPlan, ParseResult, ProbeDefinition, ScrapePlan } from '../probes/contract';
import { type ByteParser, createByteParser } from '../probes/parse';
import { type ExecEnd, type Transport, TransportError } from '../transport/contract';
import type { PlannedProbe } from './contract';
import type { EventLog } from './event-log';
import type { RunEventBody } from './events';
import { MeasurementBatches } from './measurement-batches';
import { makeRawFolder, RawStream, type RunFolder } from './run-folder';
import { runScrapes } from './scrape';
import { streamEndOf } from './stream-end';

/** More output than this is cut, and a cut output is never `measured`. */
const MAX_STREAM_BYTES = 2 * 1024 ** 3;
const PROGRESS_MS = 1_000;

export interface ProbeRunnerContext {
  transport: Transport;
  folder: RunFolder;
  log: EventLog;
}

export interface FinishedProbe {
  probeRun: string;
  result: ParseResult;
}

type Ended = Extract<RunEventBody, { type: 'probe-ended' }>;
/** What is known of an end before its output was read. */
type EndedFacts = Omit<Ended, 'type' | 'probeRun' | 'parser' | 'outcome' | 'reasons'>;
type Started = Extract<RunEventBody, { type: 'probe-started' }>;

export const probeRunName = ({ stage, entry }: Pick<PlannedProbe, 'stage' | 'entry'>, attempt = 1): string => `${stage}/${entry}/${attempt}`;

/** How the command is shown and recorded. */
export function describeCommand(plan: CommandPlan | ScrapePlan): string[] {
  if (plan.kind === 'command') return [...Object.entries(plan.env ?? {}).map(([name, value]) => `${name}=${value}`), ...plan.argv];
  return ['GET', `http://${plan.host}:${plan.port}${plan.path}`, `every ${plan.intervalMs} ms`, ...(plan.count === undefined ? [] : [`${plan.count} times`])];
}

/** Runs one probe: bytes to disk as they arrive, then to the parser, then to the log. `stop` ends a monitor on purpose. */
export async function runProbe(planned: PlannedProbe, probe: ProbeDefinition, context: ProbeRunnerContext, signals: { cancel: AbortSignal; stop?: AbortSignal }): Promise<FinishedProbe> {
  const plan = planned.plan as CommandPlan | ScrapePlan;
  const probeRun = probeRunName(planned);
  const rawFolder = context.folder.rawFolder(probeRun);
  makeRawFolder(rawFolder);
  writeFileSync(join(rawFolder, 'cmd.json'), `${JSON.stringify({ ...plan, stdin: undefined, stdinBytes: plan.kind === 'command' ? Buffer.byteLength(plan.stdin ?? '') : 0 }, null, 2)}\n`);
  context.log.append({ ...startedEvent(planned, probeRun), command: describeCommand(plan), invasive: plan.invasive, timeoutMs: plan.timeoutMs });

  const batches = new MeasurementBatches((measurements) => context.log.note({ type: 'measurements', probeRun, measurements }));
  const parser = createByteParser(probe, { onMeasurement: batches.add });
  const limit = new AbortController();
  const stdout = new RawStream(join(rawFolder, 'stdout'), MAX_STREAM_BYTES, (chunk) => parser.write(chunk));
  const stderr = new RawStream(join(rawFolder, 'stderr'), MAX_STREAM_BYTES);
  const push = (stream: RawStream, chunk: Uint8Array): void => {
    stream.push(chunk);
    if (stream.overLimit) limit.abort();
  };
  const stopReporting = reportProgress(context.log, probeRun, stdout, stderr);
  try {
    const end = await execute(plan, context.transport, signals, limit.signal, (chunk) => push(stdout, chunk), (chunk) => push(stderr, chunk));
    const [stdoutFile, stderrFile] = [stdout.end(), stderr.end()];
    const ended = { ...endOf(end, signals, limit.signal), durationMs: end.durationMs, stdout: stdoutFile, stderr: stderrFile, redactions: stdout.redactions + stderr.redactions };
    const result = parser.end(await streamEndOf(rawFolder, ended));
    batches.flush();
    writeFileSync(join(rawFolder, 'exit.json'), `${JSON.stringify(ended, null, 2)}\n`);
    return record(context, probeRun, ended, result);
  } finally {
    stopReporting();
    batches.discard();
    stdout.close();
    stderr.close();
  }
}

/** Tells now and then how much has arrived; returns how to stop that. */
function reportProgress(log: EventLog, probeRun: string, stdout: RawStream, stderr: RawStream): () => void {
  let told = 0;
  const timer = setInterval(() => {
    const [stdoutBytes, stderrBytes] = [stdout.bytes, stderr.bytes];
    if (stdoutBytes + stderrBytes === told) return;
    told = stdoutBytes + stderrBytes;
    log.note({ type: 'probe-progress', probeRun, stdoutBytes, stderrBytes });
  }, PROGRESS_MS);
  return () => clearInterval(timer);
}

const startedEvent = ({ stage, entry, probe, monitor }: PlannedProbe, probeRun: string): Pick<Started, 'type' | 'probeRun' | 'stage' | 'entry' | 'probe' | 'attempt' | 'monitor'> => ({
  type: 'probe-started',
  probeRun,
  stage,
  entry,
  probe,
  attempt: 1,
  monitor,
});

async function execute(plan: CommandPlan | ScrapePlan, transport: Transport, signals: { cancel: AbortSignal; stop?: AbortSignal }, limit: AbortSignal, stdout: (chunk: Uint8Array) => void, stderr: (chunk: Uint8Array) => void): Promise<ExecEnd> {
  const signal = AbortSignal.any([signals.cancel, limit, ...(signals.stop ? [signals.stop] : [])]);
  const startedAt = performance.now();
  try {
    if (plan.kind === 'scrape') return await runScrapes(transport, plan, stdout, signal, plan.timeoutMs);
    const { argv, env, stdin, timeoutMs } = plan;
    return await transport.exec({ argv, timeoutMs, signal, ...(env ? { env } : {}), ...(stdin === undefined ? {} : { stdin }) }, { stdout, stderr });
  } catch (error) {
    // Anything else (a full disk) means that evidence cannot be kept: that ends the run.
    if (!(error instanceof TransportError)) throw error;
    // The command could not be started: that is evidence too, and it is written where the tool would have written it.
    stderr(Buffer.from(`${error.message}\n`));
    return { exitCode: null, remoteProcesses: 'unknown', durationMs: Math.round(performance.now() - startedAt) };
  }
}

/** A cut has one cause: the size limit, the user, or (for a monitor) the planned end, which is no cut at all. */
function endOf(end: ExecEnd, signals: { cancel: AbortSignal; stop?: AbortSignal }, limit: AbortSignal): Pick<Ended, 'exitCode' | 'signal' | 'cut' | 'plannedStop' | 'remoteProcesses'> {
  const { exitCode, signal, remoteProcesses } = end;
  const base = { exitCode, remoteProcesses, ...(signal === undefined ? {} : { signal }) };
  if (limit.aborted) return { ...base, cut: 'size-limit' };
  if (end.cut === 'cancelled' && signals.stop?.aborted && !signals.cancel.aborted) return { ...base, plannedStop: true };
  return end.cut === undefined ? base : { ...base, cut: end.cut };
}

function record(context: ProbeRunnerContext, probeRun: string, ended: EndedFacts, result: ParseResult): FinishedProbe {
  context.folder.appendMeasurements(probeRun, result.measurements);
  context.log.append({ type: 'probe-ended', probeRun, ...ended, parser: result.parser, outcome: result.outcome, reasons: result.reasons });
  return { probeRun, result };
}

/** Parses the output of a finished probe run once more, with another probe's parser. */
export async function runDerivedProbe(planned: PlannedProbe, probe: ProbeDefinition, from: string, source: Ended, context: ProbeRunnerContext): Promise<FinishedProbe> {
  const probeRun = probeRunName(planned);
  const rawFolder = context.folder.rawFolder(from);
  context.log.append({ ...startedEvent(planned, probeRun), from, invasive: false, timeoutMs: 0 });
  const batches = new MeasurementBatches((measurements) => context.log.note({ type: 'measurements', probeRun, measurements }));
  const parser: ByteParser = createByteParser(probe, { onMeasurement: batches.add });
  const startedAt = performance.now();
  try {
    for await (const chunk of createReadStream(join(rawFolder, 'stdout'))) parser.write(chunk as Uint8Array);
    const result = parser.end(await streamEndOf(rawFolder, source));
    batches.flush();
    return record(context, probeRun, { ...endOfDerived(source), durationMs: Math.round(performance.now() - startedAt) }, result);
  } finally {
    batches.discard();
  }
}

/** The bytes and their end are those of the probe that was read; nothing ran for it, and nothing was replaced again. */
function endOfDerived(source: Ended): Omit<EndedFacts, 'durationMs'> {
  const { exitCode, signal, cut, plannedStop, stdout, stderr } = source;
  const optional = { ...(signal === undefined ? {} : { signal }), ...(cut === undefined ? {} : { cut }), ...(plannedStop ? { plannedStop } : {}) };
  return { exitCode, ...optional, stdout, stderr, remoteProcesses: 'none', redactions: 0 };
}
