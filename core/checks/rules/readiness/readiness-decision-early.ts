import type { Rule } from '../../contract';
import { readinessOf } from '../../readiness';

/** Decisions that commit to more or longer. */
const COMMITS: readonly (string | undefined)[] = ['extend', 'reserve', 'dedicate', 'scale'];

export const rule: Rule = {
  id: 'readiness-decision-early',
  title: 'Commitment before the checklist is met',
  severity: 'warning',
  appliesTo: ['card'],
  docs: { why: 'A longer commitment before all eight items are met buys what was not shown to fit.' },
  check: ({ card, brief, at }) => {
    // Of a brief that cannot be read nothing is known.
    if (!card || !brief || !COMMITS.includes(card.decision?.outcome)) return [];
    const open = readinessOf(card, brief).filter(({ missing }) => missing.length > 0).map(({ title }) => title);
    return open.length === 0 ? [] : [{ message: `Decided to ${card.decision!.outcome} with open items: ${open.join('; ')}.`, ...at(['decision', 'outcome']) }];
  },
};
