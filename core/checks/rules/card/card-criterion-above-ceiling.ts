import type { Rule } from '../../contract';
import { criteriaOf } from '../../criteria';
import { findMetric } from '../../knowledge';
import { numberIn } from '../../threshold-number';

export const rule: Rule = {
  id: 'card-criterion-above-ceiling',
  title: 'Threshold above what the hardware can do',
  severity: 'error',
  appliesTo: ['card'],
  docs: { why: 'No machine of this kind can pass, so good ones are rejected and the card is blamed.', advice: 'Take the number from a published measurement on the same fabric, message size and number of nodes.' },
  check: ({ card, profile, at }) =>
    criteriaOf(card).flatMap(({ criterion, path }) => {
      const { metric, comparator, context } = criterion;
      const unit = metric === undefined ? undefined : findMetric(metric)?.unit;
      const value = numberIn(criterion, unit);
      // A ceiling of one node says nothing about several.
      if (value === undefined || (comparator !== '>=' && comparator !== '>') || (context?.nodes ?? 1) > 1) return [];
      const ceiling = profile?.ceilings?.find((candidate) => candidate.metric === metric);
      const limit = ceiling && numberIn({ value: ceiling.value }, unit);
      if (!ceiling || limit === undefined || value < limit) return [];
      return [{ message: `${profile!.name} cannot reach ${String(criterion.value)}: its ceiling is ${ceiling.value} (${ceiling.source.publisher}).`, ...at([...path, 'value']) }];
    }),
};
