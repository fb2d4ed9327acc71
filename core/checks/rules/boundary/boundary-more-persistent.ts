import type { CheckContext, Rule } from '../../contract';
import { saysSomething } from '../../missing-rule';

const PATH = ['allocationBoundary', 'includes', 'storagePersistence'];
const KEEP = ['questions', 'persist', 'keep'];
/** Ways to say that nothing survives. */
const NOTHING = /^\s*(?:none|nothing|no\b|not\b|n\/a|ephemeral|temporary|scratch|everything is lost|all (?:of it )?is lost)/i;

/** The brief keeps nothing, by an answer, and nothing in the card has to come back. */
const keepsNothing = ({ brief, card }: CheckContext): boolean => brief?.questions?.persist?.keep?.length === 0 && !saysSomething(brief.questions.persist.restoreTest) && !saysSomething(card?.restoreTest);

export const rule: Rule = {
  id: 'boundary-more-persistent',
  title: 'Boundary more persistent than the brief needs',
  severity: 'warning',
  appliesTo: ['card'],
  docs: {
    why: 'Storage that outlives the machine costs by the month, has to be cleaned of private data, and is one more thing that binds. Work that keeps nothing does not need it.',
    advice: 'Rent the least persistent class that serves, and say here that nothing survives; or write into the brief what must be kept.',
  },
  check: (context) => {
    const persistence = context.card?.allocationBoundary?.includes?.storagePersistence;
    if (!saysSomething(persistence) || NOTHING.test(persistence!) || !keepsNothing(context)) return [];
    const { linkedBrief } = context;
    const related = linkedBrief ? [{ message: 'The brief keeps nothing.', range: linkedBrief.source.valueRange(KEEP), ...(linkedBrief.file === '' ? {} : { file: linkedBrief.file }) }] : [];
    return [{ message: 'The brief says that nothing must be kept (`keep: []`), so persistent storage is more than it needs.', ...context.at(PATH), related }];
  },
};
