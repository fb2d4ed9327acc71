import type { Rule } from '../../contract';

export const rule: Rule = {
  id: 'card-waiver-expired',
  title: 'Waiver that no longer holds',
  severity: 'warning',
  appliesTo: ['card'],
  docs: { why: 'An expired waiver does nothing: the criterion decides again, perhaps to the surprise of whoever relies on it.' },
  check: ({ card, today, at }) =>
    (card?.waivers ?? []).flatMap(({ criterion, until, date }, index) => {
      if (until !== undefined && until < today) return [{ message: `The waiver of "${criterion}" ended on ${until}.`, ...at(['waivers', index, 'until']) }];
      return date !== undefined && date > today ? [{ message: `The waiver of "${criterion}" begins on ${date}.`, ...at(['waivers', index, 'date']) }] : [];
    }),
};
