import type { Rule } from '../../contract';
import { invasiveEntries } from '../../drain';

/** What DCGM's own levels take at least on eight GPUs (dcgmi help text and published runs). */
const LEVEL_MS: Readonly<Record<number, number>> = { 2: 120_000, 3: 900_000, 4: 3_600_000 };

export const rule: Rule = {
  id: 'card-drain-too-short',
  title: 'Less time than the probe takes',
  severity: 'error',
  appliesTo: ['card'],
  docs: { why: 'A diagnostic that is ended by its deadline proves nothing, after it has taken the machine for that long.' },
  check: (context) =>
    invasiveEntries(context).flatMap(({ entry, name, path }) => {
      const level = entry.id === 'dcgmi-diag' ? Number((entry.with as { level?: unknown }).level) : 0;
      const neededMs = LEVEL_MS[level];
      const allowedMs = Math.min(entry.timeoutMs ?? Number.POSITIVE_INFINITY, context.card?.drainAuthorization?.maximumDurationMs ?? Number.POSITIVE_INFINITY);
      if (neededMs === undefined || allowedMs >= neededMs) return [];
      const place = entry.timeoutMs === allowedMs ? [...path, 'timeoutMs'] : ['drainAuthorization', 'maximumDurationMs'];
      return [{ message: `"${name}" at level ${level} takes at least ${neededMs / 60_000} min; it has ${Number((allowedMs / 60_000).toFixed(1))} min.`, ...context.at(place) }];
    }),
};
