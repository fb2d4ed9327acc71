import type { Path } from '../../../document/source';
import type { Rule } from '../../contract';
import { isTeamAlias } from '../../owners';

export const rule: Rule = {
  id: 'brief-owner-team-alias',
  title: 'Team in the place of a person',
  severity: 'warning',
  appliesTo: ['brief', 'card'],
  docs: { why: 'A team alias has no one who decides: at night, and when a bound must move, everyone in it waits for the others.', advice: 'Write a person into `name` and the team into `team`.' },
  check: ({ brief, card, subject, at }) => {
    const owners = subject === 'brief' ? { owner: brief?.owner, incidentOwner: brief?.incidentOwner } : { owner: card?.owner };
    return Object.entries(owners).flatMap(([key, owner]) => {
      const path: Path = [key, 'name'];
      const isAlias = owner?.name !== undefined && (isTeamAlias(owner.name) || owner.name === owner.team);
      return isAlias ? [{ message: `"${owner.name}" is a team; name the person behind it.`, ...at(path) }] : [];
    });
  },
};
