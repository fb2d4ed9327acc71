import type { Rule } from '../../contract';
import { disagreement } from '../../disagreement';

export const rule: Rule = {
  id: 'boundary-scheduler-differs',
  title: 'Other scheduler path than in the brief',
  severity: 'error',
  appliesTo: ['card'],
  docs: { why: 'A test that bypasses the scheduler of production misses its queue, its placement and its limits.' },
  check: (context) => {
    const own = context.card?.schedulerPath?.kind;
    const wanted = context.brief?.schedulerPath;
    return own === undefined || wanted === undefined || own === wanted ? [] : [disagreement(context, ['schedulerPath', 'kind'], ['schedulerPath'], `The work goes by "${wanted}"; this card tests by "${own}".`, wanted)];
  },
};
