import type { Rule } from '../../contract';

export const rule: Rule = {
  id: 'card-brief-missing',
  title: 'Card without a brief',
  severity: 'warning',
  appliesTo: ['card'],
  docs: { why: 'Without the work that must be completed, a card tests a machine and not whether the machine fits.' },
  check: ({ card, at }) => (card?.brief === undefined && card?.kind !== undefined ? [{ message: 'Name the workload brief that this card is made for (`brief`).', ...at([], 'key') }] : []),
};
