import type { Rule } from '../../contract';

export const rule: Rule = {
  id: 'card-stage-without-criteria',
  title: 'Stage that judges nothing',
  severity: 'warning',
  appliesTo: ['card'],
  docs: { why: 'Probes without a criterion take time on a machine that costs money, and reject nothing.' },
  check: ({ card, at }) =>
    Object.entries(card?.stages ?? {}).flatMap(([stage, content]) =>
      (content?.probes?.length ?? 0) > 0 && (content?.criteria?.length ?? 0) === 0 ? [{ message: `The stage ${stage} has probes but no criterion.`, ...at(['stages', stage], 'key') }] : [],
    ),
};
