import type { Rule } from '../../contract';
import { criteriaOf } from '../../criteria';

export const rule: Rule = {
  id: 'card-source-expired',
  title: 'Threshold whose source has expired',
  severity: 'warning',
  appliesTo: ['card'],
  docs: { why: 'Drivers, libraries and contracts change what a machine should reach. A stale number judges today by the past.' },
  check: ({ card, today, at }) =>
    criteriaOf(card).flatMap(({ criterion: { source }, path }) =>
      source?.expires !== undefined && source.expires < today ? [{ message: `The source of this number expired on ${source.expires}.`, ...at([...path, 'source', 'expires']) }] : [],
    ),
};
