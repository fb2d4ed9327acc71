import { isDeepStrictEqual } from 'node:util';
import { readCard } from '../document/read';
import type { PlannedProbe, RunPlan } from '../run/contract';
import type { RunEvent } from '../run/events';
import { describeCommand, probeRunName } from '../run/probe-runner';

/**
 * Whether log, plan and card tell of one and the same run. The seals prove that nothing was changed behind the log's back;
 * this proves that the log itself makes sense: an event that no run writes changes what a verdict rests on.
 */
export interface AccountProblem {
  step: 'log' | 'plan' | 'documents';
  message: string;
  /** True for what a newer version may have had a reason to write. */
  isUnknown?: boolean;
}

type Of<Type extends RunEvent['type']> = Extract<RunEvent, { type: Type }>;
type Started = Of<'probe-started'>;

const ONCE: ReadonlySet<RunEvent['type']> = new Set(['run-started', 'host-connected', 'capabilities', 'plan-locked', 'verdict', 'run-ended'] as const);
const MANY: ReadonlySet<RunEvent['type']> = new Set([
  'consent-given', 'stage-started', 'probe-started', 'probe-progress', 'measurements', 'probe-ended', 'probe-not-run', 'stage-ended', 'cancel-requested', 'connection-lost',
] as const);

const eventsOf = <Type extends RunEvent['type']>(events: readonly RunEvent[], type: Type): Of<Type>[] => events.filter((event): event is Of<Type> => event.type === type);

/** Each event may stand where it stands, whatever the plan was. */
export function logProblem(events: readonly RunEvent[]): AccountProblem | undefined {
  const log = (message: string): AccountProblem => ({ step: 'log', message });
  const unknown = events.find(({ type }) => !ONCE.has(type) && !MANY.has(type));
  if (unknown) return { ...log(`This version does not know the event "${unknown.type}".`), isUnknown: true };
  const repeated = events.find((event, index) => ONCE.has(event.type) && events.findIndex(({ type }) => type === event.type) !== index);
  if (repeated) return log(`A run has one event "${repeated.type}", and this log has more.`);
  const end = events.findIndex(({ type }) => type === 'run-ended');
  if (end !== -1 && end !== events.length - 1) return log('The log goes on behind the end of the run.');
  const locked = events.findIndex(({ type }) => type === 'plan-locked');
  const unknownHost = (['host-connected', 'capabilities'] as const).find((type) => !events.slice(0, locked + 1).some((event) => event.type === type));
  if (locked !== -1 && unknownHost) return log(`A plan was locked without the event "${unknownHost}".`);
  const verdict = events.findIndex(({ type }) => type === 'verdict');
  if (verdict !== -1 && events.slice(verdict + 1).some(({ type }) => type !== 'run-ended')) return log('The run went on behind its verdict.');
  return clockProblem(events) ?? probeProblem(events);
}

function clockProblem(events: readonly RunEvent[]): AccountProblem | undefined {
  const broken = events.find(({ time, elapsedMs }, index) => Number.isNaN(Date.parse(time)) || elapsedMs < (events[index - 1]?.elapsedMs ?? 0));
  if (broken) return { step: 'log', message: `The clock of event ${broken.seq} goes back or cannot be read.` };
  const [started, judged] = [events[0], eventsOf(events, 'verdict')[0]];
  // A computer's clock may be set while a run lasts. Whether a waiver held on that day then depends on it.
  if (!started || !judged || Date.parse(judged.time) >= Date.parse(started.time)) return undefined;
  return { step: 'log', message: `The run was judged at ${judged.time}, before it started by the same clock (${started.time}).`, isUnknown: true };
}

/** Every end belongs to one start, and a probe that was not run has neither. */
function probeProblem(events: readonly RunEvent[]): AccountProblem | undefined {
  const log = (message: string): AccountProblem => ({ step: 'log', message });
  const open = new Set<string>();
  const seen = new Set<string>();
  let stage: string | undefined;
  for (const event of events) {
    if (event.type === 'stage-started') stage = event.stage;
    if (event.type === 'stage-ended') stage = undefined;
    if (event.type === 'probe-started') {
      const { probeRun, attempt } = event;
      if (event.stage !== stage) return log(`The probe run ${probeRun} was started outside its stage.`);
      if (probeRun !== probeRunName(event, attempt) || attempt !== 1) return log(`The probe run ${probeRun} has a name that no run gives.`);
      if (seen.has(probeRun)) return log(`The probe run ${probeRun} was started twice.`);
      seen.add(probeRun);
      open.add(probeRun);
    } else if (event.type === 'probe-ended') {
      if (!open.delete(event.probeRun)) return log(`The probe run ${event.probeRun} ended without a start.`);
    } else if (event.type === 'probe-not-run') {
      const probeRun = probeRunName(event);
      if (seen.has(probeRun)) return log(`The log says that ${probeRun} was run, and that it was not.`);
      seen.add(probeRun);
    }
  }
  return undefined;
}

/** What was run is what was planned, and what was planned is what the card asks for. */
export function planProblem(events: readonly RunEvent[], planText: string, cardText: string): AccountProblem | undefined {
  const started = eventsOf(events, 'run-started')[0]!;
  const plan = readPlan(planText);
  if (!plan) return { step: 'plan', message: 'The plan cannot be read by this version.', isUnknown: true };
  const { runId, target, stages, card, brief } = started;
  const [same, planned] = [
    { runId, target, stages, cardSha256: card.sha256, briefSha256: brief?.sha256 },
    { runId: plan.runId, target: plan.target, stages: plan.stages, cardSha256: plan.cardSha256, briefSha256: plan.briefSha256 },
  ];
  if (!isDeepStrictEqual(same, planned)) return { step: 'plan', message: 'The plan is that of another run, card, brief or target.' };
  return cardProblem(plan, started, cardText) ?? executionProblem(events, plan);
}

function readPlan(text: string): RunPlan | undefined {
  try {
    const plan = JSON.parse(text) as RunPlan;
    return plan.planVersion === 1 && Array.isArray(plan.probes) ? plan : undefined;
  } catch {
    return undefined;
  }
}

function cardProblem({ probes }: RunPlan, { cardName, target, stages }: Of<'run-started'>, cardText: string): AccountProblem | undefined {
  const card = readCard(cardText).value;
  if (!card) return { step: 'documents', message: 'The card cannot be read by this version.', isUnknown: true };
  if (card.name !== cardName || !card.targets.some(({ name }) => name === target) || stages.some((stage) => card.stages[stage] === undefined)) {
    return { step: 'documents', message: 'The log tells of another card than the one beside it.' };
  }
  const stray = probes.find(({ stage, entry, probe, required, plan }) => {
    const asked = card.stages[stage]?.probes?.find(({ id, name = id }) => name === entry);
    return asked?.id !== probe || (asked.required ?? true) !== required || asked.from !== (plan.kind === 'derived' ? plan.from : undefined);
  });
  return stray && { step: 'plan', message: `The card does not ask for ${stray.stage}/${stray.entry} as it was planned.` };
}

function executionProblem(events: readonly RunEvent[], { probes }: RunPlan): AccountProblem | undefined {
  const plan = (message: string): AccountProblem => ({ step: 'plan', message });
  const plannedOf = ({ stage, entry }: Pick<PlannedProbe, 'stage' | 'entry'>): PlannedProbe | undefined => probes.find((planned) => planned.stage === stage && planned.entry === entry);
  const begun = eventsOf(events, 'probe-started');
  const other = begun.find((event) => !isAsPlanned(event, plannedOf(event)));
  if (other) return plan(`${other.probeRun} was not run as planned.`);
  const refused = eventsOf(events, 'probe-not-run');
  const stray = refused.find((event) => plannedOf(event)?.probe !== event.probe);
  if (stray) return plan(`${stray.stage}/${stray.entry} was never planned.`);
  const unasked = begun.find((event) => event.from === undefined && !hasConsent(events, event));
  if (unasked) return plan(`${unasked.probeRun} was run without consent.`);
  if (eventsOf(events, 'run-ended')[0]?.status !== 'completed') return undefined;
  const done = new Set([...eventsOf(events, 'probe-ended').map(({ probeRun }) => probeRun), ...refused.map((event) => probeRunName(event))]);
  const missing = probes.find((planned) => !done.has(probeRunName(planned)));
  return missing && plan(`${missing.stage}/${missing.entry} was planned, and the log does not say how it ended.`);
}

function isAsPlanned(event: Started, planned: PlannedProbe | undefined): boolean {
  if (!planned || planned.probe !== event.probe || planned.monitor !== event.monitor) return false;
  const { plan, stage } = planned;
  if (plan.kind === 'unprovable') return false;
  if (plan.kind === 'derived') return event.command === undefined && event.from === probeRunName({ stage, entry: plan.from }) && !event.invasive;
  return event.from === undefined && event.invasive === plan.invasive && event.timeoutMs === plan.timeoutMs && isDeepStrictEqual(event.command, describeCommand(plan));
}

const hasConsent = (events: readonly RunEvent[], { seq, entry, invasive }: Started): boolean =>
  eventsOf(events, 'consent-given').some((consent) => consent.seq < seq && consent.scope === (invasive ? 'invasive' : 'read-only') && consent.entries.includes(entry));
