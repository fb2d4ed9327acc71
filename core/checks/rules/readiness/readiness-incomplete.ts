import type { Rule } from '../../contract';
import { isBegun } from '../../missing-rule';
import { readinessOf } from '../../readiness';

export const rule: Rule = {
  id: 'readiness-incomplete',
  title: 'Readiness checklist with open items',
  severity: 'information',
  appliesTo: ['card'],
  docs: { why: 'All eight items are met before a rental is extended or goes to production; the open ones are what production would find out.', advice: 'What documents cannot show is stated in `readiness` with its evidence.' },
  check: (context) => {
    const states = isBegun(context) ? readinessOf(context.card ?? {}, context.brief) : [];
    const open = states.filter(({ missing }) => missing.length > 0);
    if (open.length === 0) return [];
    const items = open.map(({ title, missing }) => `${title} (missing: ${missing.join(', ')})`).join('; ');
    return [{ message: `Ready in ${states.length - open.length} of ${states.length} items. Open: ${items}.`, ...context.at(['readiness'], 'key') }];
  },
};
