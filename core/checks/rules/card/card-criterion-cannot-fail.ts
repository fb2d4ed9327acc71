import type { Rule } from '../../contract';
import { criteriaOf } from '../../criteria';
import { findMetric } from '../../knowledge';
import { numberIn } from '../../threshold-number';

/** Metrics that count or share: never negative, shares never above 1. */
const SHARES = /(_usage|_rate|gdrdma)$/;

export const rule: Rule = {
  id: 'card-criterion-cannot-fail',
  title: 'Criterion that cannot fail',
  severity: 'error',
  appliesTo: ['card'],
  docs: { why: 'A card is a contract that can fail. A bound that every machine meets rejects nothing and looks like a test.' },
  check: ({ card, at }) =>
    criteriaOf(card).flatMap(({ criterion, path }) => {
      const { metric, comparator } = criterion;
      const known = metric === undefined ? undefined : findMetric(metric);
      const value = numberIn(criterion, known?.unit);
      if (known?.valueType !== 'number' || value === undefined) return [];
      const isAlwaysMet = ((comparator === '>=' && value <= 0) || (comparator === '>' && value < 0)) && known.unit !== 'Cel';
      const isShareAlwaysMet = SHARES.test(metric!) && ((comparator === '<=' && value >= 1) || (comparator === '<' && value > 1));
      if (!isAlwaysMet && !isShareAlwaysMet) return [];
      return [{ message: `Every machine meets "${comparator} ${String(criterion.value)}": "${metric}" ${isAlwaysMet ? 'is never below 0' : 'is never above 1'}.`, ...at([...path, 'value']) }];
    }),
};
