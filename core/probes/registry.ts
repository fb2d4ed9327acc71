import type { ProbeDefinition } from './contract';

/** Every probe, in the order in which docs and completion list them. One line a probe. */
const PROBES: readonly ProbeDefinition[] = [
];

const byId = new Map(PROBES.map((probe) => [probe.id, probe]));

export function allProbes(): readonly ProbeDefinition[] {
  return PROBES;
}

/** Undefined for an id that no probe has. */
export function findProbe(id: string): ProbeDefinition | undefined {
  return byId.get(id);
}
