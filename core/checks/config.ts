import { parseDocument } from 'yaml';
import type { SeverityOverride } from './contract';

/** Name of the file beside (or above) briefs and cards that sets severities for everyone who checks them. */
export const CONFIG_FILE = 'gpu-acceptance.yaml';

export type SeverityMap = Readonly<Record<string, SeverityOverride>>;

const LEVELS: readonly string[] = ['error', 'warning', 'information', 'hint', 'off'];

/** Reads `checks.severity` of a {@link CONFIG_FILE}; what is wrong in it is told and not used. */
export function readConfig(text: string): { severity: SeverityMap; problems: string[] } {
  const tree = parseDocument(text, { prettyErrors: false, uniqueKeys: false });
  if (tree.errors[0]) return { severity: {}, problems: [`${CONFIG_FILE} is not valid YAML: ${tree.errors[0].message}`] };
  const root = tree.toJS({ maxAliasCount: 10 }) as { checks?: { severity?: unknown } } | null;
  const given = root?.checks?.severity;
  return given === undefined || given === null ? { severity: {}, problems: [] } : toSeverityMap(given);
}

/** Keeps the entries that are severities. */
export function toSeverityMap(given: unknown): { severity: SeverityMap; problems: string[] } {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return { severity: {}, problems: ['checks.severity must map check ids to severities.'] };
  const problems: string[] = [];
  const severity: Record<string, SeverityOverride> = {};
  for (const [rule, level] of Object.entries(given)) {
    if (LEVELS.includes(String(level))) severity[rule] = level as SeverityOverride;
    else problems.push(`checks.severity: "${String(level)}" for ${rule} is none of ${LEVELS.join(', ')}. Quote "off".`);
  }
  return { severity, problems };
}
