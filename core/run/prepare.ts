import type { AcceptanceCard, DrainAuthorization, ProbeEntry, Target, WorkloadBrief } from '../../schemas';
import { readBrief, readCard } from '../document/read';
import type { CommandPlan, HostCapabilities, ProbeDefinition, ProbePlan, Reason, ScrapePlan } from '../probes/contract';
import { findProbe } from '../probes/registry';
import type { SshEndpoint } from '../transport/contract';

export { endpointLabel as hostLabel } from '../transport/contract';
import { CannotRunError, type PlannedProbe, type RunRequest } from './contract';
import { STAGE_IDS, type StageId } from './events';

export interface PreparedRun {
  card: AcceptanceCard;
  brief?: WorkloadBrief;
  target: Target;
  endpoint: SshEndpoint;
  stages: StageId[];
  entries: SelectedEntry[];
}

export interface SelectedEntry {
  stage: StageId;
  name: string;
  entry: ProbeEntry;
  probe: ProbeDefinition;
}

export const entryName = (entry: ProbeEntry): string => entry.name ?? entry.id;

/** Reads and checks everything that can be known without the machine. Throws {@link CannotRunError}. */
export function prepareRun(request: RunRequest): PreparedRun {
  const card = valueOf(readCard(request.cardText), request.cardPath, 'card');
  const brief = request.brief && valueOf(readBrief(request.brief.text), request.brief.path, 'brief');
  const target = chooseTarget(card, request.target);
  const stages = chooseStages(card, request.stages);
  const { host, user, port = 22, authentication, identityFile } = target;
  return {
    card,
    ...(brief ? { brief } : {}),
    target,
    endpoint: { host, user, port, ...(authentication ? { authentication } : {}), ...(identityFile ? { identityFile } : {}) },
    stages,
    entries: selectEntries(card, stages, request.entries),
  };
}

function valueOf<T>(read: { value?: T; problems: readonly { message: string; line: number }[] }, path: string, what: string): T {
  if (read.value !== undefined) return read.value;
  const shown = read.problems.slice(0, 5).map(({ message, line }) => `${path}:${line}: ${message}`);
  throw new CannotRunError(`The ${what} cannot be run:\n${shown.join('\n')}`, `Correct the ${what}; "gpu-acceptance check ${path}" lists all findings.`);
}

function chooseTarget(card: AcceptanceCard, name: string | undefined): Target {
  const names = card.targets.map((target) => target.name).join(', ');
  if (name === undefined && card.targets.length > 1) throw new CannotRunError(`The card has several targets: ${names}.`, 'Choose one with --target.');
  const target = name === undefined ? card.targets[0] : card.targets.find((candidate) => candidate.name === name);
  if (!target) throw new CannotRunError(`The card has no target "${name}".`, `Targets of the card: ${names}.`);
  return target;
}

function chooseStages(card: AcceptanceCard, wanted: readonly StageId[] | undefined): StageId[] {
  const present = STAGE_IDS.filter((stage) => card.stages[stage] !== undefined);
  const missing = wanted?.find((stage) => !present.includes(stage));
  if (missing !== undefined) throw new CannotRunError(`The card has no stage "${missing}".`, `Stages of the card: ${present.join(', ')}.`);
  return wanted ? present.filter((stage) => wanted.includes(stage)) : present;
}

function selectEntries(card: AcceptanceCard, stages: readonly StageId[], wanted: readonly string[] | undefined): SelectedEntry[] {
  const all = stages.flatMap((stage) => (card.stages[stage]?.probes ?? []).map((entry) => ({ stage, name: entryName(entry), entry, probe: probeOf(entry) })));
  rejectDuplicates(all);
  const namesOf = ({ stage, name }: SelectedEntry): string[] => [name, `${stage}/${name}`];
  const missing = wanted?.find((name) => !all.some((selected) => namesOf(selected).includes(name)));
  if (missing !== undefined) throw new CannotRunError(`The card's stages have no probe "${missing}".`, `Probes: ${all.map(({ name }) => name).join(', ')}.`);
  const chosen = wanted ? all.filter((selected) => namesOf(selected).some((name) => wanted.includes(name))) : all;
  const selected = withSources(all, chosen);
  for (const { stage, name, entry } of selected) {
    if (entry.from === undefined) continue;
    const index = selected.findIndex((other) => other.stage === stage && other.name === entry.from);
    const own = selected.findIndex((other) => other.stage === stage && other.name === name);
    if (index === -1 || index > own) throw new CannotRunError(`The probe "${name}" reads from "${entry.from}", which is no earlier probe of its stage.`, 'Correct `from`, or move the probe.');
  }
  return selected;
}

/** A probe that reads another one's output needs that one too, and so on. */
function withSources(all: readonly SelectedEntry[], chosen: readonly SelectedEntry[]): SelectedEntry[] {
  const wanted = new Set(chosen);
  // Sources stand before what reads them.
  for (const source of all.toReversed()) {
    if ([...wanted].some(({ stage, entry }) => stage === source.stage && entry.from === source.name)) wanted.add(source);
  }
  return all.filter((selected) => wanted.has(selected));
}

function probeOf({ id }: ProbeEntry): ProbeDefinition {
  const probe = findProbe(id);
  if (!probe) throw new CannotRunError(`This version has no probe "${id}".`, 'Correct the id, or update the program.');
  return probe;
}

function rejectDuplicates(entries: readonly SelectedEntry[]): void {
  const seen = new Set<string>();
  for (const { stage, name } of entries) {
    const key = `${stage}/${name}`;
    if (seen.has(key)) throw new CannotRunError(`The stage ${stage} has two probes named "${name}".`, 'Give one of them a name of its own.');
    seen.add(key);
  }
}

/** The exact command of each entry for this host, or why this host cannot give that evidence. */
export function planEntries(prepared: PreparedRun, host: HostCapabilities): PlannedProbe[] {
  return prepared.entries.map(({ stage, name, entry, probe }) => ({
    stage,
    entry: name,
    probe: probe.id,
    plan: entry.from === undefined ? planEntry(entry, probe, host) : { kind: 'derived', from: outputOf(prepared.entries, stage, entry.from) },
    monitor: probe.isMonitor === true && entry.from === undefined,
    required: entry.required ?? true,
  }));
}

/** The entry that has the output: one that reads another one's has none of its own. */
function outputOf(entries: readonly SelectedEntry[], stage: StageId, name: string): string {
  const from = entries.find((selected) => selected.stage === stage && selected.name === name)?.entry.from;
  return from === undefined ? name : outputOf(entries, stage, from);
}

function planEntry(entry: ProbeEntry, probe: ProbeDefinition, host: HostCapabilities): ProbePlan {
  const plan = probe.plan?.((entry.with ?? {}) as Record<string, unknown>, host);
  if (!plan) {
    const message = `The probe ${probe.id} only reads saved output or the output of another probe; give it \`from\`.`;
    return { kind: 'unprovable', reason: { code: 'probe.no-command', severity: 'error', message } };
  }
  return plan.kind === 'unprovable' || entry.timeoutMs === undefined ? plan : { ...plan, timeoutMs: entry.timeoutMs };
}

/** Undefined when the card's drain authorisation allows this probe on this target from now until the end of its deadline. */
export function drainProblem(authorization: DrainAuthorization | undefined, target: string, plan: CommandPlan | ScrapePlan, now: Date): Reason | undefined {
  const reason = (message: string): Reason => ({ code: 'run.no-drain-authorisation', severity: 'error', message });
  if (!authorization) return reason('This probe takes real capacity, and the card has no drain authorisation.');
  const { targets, from, until, maximumDurationMs } = authorization;
  if (!targets.includes(target)) return reason(`The drain authorisation does not cover the target "${target}".`);
  if (from !== undefined && now < new Date(from)) return reason(`The drain authorisation begins on ${from}.`);
  if (until !== undefined && now > new Date(until)) return reason(`The drain authorisation ended on ${until}.`);
  if (until !== undefined && now.getTime() + plan.timeoutMs > new Date(until).getTime()) {
    return reason(`The probe may take ${plan.timeoutMs} ms, and the drain authorisation ends on ${until}, before that.`);
  }
  if (maximumDurationMs !== undefined && plan.timeoutMs > maximumDurationMs) {
    return reason(`The probe may take ${plan.timeoutMs} ms, but the drain authorisation allows ${maximumDurationMs} ms.`);
  }
  return undefined;
}
