import type { Rule } from '../../contract';
import { fix, setPath } from '../../edits';

export const rule: Rule = {
  id: 'card-failure-test-expectation',
  title: 'Failure test without expected behaviour',
  severity: 'warning',
  appliesTo: ['card'],
  docs: { why: 'Something is broken on purpose and nobody has written down what should then happen, so whatever happens looks fine.' },
  check: ({ card, document, at }) =>
    (card?.failureTests ?? []).flatMap(({ id, expected }, index) => {
      if (expected !== undefined && expected.trim() !== '') return [];
      const path = ['failureTests', index, 'expected'];
      return [{ message: `Say what must happen in "${id ?? 'this test'}": checkpoints, retries, alerts, what users see.`, ...at(['failureTests', index]), fixes: fix('Add "expected"', setPath(document, path, '')) }];
    }),
};
