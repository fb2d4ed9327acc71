import type { Rule } from '../../contract';
import { readinessOf, type ReadinessId } from '../../readiness';

/** Items that the brief shows completely, so that a statement cannot stand against them. */
const SHOWN_BY_DOCUMENTS: readonly ReadinessId[] = ['brief', 'stopRule', 'fallback'];

export const rule: Rule = {
  id: 'readiness-contradicted',
  title: 'Readiness item done that the documents contradict',
  severity: 'error',
  appliesTo: ['card'],
  docs: { why: 'The checklist says that it is written, and the documents show that it is not. Whoever relies on the list is misled.' },
  check: ({ card, brief, at }) => {
    // Of a brief that cannot be read nothing is known.
    if (!card || !brief) return [];
    const { readiness, ...documents } = card;
    return readinessOf(documents, brief)
      .filter(({ id, missing }) => SHOWN_BY_DOCUMENTS.includes(id) && missing.length > 0 && readiness?.[id]?.done === true)
      .map(({ id, missing }) => ({ message: `"${id}" is said to be done, but the brief lacks: ${missing.join(', ')}.`, ...at(['readiness', id, 'done']) }));
  },
};
