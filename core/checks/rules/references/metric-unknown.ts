import { closest } from '../../../document/structure';
import type { Rule } from '../../contract';
import { fix, replaceValue } from '../../edits';
import { allMetrics, findMetric } from '../../knowledge';
import { schemaValues } from '../../schema-visit';

export const rule: Rule = {
  id: 'metric-unknown',
  title: 'Metric that no probe reports',
  severity: 'error',
  appliesTo: ['brief', 'card'],
  docs: { why: 'A bound on a metric that is never measured can only end inconclusive.' },
  check: (context) =>
    schemaValues(context).flatMap(({ path, value, schema }) => {
      if (schema['x-reference'] !== 'metric' || typeof value !== 'string' || findMetric(value)) return [];
      const meant = closest(value, allMetrics().map(({ metric }) => metric));
      const hint = meant === undefined ? '' : ` Did you mean "${meant}"?`;
      return [{ message: `No probe reports "${value}".${hint}`, ...context.at(path), fixes: meant === undefined ? [] : fix(`Change to "${meant}"`, replaceValue(context.document, path, meant)) }];
    }),
};
