import { STAGE_IDS } from '../../../run/events';
import type { Rule } from '../../contract';

/** Load and failure stages belong to every rental that is extended; a first smoke card may do without them. */
const ALWAYS = ['environment-smoke', 'functional', 'representative-load'] as const;

export const rule: Rule = {
  id: 'card-stage-missing',
  title: 'Stage that the card does not have',
  severity: 'information',
  appliesTo: ['card'],
  docs: { why: 'Each stage finds other faults: smoke finds a missing GPU, functional a restore that does not work, load a machine that is slow only under load.' },
  check: ({ card, at }) => {
    const missing = ALWAYS.filter((stage) => card?.stages !== undefined && card.stages[stage] === undefined);
    return missing.length === 0 ? [] : [{ message: `The card has no ${missing.join(', no ')} stage (the five are ${STAGE_IDS.join(', ')}).`, ...at(['stages'], 'key') }];
  },
};
