import type { Rule } from '../../contract';
import { invasiveEntries } from '../../drain';
import { fix, setPath } from '../../edits';

export const rule: Rule = {
  id: 'card-drain-missing',
  title: 'Invasive probe without drain authorisation',
  severity: 'error',
  appliesTo: ['card'],
  docs: { why: 'The probe takes real capacity. Without an authorisation it is not run, and the card cannot be accepted.' },
  check: (context) => {
    if (context.card?.drainAuthorization !== undefined) return [];
    const targets = (context.card?.targets ?? []).flatMap(({ name }) => name ?? []);
    const fixes = fix('Add a drain authorisation', setPath(context.document, ['drainAuthorization'], { authorizedBy: '', reference: '', targets }));
    return invasiveEntries(context).map(({ name, path }) => ({ message: `"${name}" takes real capacity; it needs a drainAuthorization.`, ...context.at([...path, 'id']), fixes }));
  },
};
