import type { Rule } from '../../contract';
import { criteriaOf } from '../../criteria';

const NEEDED = ['fabric', 'ranks', 'nodes', 'messageSize'] as const;

export const rule: Rule = {
  id: 'card-collective-context',
  title: 'Bandwidth threshold without its context',
  severity: 'warning',
  appliesTo: ['card'],
  docs: { why: 'The same GPU has published bandwidth floors from 60 to 480 GB/s, by fabric, message size, ranks and nodes. A number without them can accept a bad machine and reject a good one.' },
  check: ({ card, at }) =>
    criteriaOf(card).flatMap(({ criterion: { metric, context, labels }, path }) => {
      if (metric !== 'nccl.busbw' && metric !== 'nccl.algbw') return [];
      const missing = NEEDED.filter((key) => context?.[key] === undefined && !(key === 'messageSize' && labels?.['sizeBytes'] !== undefined));
      return missing.length === 0 ? [] : [{ message: `The threshold does not say for which ${missing.join(', ')} it holds.`, ...at(context === undefined ? path : [...path, 'context'], context === undefined ? 'value' : 'key') }];
    }),
};
