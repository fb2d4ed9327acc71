import { missingRule } from '../../missing-rule';

export const rule = missingRule({
  id: 'brief-objective-missing',
  title: 'Brief without a performance objective',
  docs: { why: 'Without a bound nothing can fail, and a machine that is too slow is accepted.' },
  path: ['performanceObjectives'],
  message: 'State at least one bound: metric, percentile, value with unit, load point, sample size (`performanceObjectives`).',
});
