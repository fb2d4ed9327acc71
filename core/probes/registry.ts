import type { ProbeDefinition } from './contract';
import { PROBES } from './generated';

const byId = new Map(PROBES.map((probe) => [probe.id, probe]));

/** Every probe: one folder of this room that has an `index.ts` with an exported `probe`. */
export function allProbes(): readonly ProbeDefinition[] {
  return PROBES;
}

/** Undefined for an id that no probe has. */
export function findProbe(id: string): ProbeDefinition | undefined {
  return byId.get(id);
}
