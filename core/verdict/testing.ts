import type { AcceptanceCard, Criterion, ProbeEntry } from '../../schemas';
import type { Measurement, ParseResult, Reason } from '../probes/contract';
import type { CardVerdict, CriterionVerdict } from './contract';
import type { ProbeRunResult } from './evidence-query';
import { judgeCard } from './judge';

/** Builders for tests of this room. */

export const NOW = new Date('2026-12-01T12:00:00Z');

export function cardWith(criteria: Criterion[], over: Partial<AcceptanceCard> = {}): AcceptanceCard {
  return {
    kind: 'AcceptanceCard',
    schemaVersion: 1,
    name: 'test-card',
    targets: [{ name: 'rental-a', host: 'gpu-01.example.com', user: 'root' }],
    stages: { 'environment-smoke': { probes: [{ id: 'nvidia-smi-list' }], criteria } },
    ...over,
  };
}

export function resultWith(measurements: Measurement[], over: Partial<ParseResult> = {}): ParseResult {
  return { probe: 'nvidia-smi-list', parser: 'nvidia-smi-list/1', outcome: 'measured', reasons: [], measurements, context: {}, ...over };
}

export function probeRun(result: ParseResult | undefined, over: Partial<ProbeRunResult> = {}): ProbeRunResult {
  const probe = result?.probe ?? over.probe ?? 'nvidia-smi-list';
  const entry = over.entry ?? probe;
  const stage = over.stage ?? 'environment-smoke';
  return { probeRun: `${stage}/${entry}/1`, stage, entry, probe, monitor: false, required: true, ...(result ? { result } : {}), ...over };
}

export const problem = (code: string, message: string): Reason => ({ code, severity: 'error', message });

export function judgeOne(criterion: Criterion, runs: ProbeRunResult[]): CriterionVerdict {
  return findCriterion(judgeRuns([criterion], runs), criterion.id);
}

/** Judges runs of a card that has these probes and no others. */
export function judgeRuns(criteria: Criterion[], results: ProbeRunResult[], over: Partial<AcceptanceCard> = {}): CardVerdict {
  const probes = results.filter(({ stage }) => stage === 'environment-smoke').map(({ probe, entry, required }) => ({ id: probe as ProbeEntry['id'], name: entry, required }));
  return judgeCard({ card: cardWith(criteria, { stages: { 'environment-smoke': { probes, criteria } }, ...over }), stages: ['environment-smoke'], results, now: NOW });
}

export function findCriterion(verdict: CardVerdict, id: string): CriterionVerdict {
  const found = verdict.criteria.find((criterion) => criterion.id === id);
  if (!found) throw new Error(`The verdict has no criterion ${id}.`);
  return found;
}
