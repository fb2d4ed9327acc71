import type { Rule } from '../../contract';
import { entriesOf } from '../../criteria';

export const rule: Rule = {
  id: 'card-restore-test-missing',
  title: 'Training without a restore test',
  severity: 'error',
  appliesTo: ['card'],
  docs: { why: 'A checkpoint that was never restored is a hope. On a rented machine it is the only thing that survives the rental.' },
  check: ({ card, brief, at }) => {
    const kind = brief?.workload?.kind;
    if (kind !== 'training' && kind !== 'fine-tuning') return [];
    const isTested = card?.restoreTest?.id !== undefined && entriesOf(card).some(({ entry }) => entry.id === 'checkpoint-restore');
    return isTested ? [] : [{ message: `The brief is about ${kind}; the card needs a restoreTest and a checkpoint-restore probe.`, ...at([], 'key') }];
  },
};
