import type { Rule } from '../../contract';
import { criteriaOf, judgedEntries } from '../../criteria';
import { findMetric, findProbe, reportsMetric } from '../../knowledge';

export const rule: Rule = {
  id: 'card-metric-of-other-probe',
  title: 'Metric that the judged probe does not report',
  severity: 'error',
  appliesTo: ['card'],
  docs: { why: 'The criterion looks at a probe that never gives this value, so it stays inconclusive for ever.' },
  check: ({ card, at }) =>
    criteriaOf(card).flatMap((located) => {
      const { metric } = located.criterion;
      const known = metric === undefined ? undefined : findMetric(metric);
      const probes = judgedEntries(card, located).map(({ entry }) => findProbe(entry.id ?? ''));
      if (!known || probes.length === 0 || probes.some((probe) => probe === undefined || reportsMetric(probe, metric!))) return [];
      return [{ message: `"${metric}" comes from ${known.probes.join(', ')}; ${located.criterion.probe === undefined ? 'this stage has no such probe' : `"${located.criterion.probe}" does not report it`}.`, ...at([...located.path, 'metric']) }];
    }),
};
