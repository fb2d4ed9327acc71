import type { Rule } from '../../contract';
import { criteriaOf } from '../../criteria';
import { fix, setPath } from '../../edits';
import { findMetric } from '../../knowledge';

export const rule: Rule = {
  id: 'card-expected-count',
  title: 'Criterion on every GPU without their number',
  severity: 'information',
  appliesTo: ['card'],
  docs: { why: 'When one of eight GPUs is lost, the seven others still meet the bound. The expected count makes the missing one visible here too.' },
  check: ({ card, document, at }) => {
    const gpus = card?.acceleratorMemory?.gpus ?? card?.topology?.gpusPerNode;
    if (gpus === undefined || (card?.topology?.nodes ?? 1) > 1) return [];
    return criteriaOf(card).flatMap(({ criterion: { metric, labels, expectedCount, statistic }, path }) => {
      const isPerGpu = findMetric(metric ?? '')?.labels?.join() === 'gpu';
      if (!isPerGpu || labels?.['gpu'] !== undefined || expectedCount !== undefined || (statistic ?? 'every') !== 'every') return [];
      return [{ message: `"${metric}" comes once a GPU; expect ${gpus}.`, ...at([...path, 'metric']), fixes: fix(`Write expectedCount: ${gpus}`, setPath(document, [...path, 'expectedCount'], gpus), true) }];
    });
  },
};
