import type { Rule } from '../../contract';
import { criteriaOf } from '../../criteria';
import { fix, setPath } from '../../edits';

export const rule: Rule = {
  id: 'card-source-missing',
  title: 'Threshold without a source',
  severity: 'warning',
  appliesTo: ['card'],
  docs: { why: 'A number that nobody can trace cannot be defended when a provider disputes the rejection.' },
  check: ({ card, document, at }) =>
    criteriaOf(card).flatMap(({ criterion, path }) => {
      if (criterion.value === undefined || criterion.source?.kind !== undefined) return [];
      const source = criterion.objective === undefined ? undefined : { kind: 'brief', reference: criterion.objective };
      return [{ message: `Say where the number of "${criterion.id ?? 'this criterion'}" comes from.`, ...at([...path, 'value']), fixes: source ? fix('Name the brief as its source', setPath(document, [...path, 'source'], source)) : [] }];
    }),
};
