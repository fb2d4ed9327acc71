import { PROFILES } from '../../schemas/generated/profiles';
import type { HardwareProfile } from '../../schemas';
import type { MetricDescription, ProbeDefinition } from '../probes/contract';
import { allProbes, findProbe } from '../probes/registry';

/** Facts that checks, completion and hover share. */

export interface KnownMetric extends MetricDescription {
  /** Probes that report it. */
  probes: readonly string[];
}

let metrics: readonly KnownMetric[] | undefined;

/** Every metric of every probe, each once. */
export function allMetrics(): readonly KnownMetric[] {
  return (metrics ??= collectMetrics());
}

function collectMetrics(): KnownMetric[] {
  const byId = new Map<string, KnownMetric>();
  for (const probe of allProbes()) {
    for (const metric of probe.metrics) {
      const known = byId.get(metric.metric);
      byId.set(metric.metric, { ...(known ?? metric), probes: [...(known?.probes ?? []), probe.id] });
    }
  }
  return [...byId.values()].sort((a, b) => a.metric.localeCompare(b.metric));
}

/** The description of a metric id, also one that a `prom.*` pattern covers; undefined when no probe reports it. */
export function findMetric(id: string): KnownMetric | undefined {
  return allMetrics().find(({ metric }) => matches(metric, id));
}

export function reportsMetric(probe: ProbeDefinition, id: string): boolean {
  return probe.metrics.some(({ metric }) => matches(metric, id));
}

const matches = (pattern: string, id: string): boolean => (pattern.endsWith('*') ? id.startsWith(pattern.slice(0, -1)) : pattern === id);

export function allProfiles(): readonly HardwareProfile[] {
  return PROFILES;
}

export function findProfile(id: string): HardwareProfile | undefined {
  return PROFILES.find((profile) => profile.id === id);
}

/** The profile that a GPU name matches; undefined when none or several do, since a guess would judge by wrong ceilings. */
export function profileOfGpu(name: string): HardwareProfile | undefined {
  const found = PROFILES.filter(({ match }) => match?.some((part) => holdsWords(name, part)));
  return found.length === 1 ? found[0] : undefined;
}

/** `L4` is not in `L40S`, and `B200` is not in `GB200`. */
function holdsWords(text: string, words: string): boolean {
  const at = text.toLowerCase().indexOf(words.toLowerCase());
  return at !== -1 && !/[a-z0-9]/i.test(text[at - 1] ?? ' ') && !/[a-z0-9]/i.test(text[at + words.length] ?? ' ');
}

export { allProbes, findProbe };
