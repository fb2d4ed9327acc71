import type { Rule } from '../../contract';

export const rule: Rule = {
  id: 'card-failure-test-alert-owner',
  title: 'Failure test whose alert has no owner',
  severity: 'information',
  appliesTo: ['card'],
  docs: { why: 'An alert that nobody owns is read by nobody.' },
  check: ({ card, at }) =>
    (card?.failureTests ?? []).flatMap(({ id, alertOwner }, index) => (alertOwner === undefined || alertOwner.trim() === '' ? [{ message: `Name who is told when "${id ?? 'this test'}" runs.`, ...at(['failureTests', index]) }] : [])),
};
