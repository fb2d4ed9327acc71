import { occupancySentence } from '../probes/host-capabilities';
import { findProbe } from '../probes/registry';
import type { Evidence, LocatedMeasurement } from './evidence-query';

/** Why a missed bound proves nothing: others computed on the GPUs, and the metric suffers from that. Undefined: it counts. */
export function occupancyProblem(found: readonly LocatedMeasurement[], { capabilities }: Evidence): string | undefined {
  const occupied = capabilities && occupancySentence(capabilities);
  if (occupied === undefined || !found.some(needsIdleGpus)) return undefined;
  return `${occupied} Free them and run again.`;
}

const needsIdleGpus = ({ run, measurement }: LocatedMeasurement): boolean =>
  findProbe(run.probe)?.metrics.find(({ metric }) => metric === measurement.metric)?.needsIdleGpus === true;
