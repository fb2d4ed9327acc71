import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { probe as capabilityProbe, toHostCapabilities } from '../probes/host-capabilities';
import { createByteParser } from '../probes/parse';
import type { RunEvent, RunStatus } from '../run/events';
import { CAPABILITIES_RUN, RUN_FILES, sha256 } from '../run/run-folder';
import { VERDICT_ENGINE } from '../verdict/judge';
import type { CardState } from '../verdict/contract';
import { type AccountProblem, logProblem, planProblem } from './account';
import { checkBag, sha256OfFile } from './bag';
import { strayFile, unknownVersion } from './contents';
import { differingRecord, differingView } from './copies';
import { readSealedLog } from './sealed-log';
import { checkBagSignature, type FoundSigner } from './signature';
import { rejudge } from './rejudge';
import { type ReplayedProbe, replayProbes } from './replay';
import { readMeasurements, readOptional } from './run-files';
import { BundleDamagedError, extractZip } from './unzip';

export interface VerificationStep {
  name: string;
  state: 'ok' | 'failed' | 'cannot-tell';
  message: string;
}

export interface Verification {
  /** `cannot-tell`: unharmed as far as this version can see, but made by a version whose parsing or rules differ. */
  state: 'verified' | 'not-verified' | 'cannot-tell';
  /** The verdict that the replay gave; absent for a run that ended without one. */
  verdict?: CardState;
  /** `interrupted`: the log has no end. Absent when nothing was verified. */
  status?: RunStatus | 'interrupted';
  /** Verified, accepted, and run to its end. */
  isAccepted: boolean;
  runId?: string;
  steps: VerificationStep[];
  doesNotProve: readonly string[];
}

export interface VerifyOptions {
  /** Text of a file of allowed signers (ssh-keygen(1)): the bundle must then be signed by one of them. */
  allowedSigners?: string;
}

const doesNotProve = (signer: FoundSigner | undefined): string[] => [
  ...(signer?.principals === undefined ? ['who made the bundle: it is not signed by an allowed signer, and someone who makes all of it anew can make it consistent'] : []),
  'that the hardware is what its tools say',
  'anything after the run: a pass is evidence of that run, not a promise',
];

/** Stops the remaining steps; they would build on what is broken. */
class StepFailed extends Error {
  constructor(
    readonly step: string,
    message: string,
    readonly state: 'failed' | 'cannot-tell' = 'failed',
  ) {
    super(message);
  }
}

export interface InspectedRun {
  verification: Verification;
  /** Empty when the log could not be read, or is not what the run wrote. */
  events: RunEvent[];
}

/** Checks a bundle without network: container, manifests, log, plan lock, raw files, parsing and verdict. Writes only below a temporary folder. */
export async function verifyBundle(archive: string, options: VerifyOptions = {}): Promise<Verification> {
  return (await inspectBundle(archive, options)).verification;
}

/** Checks a bundle, or a run folder as it stands (which has no seal), and gives its log. */
export async function inspectRun(path: string): Promise<InspectedRun> {
  return (await stat(path)).isDirectory() ? inspect((found) => verifyRunFolder(path, found)) : inspectBundle(path);
}

async function inspectBundle(archive: string, options: VerifyOptions = {}): Promise<InspectedRun> {
  const directory = await mkdtemp(join(tmpdir(), 'gpu-acceptance-verify-'));
  try {
    return await inspect(async (found) => {
      await checkContainer(archive, directory, found.steps);
      found.signer = await checkSigner(directory, options, found.steps);
      return verifyRunFolder(join(directory, 'data'), found, strayFile);
    });
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** What the steps have found so far. */
interface Found {
  steps: VerificationStep[];
  events: RunEvent[];
  signer?: FoundSigner | undefined;
}

async function inspect(check: (found: Found) => Promise<Verification>): Promise<InspectedRun> {
  const found: Found = { steps: [], events: [] };
  try {
    return { verification: await check(found), events: found.events };
  } catch (error) {
    const failed = error instanceof StepFailed ? error : unreadable(error);
    return { verification: stopped(found, failed), events: found.events };
  }
}

/** What no run writes may break any step. A fault of this computer, a full disk for one, says nothing against the evidence. */
function unreadable(error: unknown): StepFailed {
  if (!(error instanceof Error) || 'syscall' in error) throw error;
  return new StepFailed('evidence', `It holds what no run writes: ${error.message}`);
}

async function checkContainer(archive: string, directory: string, steps: VerificationStep[]): Promise<void> {
  try {
    const names = await extractZip(archive, directory);
    steps.push({ name: 'container', state: 'ok', message: `The seal matches; ${names.length} files.` });
  } catch (error) {
    if (error instanceof BundleDamagedError) throw new StepFailed('container', error.message);
    throw error;
  }
  const problems = await checkBag(directory);
  if (problems.length > 0) throw new StepFailed('manifests', problems.slice(0, 5).join(' '));
  const unknown = await unknownVersion(directory);
  if (unknown !== undefined) throw new StepFailed('manifests', `${unknown} names a layout that this version does not know.`, 'cannot-tell');
  steps.push({ name: 'manifests', state: 'ok', message: 'Every file is listed and unchanged.' });
}

/** Undefined for a bundle without a signature, when nobody asked for one. */
async function checkSigner(directory: string, { allowedSigners }: VerifyOptions, steps: VerificationStep[]): Promise<FoundSigner | undefined> {
  const found = await checkBagSignature(directory, allowedSigners);
  if (!found) return undefined;
  if ('problem' in found) throw new StepFailed('signature', found.problem);
  steps.push({ name: 'signature', state: 'ok', message: found.message });
  return found;
}

function stopped({ steps, signer }: Found, { step, message, state }: StepFailed): Verification {
  steps.push({ name: step, state, message });
  return { state: state === 'failed' ? 'not-verified' : 'cannot-tell', isAccepted: false, steps, doesNotProve: doesNotProve(signer) };
}

async function verifyRunFolder(runDir: string, found: Found, findStray?: typeof strayFile): Promise<Verification> {
  const { steps } = found;
  const events = await checkLog(runDir, steps);
  found.events = events;
  await checkPlanLock(runDir, events, steps);
  const stray = await findStray?.(runDir, events);
  if (stray !== undefined) throw new StepFailed('manifests', `It holds ${stray}, which is no evidence of this run.`);
  await checkDocuments(runDir, events, steps);
  await checkAccount(runDir, events);
  await checkRawFiles(runDir, events, steps);
  await checkCapabilities(runDir, events, steps);
  const replayed = await checkParsing(runDir, events, steps);
  const verdict = await checkVerdict(runDir, events, replayed, steps);
  await checkViews(runDir, events);
  const runId = events[0]?.type === 'run-started' ? events[0].runId : undefined;
  const end = events.at(-1);
  const status = end?.type === 'run-ended' ? end.status : 'interrupted';
  return {
    state: 'verified',
    status,
    isAccepted: verdict === 'accepted' && status === 'completed',
    ...(verdict === undefined ? {} : { verdict }),
    ...(runId === undefined ? {} : { runId }),
    steps,
    doesNotProve: doesNotProve(found.signer),
  };
}

function failOn(problem: AccountProblem | undefined): void {
  if (problem) throw new StepFailed(problem.step, problem.message, problem.isUnknown ? 'cannot-tell' : 'failed');
}

async function checkAccount(runDir: string, events: readonly RunEvent[]): Promise<void> {
  const plan = await readOptional(join(runDir, RUN_FILES.plan));
  if (plan !== undefined) failOn(planProblem(events, plan, await readFile(join(runDir, RUN_FILES.card), 'utf8')));
}

async function checkLog(runDir: string, steps: VerificationStep[]): Promise<RunEvent[]> {
  const text = await readOptional(join(runDir, RUN_FILES.events));
  if (text === undefined) throw new StepFailed('log', `${RUN_FILES.events} is missing.`);
  const log = readSealedLog(text);
  if ('problem' in log) throw new StepFailed('log', log.problem);
  failOn(logProblem(log.events));
  if (log.events[0]?.type !== 'run-started') throw new StepFailed('log', 'The log does not begin with the start of a run.');
  steps.push({ name: 'log', state: 'ok', message: `${log.events.length} events, each sealed by the next.` });
  return log.events;
}

async function checkPlanLock(runDir: string, events: readonly RunEvent[], steps: VerificationStep[]): Promise<void> {
  const locked = events.findIndex(({ type }) => type === 'plan-locked');
  const firstProbe = events.findIndex(({ type }) => type === 'probe-started');
  if (locked === -1) {
    if (firstProbe !== -1) throw new StepFailed('plan', 'A probe was started although no plan was locked.');
    steps.push({ name: 'plan', state: 'ok', message: 'The run ended before a plan was locked; no probe was started.' });
    return;
  }
  if (firstProbe !== -1 && firstProbe < locked) throw new StepFailed('plan', 'A probe was started before the plan was locked.');
  const event = events[locked]!;
  const text = await readOptional(join(runDir, RUN_FILES.plan));
  if (event.type !== 'plan-locked' || text === undefined || sha256(text) !== event.planSha256) {
    throw new StepFailed('plan', `${RUN_FILES.plan} is not the plan that was locked.`);
  }
  steps.push({ name: 'plan', state: 'ok', message: 'Locked before the first probe, and unchanged.' });
}

async function checkDocuments(runDir: string, events: readonly RunEvent[], steps: VerificationStep[]): Promise<void> {
  const started = events[0]!;
  if (started.type !== 'run-started') return;
  const documents = [
    [RUN_FILES.card, started.card],
    [RUN_FILES.brief, started.brief],
  ] as const;
  for (const [name, expected] of documents) {
    const text = await readOptional(join(runDir, name));
    const actual = text === undefined ? undefined : sha256(text);
    if (actual !== expected?.sha256) throw new StepFailed('documents', `${name} is not the one that the run was started with.`);
  }
  steps.push({ name: 'documents', state: 'ok', message: 'Card and brief are those that the run was started with.' });
}

async function checkRawFiles(runDir: string, events: readonly RunEvent[], steps: VerificationStep[]): Promise<void> {
  let files = 0;
  const readsFrom = new Map(events.filter((event) => event.type === 'probe-started').map(({ probeRun, from }) => [probeRun, from]));
  for (const event of events) {
    if (event.type !== 'probe-ended') continue;
    const folder = join(runDir, RUN_FILES.raw, ...(readsFrom.get(event.probeRun) ?? event.probeRun).split('/'));
    for (const stream of ['stdout', 'stderr'] as const) {
      const actual = await sha256OfFile(join(folder, stream)).catch(() => undefined);
      if (actual !== event[stream].sha256) throw new StepFailed('raw files', `raw/${event.probeRun}/${stream} is not what the run wrote.`);
      files++;
    }
  }
  const record = events.some(({ type }) => type === 'probe-ended') ? await differingRecord(runDir, events) : undefined;
  if (record !== undefined) throw new StepFailed('raw files', `${record} does not say what plan and log say.`);
  steps.push({ name: 'raw files', state: 'ok', message: `${files} files are what the log says.` });
}

async function checkCapabilities(runDir: string, events: readonly RunEvent[], steps: VerificationStep[]): Promise<void> {
  const event = events.find((candidate) => candidate.type === 'capabilities');
  if (!event) return;
  // As bytes: what a machine answers need not be text.
  const answer = await readFile(join(runDir, RUN_FILES.raw, ...CAPABILITIES_RUN.split('/'), 'stdout')).catch(() => undefined);
  if (answer === undefined || sha256(answer) !== event.stdout.sha256) throw new StepFailed('host', "The machine's answer on its capabilities is not what the run wrote.");
  const parser = createByteParser(capabilityProbe);
  parser.write(answer);
  const again = plain(toHostCapabilities(parser.end({ exitCode: event.exitCode })));
  if (!isDeepStrictEqual(again, event.capabilities)) throw new StepFailed('host', "Reading the machine's capabilities again does not give the recorded ones.");
  steps.push({ name: 'host', state: 'ok', message: 'Capabilities were read again with the same result.' });
}

/** Last: only a view of sound evidence can be told from a changed one. */
async function checkViews(runDir: string, events: readonly RunEvent[]): Promise<void> {
  const view = await differingView(runDir, events, await readMeasurements(runDir));
  if (view !== undefined) {
    throw new StepFailed('views', `${view} is not what this version makes of the evidence: it was changed, or another version made it. Do not rely on that file; "gpu-acceptance report" makes a new one.`, 'cannot-tell');
  }
}

async function checkParsing(runDir: string, events: readonly RunEvent[], steps: VerificationStep[]): Promise<ReplayedProbe[]> {
  const replayed = await replayProbes(runDir, events).catch((error: Error) => {
    throw new StepFailed('parsing', error.message, 'cannot-tell');
  });
  const stored = await readMeasurements(runDir);
  const stray = stored.find(({ probeRun }) => !events.some((event) => event.type === 'probe-started' && event.probeRun === probeRun));
  // A run that goes on while it is exported may have measured more than the exported log knows.
  if (stray && events.at(-1)?.type === 'run-ended') throw new StepFailed('parsing', `${RUN_FILES.measurements} has values of ${stray.probeRun}, which was never started.`);
  for (const { started, ended, result, live } of replayed) {
    if (result.parser !== ended.parser) {
      throw new StepFailed('parsing', `${started.probeRun} was parsed by ${ended.parser}; this version has ${result.parser}.`, 'cannot-tell');
    }
    const recorded = stored.filter(({ probeRun }) => probeRun === started.probeRun).map(({ probeRun: _, ...measurement }) => measurement);
    const same = result.outcome === ended.outcome && isDeepStrictEqual(plain(result.reasons), ended.reasons) && isDeepStrictEqual(plain(result.measurements), recorded);
    const shown = events.flatMap((event) => (event.type === 'measurements' && event.probeRun === started.probeRun ? event.measurements : []));
    // Not all of them need have been shown: a very long run stops showing.
    if (!same || !isDeepStrictEqual(shown, plain(live.slice(0, shown.length)))) throw new StepFailed('parsing', `Parsing raw/${started.probeRun} again does not give the recorded result.`);
  }
  steps.push({ name: 'parsing', state: 'ok', message: `${replayed.length} outputs were parsed again with the same result.` });
  return replayed;
}

async function checkVerdict(runDir: string, events: readonly RunEvent[], replayed: readonly ReplayedProbe[], steps: VerificationStep[]): Promise<CardState | undefined> {
  const event = events.findLast((candidate) => candidate.type === 'verdict');
  const stored = await readOptional(join(runDir, RUN_FILES.verdict));
  if (!event) {
    if (stored !== undefined) throw new StepFailed('verdict', 'There is a verdict that the log does not know.');
    steps.push({ name: 'verdict', state: 'ok', message: 'The run ended without a verdict; nothing is accepted.' });
    return undefined;
  }
  if (event.verdict.engine !== VERDICT_ENGINE) {
    throw new StepFailed('verdict', `It was judged by ${event.verdict.engine}; this version has ${VERDICT_ENGINE}.`, 'cannot-tell');
  }
  const again = plain(rejudge(await readFile(join(runDir, RUN_FILES.card), 'utf8'), events, replayed, new Date(event.time)));
  if (!isDeepStrictEqual(again, event.verdict) || stored === undefined || !isDeepStrictEqual(JSON.parse(stored), event.verdict)) {
    throw new StepFailed('verdict', 'Judging the evidence again does not give the recorded verdict.');
  }
  steps.push({ name: 'verdict', state: 'ok', message: `Judged again with the same result: ${event.verdict.state}.` });
  return event.verdict.state;
}

/** As it comes back from JSON, so that both sides of a comparison have been through the same. */
const plain = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;
