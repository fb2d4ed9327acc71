import type { Objective, WorkloadBrief } from '../../schemas';
import type { Path } from '../document/source';
import type { Draft } from './contract';
import { findMetric } from './knowledge';

export interface LocatedObjective {
  objective: Draft<Objective>;
  /** Its id, or what to call it without one. */
  name: string;
  path: Path;
}

/** Every performance objective of a brief that names a metric. */
export function objectivesOf(brief: Draft<WorkloadBrief> | undefined): LocatedObjective[] {
  return (brief?.performanceObjectives ?? []).flatMap((objective, index) =>
    objective.metric === undefined ? [] : [{ objective, name: objective.id ?? objective.metric, path: ['performanceObjectives', index] }],
  );
}

const LATENCY_PHASES: readonly (string | undefined)[] = ['queue', 'prefill', 'decode', 'first-token', 'inter-token', 'end-to-end'];

/** A time that every request has: its distribution matters. A restore or a start-up happens once. */
export function isLatency({ metric = '', phase }: Draft<Objective>): boolean {
  const known = findMetric(metric);
  if (known && !known.metric.endsWith('*')) return known.unit !== undefined && known.labels?.includes('stat') === true;
  return LATENCY_PHASES.includes(phase);
}

/** True for what a server shows under requests; such a number holds at one load only. */
export function dependsOnLoad(objective: Draft<Objective>): boolean {
  return isLatency(objective) || /^(vllm|sglang|load)\./.test(objective.metric ?? '') || (objective.phase === 'throughput' && !/^(nccl|checkpoint|torch)\./.test(objective.metric ?? ''));
}
