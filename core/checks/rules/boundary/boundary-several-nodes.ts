import type { Finding, Rule } from '../../contract';
import { criteriaOf } from '../../criteria';

export const rule: Rule = {
  id: 'boundary-several-nodes',
  title: 'Several nodes outside a cluster',
  severity: 'error',
  appliesTo: ['brief', 'card'],
  docs: { why: 'A VM or a single node has no fabric to other nodes: multi-node evidence needs a cluster allocation with its scheduler and placement.' },
  check: ({ brief, card, subject, at }): Finding[] => {
    const boundary = subject === 'card' ? card?.allocationBoundary?.class : brief?.allocationBoundary;
    if (boundary === undefined || boundary === 'cluster') return [];
    const nodes = (subject === 'card' ? card?.topology : brief?.topology)?.nodes ?? 1;
    const criteria = subject === 'card' ? criteriaOf(card).filter(({ criterion }) => (criterion.context?.nodes ?? 1) > 1) : [];
    return [
      ...(nodes > 1 ? [{ message: `${nodes} nodes need the boundary "cluster", not "${boundary}".`, ...at(['topology', 'nodes']) }] : []),
      ...criteria.map(({ criterion, path }) => ({ message: `"${criterion.id ?? 'This criterion'}" holds for ${criterion.context!.nodes} nodes, which "${boundary}" cannot show.`, ...at([...path, 'context', 'nodes']) })),
    ];
  },
};
