import type { Rule } from '../../contract';
import { criteriaOf } from '../../criteria';
import { appendItem, fix, setPath } from '../../edits';

const STAGE = ['stages', 'representative-load'];

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
      const hasStage = card?.stages?.['representative-load'] !== undefined;
      const edits = hasStage ? appendItem(document, [...STAGE, 'criteria'], criterion) : setPath(document, STAGE, { criteria: [criterion] });
      return [{ message: `The brief demands "${id}" (${metric}), and no criterion tests it.`, ...at(['stages'], 'key'), fixes: fix(`Add a criterion for "${id}"`, edits) }];
    }),
};
