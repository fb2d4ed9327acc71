import type { Rule } from '../../contract';
import { findSuppressions } from '../../suppression';

export const rule: Rule = {
  id: 'suppression-without-reason',
  title: 'Finding switched off without a reason',
  severity: 'warning',
  appliesTo: ['brief', 'card', 'manifest'],
  runsOnBrokenSyntax: true,
  docs: {
    why: 'A finding that is switched off is a waiver. Without a reason nobody can judge it later, so it is not obeyed.',
    advice: 'Write the reason behind the check id: `# gpu-acceptance-disable-next-line RULE-ID reason`.',
  },
  check: ({ file }) =>
    findSuppressions(file.text)
      .filter(({ reason }) => reason === '')
      .map(({ rule: id, range }) => ({ message: id === '' ? 'Name the check and the reason.' : `Say why ${id} does not count here; without a reason it still does.`, range })),
};
