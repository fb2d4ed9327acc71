import type { Rule } from '../../contract';
import { criteriaOf } from '../../criteria';

export const rule: Rule = {
  id: 'card-nothing-required',
  title: 'Card that requires nothing',
  severity: 'error',
  appliesTo: ['card'],
  docs: { why: 'Advisory criteria never decide. A card without a required one ends as inconclusive on every machine.' },
  check: ({ card, at }) => {
    const criteria = criteriaOf(card);
    if (criteria.length === 0 || criteria.some(({ criterion }) => criterion.level !== 'advisory')) return [];
    return [{ message: 'Every criterion is advisory, so no machine can be accepted.', ...at(['stages'], 'key') }];
  },
};
