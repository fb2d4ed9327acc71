import { closest } from '../../../document/structure';
import type { Rule } from '../../contract';
import { fix, replaceValue } from '../../edits';
import { allProfiles, findProfile } from '../../knowledge';

export const rule: Rule = {
  id: 'profile-unknown',
  title: 'Hardware profile that is not known',
  severity: 'warning',
  appliesTo: ['card'],
  docs: { why: 'Thresholds are compared with the ceilings of the profile; without one a threshold that no machine can reach goes unnoticed.' },
  check: (context) => {
    const profile = context.card?.profile;
    // While no profile is installed, nothing can be said of any name.
    if (profile === undefined || allProfiles().length === 0 || findProfile(profile)) return [];
    const meant = closest(profile, allProfiles().map(({ id }) => id));
    const message = meant === undefined ? `There is no hardware profile "${profile}".` : `There is no hardware profile "${profile}". Did you mean "${meant}"?`;
    return [{ message, ...context.at(['profile']), fixes: meant === undefined ? [] : fix(`Change to "${meant}"`, replaceValue(context.document, ['profile'], meant)) }];
  },
};
