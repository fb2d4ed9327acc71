import type { Rule } from '../../contract';
import { insertFix, saysSomething } from '../../missing-rule';

export const rule: Rule = {
  id: 'readiness-done-without-evidence',
  title: 'Readiness item done without evidence',
  severity: 'warning',
  appliesTo: ['card'],
  docs: { why: 'A tick without evidence cannot be repeated by the next engineer, so it is not counted.', advice: 'Name the file, run or bundle that shows it.' },
  check: (context) =>
    Object.entries(context.card?.readiness ?? {}).flatMap(([id, item]) => {
      const path = ['readiness', id];
      return item?.done === true && !saysSomething(item.evidence) ? [{ message: `Say what shows that "${id}" is done; without evidence it is not counted.`, ...context.at([...path, 'done']), fixes: insertFix(context, [...path, 'evidence']) }] : [];
    }),
};
