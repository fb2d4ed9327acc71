import { closest } from '../../../document/structure';
import type { Rule } from '../../contract';
import { criteriaOf } from '../../criteria';
import { fix, replaceValue } from '../../edits';
import { allMetrics, findMetric } from '../../knowledge';

export const rule: Rule = {
  id: 'card-unknown-metric',
  title: 'Metric that no probe reports',
  severity: 'error',
  appliesTo: ['card'],
  docs: { why: 'A criterion on a metric that nothing measures can never pass, so the card can never be accepted.' },
  check: ({ card, document, at }) =>
    criteriaOf(card).flatMap(({ criterion: { metric }, path }) => {
      if (metric === undefined || metric === '' || findMetric(metric)) return [];
      const suggestion = closest(metric, allMetrics().map((known) => known.metric));
      const hint = suggestion === undefined ? '' : ` Did you mean "${suggestion}"?`;
      return [{ message: `No probe reports "${metric}".${hint}`, ...at([...path, 'metric']), fixes: suggestion === undefined ? [] : fix(`Change to "${suggestion}"`, replaceValue(document, [...path, 'metric'], suggestion)) }];
    }),
};
