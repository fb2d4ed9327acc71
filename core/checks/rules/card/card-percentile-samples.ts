import type { Rule } from '../../contract';
import { criteriaOf } from '../../criteria';
import { fix, setPath } from '../../edits';
import { FEWEST_SAMPLES } from '../../percentiles';

export const rule: Rule = {
  id: 'card-percentile-samples',
  title: 'Percentile without enough samples',
  severity: 'warning',
  appliesTo: ['card'],
  docs: { why: 'The 99th percentile of fifty requests is their maximum: one slow request decides, or none shows.' },
  check: ({ card, document, at }) =>
    criteriaOf(card).flatMap(({ criterion: { labels, statistic, minimumSamples }, path }) => {
      const percentile = String(labels?.['stat'] ?? statistic ?? '');
      const fewest = FEWEST_SAMPLES[percentile];
      if (fewest === undefined || (minimumSamples ?? 0) >= fewest) return [];
      const place = [...path, 'minimumSamples'];
      const edits = fix(`Demand ${fewest} samples`, setPath(document, place, fewest));
      const message = minimumSamples === undefined ? `${percentile} needs a number of samples before it counts: at least ${fewest}.` : `${minimumSamples} samples are too few for ${percentile}: it needs ${fewest}.`;
      return [{ message, ...at(minimumSamples === undefined ? path : place), fixes: edits }];
    }),
};
