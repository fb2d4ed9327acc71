import type { Rule } from '../../contract';
import { criteriaOf } from '../../criteria';
import { findMetric } from '../../knowledge';

const FOR_TEXT = ['==', '!=', 'in'];

export const rule: Rule = {
  id: 'card-text-compared-by-size',
  title: 'Text compared by size',
  severity: 'error',
  appliesTo: ['card'],
  docs: { why: 'A text is neither larger nor smaller than another, so the criterion can never be decided.' },
  check: ({ card, at }) =>
    criteriaOf(card).flatMap(({ criterion: { metric, comparator }, path }) => {
      if (metric === undefined || comparator === undefined || FOR_TEXT.includes(comparator) || findMetric(metric)?.valueType !== 'text') return [];
      return [{ message: `"${metric}" is text; compare it with ${FOR_TEXT.join(', ')}.`, ...at([...path, 'comparator']) }];
    }),
};
