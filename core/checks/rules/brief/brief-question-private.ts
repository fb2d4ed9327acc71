import type { Rule } from '../../contract';
import { isAnsweredList, isBegun, missingFinding, saysSomething } from '../../missing-rule';

const PATH = ['questions', 'private'];

export const rule: Rule = {
  id: 'brief-question-private',
  title: 'What must stay private is not answered',
  severity: 'warning',
  appliesTo: ['brief'],
  docs: { why: 'Privacy decides tenancy, network and who may administer the machine. Found out later, it makes the rental unusable.', advice: 'An empty `data` list says that nothing is private.' },
  check: (context) => {
    const answer = context.brief?.questions?.private;
    const stated = context.brief?.dataBoundary?.private;
    if (!isBegun(context) || isAnsweredList(answer?.data) || saysSomething(answer)) return [];
    return [missingFinding(context, PATH, 'Answer what must stay private, and behind which boundary (`questions.private`).', { data: saysSomething(stated) ? stated : [''], boundary: '', control: '' })];
  },
};
