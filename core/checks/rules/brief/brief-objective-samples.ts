import type { Rule } from '../../contract';
import { fix, setPath } from '../../edits';
import { objectivesOf } from '../../objectives';
import { FEWEST_SAMPLES } from '../../percentiles';

export const rule: Rule = {
  id: 'brief-objective-samples',
  title: 'Objective without enough samples',
  severity: 'warning',
  appliesTo: ['brief'],
  docs: { why: 'A percentile of a few requests is luck: the same machine passes today and fails tomorrow.' },
  check: ({ brief, document, at }) =>
    objectivesOf(brief).flatMap(({ objective: { percentile, minimumSamples }, name, path }) => {
      const fewest = FEWEST_SAMPLES[percentile ?? ''];
      const place = [...path, 'minimumSamples'];
      if (fewest === undefined || (minimumSamples ?? 0) >= fewest) return [];
      const message = minimumSamples === undefined ? `Say how many observations ${percentile} of "${name}" needs: at least ${fewest}.` : `${percentile} of "${name}" needs at least ${fewest} samples, not ${minimumSamples}.`;
      return [{ message, ...at(minimumSamples === undefined ? [...path, 'metric'] : place), fixes: fix(`Demand ${fewest} samples`, setPath(document, place, fewest)) }];
    }),
};
