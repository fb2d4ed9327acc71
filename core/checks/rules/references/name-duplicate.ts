import type { Rule } from '../../contract';
import { declarations } from '../../references';

export const rule: Rule = {
  id: 'name-duplicate',
  title: 'Name that is given twice',
  severity: 'error',
  appliesTo: ['brief', 'card'],
  docs: {
    why: 'Evidence and verdict are filed under these names; with two of the same name nobody can tell which one failed.',
    advice: 'Give the second probe entry its own `name`.',
  },
  check: (context) => {
    const own = declarations(context).filter(({ source }) => source === context.document);
    return own.flatMap((declared, index) => {
      const first = own.slice(0, index).find(({ kind, name, stage }) => kind === declared.kind && name === declared.name && (kind !== 'probe-entry' || stage === declared.stage));
      if (!first) return [];
      const related = [{ message: 'It is first used here.', range: context.document.valueRange(first.path) }];
      return [{ message: `"${declared.name}" is already the name of another ${declared.kind.replace('-', ' ')}.`, range: context.document.valueRange(declared.path), related }];
    });
  },
};
