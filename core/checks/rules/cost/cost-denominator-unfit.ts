import type { Path } from '../../../document/source';
import type { Rule } from '../../contract';
import { ownCost } from '../../cost-record';

const TIME = /\b(?:gpu|node|machine|instance|server|accelerator|vm|billed|rented)[- ]?(?:hours?|h|minutes?|days?|months?)\b|^(?:an?|one|each|per)?\s*(?:hours?|minutes?|seconds?|days?|weeks?|months?)$/i;
const EFFORT = /^(?:an?|one|each|all|per|\d+[km]?)?\s*(?:(?:output|input|generated|processed|million)\s+)*(?:tokens?|requests?|attempts?|steps?|calls?)(?:\s+(?:sent|received|started|attempted|made))?$/i;

export const rule: Rule = {
  id: 'cost-denominator-unfit',
  title: 'Denominator that is no completed work',
  severity: 'warning',
  appliesTo: ['brief', 'card'],
  docs: { why: 'Hours, tokens and attempts are paid for whether or not anything came of them: divided by them, a rental that fails half of its jobs looks as good as one that finishes all.', advice: 'Accepted images, finished videos, successful jobs, requests inside the objective, batches that meet quality.' },
  check: (context) => {
    const places: [Path, string | undefined][] = [
      [['cost', 'completedWork'], ownCost(context)?.completedWork],
      [['workload', 'completedWork'], context.subject === 'brief' ? context.brief?.workload?.completedWork : undefined],
    ];
    return places.flatMap(([path, work]) => {
      const text = work?.trim() ?? '';
      if (TIME.test(text)) return [{ message: `"${text}" is rented time, not completed work.`, ...context.at(path) }];
      return EFFORT.test(text) ? [{ message: `"${text}" is effort, not completed work: say what makes it count (accepted, finished, inside the objective).`, ...context.at(path) }] : [];
    });
  },
};
