import { findOverlaps, type Overlap } from '../../../cost/overlap';
import type { Rule } from '../../contract';
import { ownCost } from '../../cost-record';

const MESSAGES: Record<Overlap['reason'], string> = {
  'same-line': 'This is billed already by another line for the same period.',
  'shared-time': 'This is billed already by another line for a part of this period.',
  included: 'Another line says that it includes this.',
};

export const rule: Rule = {
  id: 'cost-billed-twice',
  title: 'Component billed twice',
  severity: 'error',
  appliesTo: ['brief', 'card'],
  docs: { why: 'A component that counts twice makes a good rental look dear, and comparisons with others worthless.', advice: 'Give different things different descriptions, and each line its own period.' },
  check: (context) =>
    findOverlaps(ownCost(context) ?? {}).map(({ reason, first, second }) => ({
      message: MESSAGES[reason],
      ...context.at(['cost', 'components', second]),
      related: [{ message: 'The other line.', range: context.document.valueRange(['cost', 'components', first]) }],
    })),
};
