import type { Rule } from '../../contract';
import { insertFix, isAnsweredList, isBegun, missingFinding, saysSomething } from '../../missing-rule';

const PATH = ['questions', 'persist'];

export const rule: Rule = {
  id: 'brief-question-persist',
  title: 'What must persist is not answered',
  severity: 'warning',
  appliesTo: ['brief'],
  docs: { why: 'What nobody decided to keep is lost with the machine: checkpoints, adapters, compiled kernels that take an hour.', advice: 'List what is kept and what may vanish, and how the kept comes back. An empty `keep` list says that nothing is.' },
  check: (context) => {
    const { keep, restorePlan } = context.brief?.questions?.persist ?? {};
    if (!isBegun(context)) return [];
    if (!isAnsweredList(keep) && !saysSomething(restorePlan)) return [missingFinding(context, PATH, 'Answer what must persist and what may vanish (`questions.persist`).', { keep: [''], mayVanish: [''], restorePlan: '' })];
    if (!saysSomething(keep) || saysSomething(restorePlan)) return [];
    return [{ message: `Say how ${keep!.join(', ')} come back on another machine (\`restorePlan\`).`, ...context.at([...PATH, 'keep'], 'key'), fixes: insertFix(context, [...PATH, 'restorePlan']) }];
  },
};
