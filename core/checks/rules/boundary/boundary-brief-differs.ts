import type { Rule } from '../../contract';
import { disagreement } from '../../disagreement';

export const rule: Rule = {
  id: 'boundary-brief-differs',
  title: 'Other boundary than in the brief',
  severity: 'error',
  appliesTo: ['card'],
  docs: { why: 'What was accepted on one class of rental says little of another: tenancy, storage and interruption differ.' },
  check: (context) => {
    const own = context.card?.allocationBoundary?.class;
    const wanted = context.brief?.allocationBoundary;
    return own === undefined || wanted === undefined || own === wanted ? [] : [disagreement(context, ['allocationBoundary', 'class'], ['allocationBoundary'], `The brief asks for "${wanted}"; this card accepts "${own}".`, wanted)];
  },
};
