import type { Rule } from '../../contract';
import { disagreement } from '../../disagreement';

export const rule: Rule = {
  id: 'boundary-topology-below-brief',
  title: 'Card that demands less topology than the brief needs',
  severity: 'error',
  appliesTo: ['card'],
  docs: { why: 'The card would accept a machine on which the coordinated work cannot be placed.' },
  check: (context) =>
    (['gpusPerNode', 'nodes'] as const).flatMap((key) => {
      const own = context.card?.topology?.[key];
      const needed = context.brief?.topology?.[key];
      return own === undefined || needed === undefined || own >= needed ? [] : [disagreement(context, ['topology', key], ['topology', key], `The brief needs ${key} ${needed}; the card is content with ${own}.`, needed)];
    }),
};
