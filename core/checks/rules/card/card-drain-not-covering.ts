import type { Rule } from '../../contract';
import { invasiveEntries } from '../../drain';

export const rule: Rule = {
  id: 'card-drain-not-covering',
  title: 'Drain authorisation that does not cover the run',
  severity: 'warning',
  appliesTo: ['card'],
  docs: { why: 'Outside its targets and times the authorisation does not exist: the invasive probes are not run, and the card ends as inconclusive.' },
  check: (context) => {
    const { card, at, today } = context;
    const authorization = card?.drainAuthorization;
    if (!authorization || invasiveEntries(context).length === 0) return [];
    const { targets = [], until, from } = authorization;
    const uncovered = (card?.targets ?? []).flatMap(({ name }) => (name !== undefined && !targets.includes(name) ? [name] : []));
    return [
      ...(uncovered.length > 0 ? [{ message: `The authorisation does not cover the target ${uncovered.join(', ')}.`, ...at(['drainAuthorization', 'targets']) }] : []),
      ...(until !== undefined && until.slice(0, 10) < today ? [{ message: `The authorisation ended on ${until}.`, ...at(['drainAuthorization', 'until']) }] : []),
      ...(from !== undefined && until !== undefined && from >= until ? [{ message: 'The authorisation ends before it begins.', ...at(['drainAuthorization', 'until']) }] : []),
    ];
  },
};
