import type { Rule } from '../../contract';
import { fileUses } from '../../references';

export const rule: Rule = {
  id: 'file-missing',
  title: 'File that is not there',
  severity: 'error',
  appliesTo: ['brief', 'card'],
  docs: { why: 'The next engineer can repeat the decision only with the same prompts, manifests and brief beside the card.' },
  check: (context) =>
    fileUses(context)
      .filter(({ file, path }) => path[0] !== 'failureTests' && context.files.state(file) === 'missing')
      .map(({ file, path }) => ({ message: `There is no file "${file}" beside this one.`, ...context.at(path) })),
};
