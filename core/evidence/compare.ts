import { fileProblem } from '../document/disk';
import type { CardState, CriterionState, CriterionVerdict } from '../verdict/contract';
import type { RunStatus } from '../run/events';
import { type RunSummary, summariseRun } from './run-summary';
import { inspectRun } from './verify';

/** Several runs of one card, criterion by criterion. */
export interface Comparison {
  comparisonVersion: 1;
  cardName: string;
  runs: ComparedRun[];
  /** What is known of the machines, a value for each run in the order of `runs`; `null`: the machine did not say. */
  facts: { name: string; values: (string | null)[] }[];
  criteria: ComparedCriterion[];
  /** What a reader must know before drawing a conclusion. */
  notes: string[];
}

export interface ComparedRun {
  /** As it was named: a run folder or a bundle. */
  path: string;
  runId: string;
  target: string;
  startedAt?: string;
  status: RunStatus | 'interrupted';
  /** Absent for a run that ended without a verdict: nothing is accepted. */
  verdict?: CardState;
  /** `cannot-tell`: its parsing and verdict could not be made again by this version; the recorded ones are shown. */
  evidence: 'verified' | 'cannot-tell';
}

export interface ComparedCriterion {
  id: string;
  stage: string;
  metric: string;
  level: 'required' | 'advisory';
  /** The bound, when it is the same in all runs. */
  expected?: string;
  /** One for each run; `null`: the run has no such criterion. */
  cells: (ComparedCell | null)[];
  /** (highest − lowest) / highest of the measured values, 0…1; only for numbers of one unit in all runs that measured. */
  spread?: number;
}

export interface ComparedCell {
  state: CriterionState;
  expected: string;
  measured?: string;
  reason: string;
  isWaived: boolean;
}

/** These runs cannot be put side by side; the message says which and why. */
export class NotComparableError extends Error {}

/** Puts runs of one card side by side. Each is verified first; one whose evidence is not sound is never shown as numbers. Throws {@link NotComparableError}. */
export async function compareRuns(paths: readonly string[]): Promise<Comparison> {
  if (paths.length < 2) throw new NotComparableError('Name at least two runs: run folders or bundles.');
  const found: { path: string; summary: RunSummary; evidence: ComparedRun['evidence'] }[] = [];
  for (const path of paths) found.push(await loadVerified(path));
  const repeated = found.find(({ summary }, index) => found.findIndex((other) => other.summary.runId === summary.runId) !== index);
  if (repeated) throw new NotComparableError(`${repeated.path} is the run ${repeated.summary.runId}, which is named twice.`);
  const names = [...new Set(found.map(({ summary }) => summary.cardName))];
  if (names.length > 1) throw new NotComparableError(`These are runs of different cards: ${names.join(', ')}. Compare runs of one card.`);
  const summaries = found.map(({ summary }) => summary);
  const criteria = compareCriteria(summaries);
  return {
    comparisonVersion: 1,
    cardName: names[0]!,
    runs: found.map(({ path, summary, evidence }) => describe(path, summary, evidence)),
    facts: compareFacts(summaries),
    criteria,
    notes: notesOn(summaries, criteria),
  };
}

async function loadVerified(path: string): Promise<{ path: string; summary: RunSummary; evidence: ComparedRun['evidence'] }> {
  const { verification, events } = await inspectRun(path).catch((error: unknown) => {
    throw new NotComparableError(`Cannot read ${path}: ${fileProblem(error)}`);
  });
  const { state, steps } = verification;
  if (state === 'not-verified' || events.length === 0) {
    throw new NotComparableError(`The evidence of ${path} is not sound, so its numbers are not compared. ${steps.at(-1)?.message ?? ''}`.trim());
  }
  return { path, summary: summariseRun(events), evidence: state };
}

function describe(path: string, { runId, target, startedAt, status, verdict }: RunSummary, evidence: ComparedRun['evidence']): ComparedRun {
  return { path, runId, target, ...(startedAt === undefined ? {} : { startedAt }), status, ...(verdict ? { verdict: verdict.state } : {}), evidence };
}

function compareFacts(summaries: readonly RunSummary[]): Comparison['facts'] {
  const facts: [name: string, of: (run: RunSummary) => string | number | undefined][] = [
    ['GPUs', ({ capabilities }) => capabilities?.gpuCount],
    ['Driver', ({ capabilities }) => capabilities?.driverVersion],
    ['CUDA', ({ capabilities }) => capabilities?.cudaVersion],
    ['DCGM', ({ capabilities }) => capabilities?.dcgmVersion],
    ['NCCL', ({ capabilities }) => capabilities?.ncclVersion],
    ['Runs in', ({ capabilities }) => capabilities?.container ?? capabilities?.virtualMachine],
  ];
  return facts
    .map(([name, of]) => ({ name, values: summaries.map((run) => of(run)?.toString() ?? null) }))
    .filter(({ values }) => values.some((value) => value !== null));
}

function compareCriteria(summaries: readonly RunSummary[]): ComparedCriterion[] {
  const keyOf = ({ stage, id }: CriterionVerdict): string => `${stage}/${id}`;
  const verdicts = summaries.map((run) => new Map((run.verdict?.criteria ?? []).map((criterion) => [keyOf(criterion), criterion])));
  const keys = new Set(verdicts.flatMap((criteria) => [...criteria.keys()]));
  return [...keys].map((key) => compareOne(verdicts.map((criteria) => criteria.get(key))));
}

function compareOne(found: readonly (CriterionVerdict | undefined)[]): ComparedCriterion {
  const present = found.filter((criterion) => criterion !== undefined);
  const { id, stage, metric, level, expected } = present[0]!;
  const spread = spreadOf(present);
  return {
    id,
    stage,
    metric,
    level,
    ...(present.every((other) => other.expected === expected && other.metric === metric) ? { expected } : {}),
    cells: found.map((criterion) => (criterion ? cellOf(criterion) : null)),
    ...(spread === undefined ? {} : { spread }),
  };
}

const cellOf = ({ state, expected, measured, reason, waiver }: CriterionVerdict): ComparedCell => ({
  state,
  expected,
  ...(measured === undefined ? {} : { measured }),
  reason,
  isWaived: waiver !== undefined,
});

function spreadOf(criteria: readonly CriterionVerdict[]): number | undefined {
  const measured = criteria.filter(({ measuredValue }) => measuredValue !== undefined);
  const values = measured.map(({ measuredValue }) => measuredValue).filter((value) => typeof value === 'number');
  const units = new Set(measured.map(({ unit }) => unit));
  const isOneQuantity = units.size === 1 && new Set(criteria.map(({ metric }) => metric)).size === 1;
  if (values.length < 2 || values.length < measured.length || !isOneQuantity) return undefined;
  const [lowest, highest] = [Math.min(...values), Math.max(...values)];
  return lowest >= 0 && highest > 0 ? (highest - lowest) / highest : undefined;
}

const differ = (summaries: readonly RunSummary[], of: (run: RunSummary) => string | undefined): boolean => new Set(summaries.map(of)).size > 1;

function notesOn(summaries: readonly RunSummary[], criteria: readonly ComparedCriterion[]): string[] {
  const notes: string[] = [];
  const moved = criteria.filter(({ expected }) => expected === undefined).map(({ id }) => id);
  if (moved.length > 0) notes.push(`The bounds of these criteria differ, so their states cannot be compared: ${moved.join(', ')}.`);
  else if (differ(summaries, ({ card }) => card?.sha256)) notes.push('The card was changed between these runs, but every criterion that they share has the same bound.');
  if (differ(summaries, ({ brief }) => brief?.sha256)) notes.push('The brief was changed between these runs.');
  if (differ(summaries, ({ stages }) => stages.join())) notes.push('The runs did not run the same stages.');
  if (summaries.every(({ hostKeyFingerprint }) => hostKeyFingerprint !== undefined) && !differ(summaries, ({ hostKeyFingerprint }) => hostKeyFingerprint)) {
    notes.push('All runs met the same host key: they are of one machine, or of machines made from one image.');
  }
  const open = summaries.filter(({ status, verdict }) => status !== 'completed' || !verdict).map(({ runId, status }) => `${runId} (${status})`);
  if (open.length > 0) notes.push(`Not run to the end: ${open.join(', ')}.`);
  return notes;
}

/** A short name for each run: its target where that tells them apart, otherwise with the end of its id. */
export function runLabels(runs: readonly ComparedRun[]): string[] {
  const isUnique = new Set(runs.map(({ target }) => target)).size === runs.length;
  return runs.map(({ target, runId }) => (isUnique ? target : `${target} …${runId.slice(-LABEL_LENGTH)}`));
}

const LABEL_LENGTH = 4;

/** `66.7 %` */
export const showSpread = (spread: number | undefined): string => (spread === undefined ? '' : `${(spread * 100).toFixed(1)} %`);

/** How a cell reads in one line: `fail (waived) 158.2 GB/s`. */
export const showCell = (cell: ComparedCell | null): string => (cell ? [cell.state, ...(cell.isWaived ? ['(waived)'] : []), ...(cell.measured === undefined ? [] : [cell.measured])].join(' ') : 'not in its card');
