import type { Rule } from '../../contract';

export const rule: Rule = {
  id: 'brief-stop-rule-overdue',
  title: 'Date of the stop rule that is past',
  severity: 'information',
  appliesTo: ['brief'],
  docs: { why: 'A review whose date has passed unnoticed is how idle capacity stays on the bill.' },
  check: ({ brief, today, at }) => {
    const dates = brief?.stopRule?.match(/\b\d{4}-\d{2}-\d{2}\b/g) ?? [];
    const last = [...dates].sort().at(-1);
    return last !== undefined && last < today ? [{ message: `${last} is past: do the review, or write the next date.`, ...at(['stopRule']) }] : [];
  },
};
