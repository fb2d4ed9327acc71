import type { Rule } from '../../contract';
import { findMetric } from '../../knowledge';
import { objectivesOf } from '../../objectives';

/** Phases whose values are times or rates, so that a bare number is none. */
const WITH_UNIT: readonly (string | undefined)[] = ['start-up', 'queue', 'prefill', 'decode', 'first-token', 'inter-token', 'end-to-end', 'throughput', 'training-step'];

export const rule: Rule = {
  id: 'brief-objective-unit-missing',
  title: 'Objective without a unit',
  severity: 'warning',
  appliesTo: ['brief'],
  docs: { why: 'Is 0.5 half a second or half a millisecond? A bound of unknown unit is met by both.', advice: 'Write the number, a space and the unit: `350 ms`, `12 req/s`.' },
  check: ({ brief, at }) =>
    objectivesOf(brief).flatMap(({ objective: { metric, phase, value }, name, path }) => {
      // Metrics with a fixed unit are checked against it elsewhere.
      const known = findMetric(metric ?? '');
      const isOpen = known === undefined || known.metric.endsWith('*');
      const isBare = typeof value === 'number' || /^\s*\d+(\.\d+)?\s*$/.test(String(value ?? ''));
      return isOpen && isBare && WITH_UNIT.includes(phase) ? [{ message: `${String(value)} of what? Give "${name}" a unit.`, ...at([...path, 'value']) }] : [];
    }),
};
