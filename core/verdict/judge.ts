import type { AcceptanceCard, Waiver } from '../../schemas';
import type { HostCapabilities } from '../probes/contract';
import { STAGE_IDS, type StageId } from '../run/events';
import type { CardState, CardVerdict, CriterionState, CriterionVerdict } from './contract';
import { judgeCriterion } from './criterion';
import type { ProbeRunResult } from './evidence-query';
import { judgeCardRequirements } from './implied';

export type { ProbeRunResult } from './evidence-query';

/** Grows with each change that could alter a verdict for the same evidence. */
export const VERDICT_ENGINE = 'verdict/3';

export interface JudgeInput {
  card: AcceptanceCard;
  /** The stages that were run. Criteria and probes of the card's other stages are `not-run`: a part of a card cannot accept it. */
  stages: readonly StageId[];
  results: readonly ProbeRunResult[];
  capabilities?: HostCapabilities;
  /** Decides whether a waiver still holds. */
  now: Date;
}

/** Judges a whole card. Pure: the same input gives the same verdict anywhere. */
export function judgeCard({ card, results, capabilities, now }: JudgeInput): CardVerdict {
  const ordered = inCardOrder(card, results);
  const evidence = { results: ordered, ...(capabilities === undefined ? {} : { capabilities }) };
  const runs = [...ordered, ...neverStarted(card, results)];
  const criteria = [
    ...judgeCardRequirements(card, evidence),
    ...STAGE_IDS.flatMap((stage) => [
      ...(card.stages[stage]?.criteria ?? []).map((criterion) => judgeCriterion(criterion, stage, evidence)),
      ...runs.filter((run) => run.stage === stage).flatMap(judgeProbeRun),
    ]),
  ].map((verdict) => withWaiver(verdict, card.waivers ?? [], now));
  const state = decide(criteria);
  return { state, summary: summarise(state, criteria), criteria, counts: countStates(criteria), engine: VERDICT_ENGINE };
}

interface PlannedEntry {
  stage: StageId;
  entry: string;
  probe: string;
  required: boolean;
}

const entriesOf = (card: AcceptanceCard): PlannedEntry[] =>
  STAGE_IDS.flatMap((stage) => (card.stages[stage]?.probes ?? []).map(({ id, name = id, required = true }) => ({ stage, entry: name, probe: id, required })));

const isOf = (run: ProbeRunResult, { stage, entry }: PlannedEntry): boolean => run.stage === stage && run.entry === entry;

/** Whatever order the probes ended in: a replay knows the log's order only, and must come to the same verdict. */
function inCardOrder(card: AcceptanceCard, results: readonly ProbeRunResult[]): ProbeRunResult[] {
  const entries = entriesOf(card);
  const place = (run: ProbeRunResult): number => entries.findIndex((entry) => isOf(run, entry));
  return [...results].sort((a, b) => place(a) - place(b));
}

/** Probes of the card that this run left out, or did not come to: a part of a card cannot accept it. */
const neverStarted = (card: AcceptanceCard, results: readonly ProbeRunResult[]): ProbeRunResult[] =>
  entriesOf(card)
    .filter((entry) => !results.some((run) => isOf(run, entry)))
    .map(({ stage, entry, probe, required }) => ({ probeRun: `${stage}/${entry}`, stage, entry, probe, required, monitor: false }));

/** A required probe that failed, ended without a conclusion, measured nothing or did not run counts by itself. */
function judgeProbeRun(run: ProbeRunResult): CriterionVerdict[] {
  if (!run.required) return [];
  const finding = probeFinding(run);
  if (!finding) return [];
  return [
    {
      id: `probe.${run.entry}`,
      stage: run.stage,
      metric: run.probe,
      level: 'required',
      expected: 'measured',
      measured: run.result?.outcome ?? 'not run',
      evidence: run.result ? [{ probeRun: run.probeRun, ...(finding.line === undefined ? {} : { line: finding.line }) }] : [],
      state: finding.state,
      reason: finding.reason,
    },
  ];
}

function probeFinding({ result, notRun, entry }: ProbeRunResult): { state: CriterionState; reason: string; line?: number } | undefined {
  if (!result) return { state: 'not-run', reason: notRun?.message ?? `The probe "${entry}" was not run.` };
  const cause = result.reasons.find(({ severity }) => severity === 'error') ?? result.reasons[0];
  const located = cause?.line === undefined ? {} : { line: cause.line };
  if (result.outcome === 'failed') return { state: 'fail', reason: cause?.message ?? 'The output proves a fault.', ...located };
  if (result.outcome === 'inconclusive') return { state: 'inconclusive', reason: cause?.message ?? 'The output is not conclusive.', ...located };
  return result.measurements.length > 0 ? undefined : { state: 'inconclusive', reason: `The probe "${entry}" measured nothing.` };
}

function withWaiver(verdict: CriterionVerdict, waivers: readonly Waiver[], now: Date): CriterionVerdict {
  const waiver = waivers.find(({ criterion }) => criterion === verdict.id);
  if (!waiver || verdict.state === 'pass') return verdict;
  if (!waiverHolds(waiver, now)) return { ...verdict, reason: `${verdict.reason} Its waiver by ${waiver.by} does not hold today.` };
  const { by, date, reason, until } = waiver;
  return { ...verdict, waiver: { by, date, reason, ...(until === undefined ? {} : { until }) } };
}

/** Dates are whole days in UTC; the last day counts. */
function waiverHolds({ date, until }: Waiver, now: Date): boolean {
  const today = now.toISOString().slice(0, 10);
  return date <= today && (until === undefined || today <= until);
}

function decide(criteria: readonly CriterionVerdict[]): CardState {
  const required = criteria.filter(({ level }) => level === 'required');
  const open = required.filter(({ waiver }) => waiver === undefined);
  if (open.some(({ state }) => state === 'fail')) return 'rejected';
  const allPass = open.every(({ state }) => state === 'pass');
  // A card that requires nothing, or waives everything, has proved nothing.
  return allPass && open.length > 0 ? 'accepted' : 'inconclusive';
}

function summarise(state: CardState, criteria: readonly CriterionVerdict[]): string {
  const required = criteria.filter(({ level }) => level === 'required');
  const waived = required.filter(({ waiver }) => waiver !== undefined).length;
  const notes = waived === 0 ? '' : ` ${waived} waived.`;
  if (state === 'accepted') return `Accepted: all ${required.length - waived} required criteria pass.${notes}`;
  const first = (wanted: readonly CriterionState[]) => required.find((verdict) => verdict.waiver === undefined && wanted.includes(verdict.state));
  const cause = state === 'rejected' ? first(['fail']) : first(['inconclusive', 'not-run']);
  const word = state === 'rejected' ? 'Rejected' : 'Inconclusive';
  return cause ? `${word}: ${cause.id}: ${cause.reason}${notes}` : `${word}: no required criterion was judged.${notes}`;
}

function countStates(criteria: readonly CriterionVerdict[]): Record<CriterionState, number> {
  const counts: Record<CriterionState, number> = { pass: 0, fail: 0, inconclusive: 0, 'not-run': 0 };
  for (const { state } of criteria) counts[state]++;
  return counts;
}
