import type { Rule } from '../../contract';
import { criteriaOf } from '../../criteria';
import { appendItem, fix } from '../../edits';

export const rule: Rule = {
  id: 'card-objective-untested',
  title: 'Objective of the brief without a criterion',
  severity: 'warning',
  appliesTo: ['card'],
  docs: { why: 'What the brief demands and the card does not test is found out in production.' },
  check: ({ card, brief, document, at }) =>
    (brief?.performanceObjectives ?? []).flatMap((objective) => {
      const { id, metric, comparator, value, percentile, minimumSamples } = objective;
      if (id === undefined || metric === undefined || criteriaOf(card).some(({ criterion }) => criterion.objective === id)) return [];
      const isPercentile = percentile !== undefined && /^p\d/.test(percentile);
      const criterion = {
        id,
        metric,
        ...(isPercentile ? { labels: { stat: percentile } } : {}),
        ...(comparator === undefined ? {} : { comparator }),
        ...(value === undefined ? {} : { value }),
        ...(minimumSamples === undefined ? {} : { minimumSamples }),
        objective: id,
        source: { kind: 'brief', reference: 'performanceObjectives' },
      };
      const path = ['stages', 'representative-load', 'criteria'];
      const hasStage = card?.stages?.['representative-load'] !== undefined;
      return [{ message: `The brief demands "${id}" (${metric}), and no criterion tests it.`, ...at(['stages'], 'key'), fixes: hasStage ? fix(`Add a criterion for "${id}"`, appendItem(document, path, criterion)) : [] }];
    }),
};
