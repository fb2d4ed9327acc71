import { closest } from '../../../document/structure';
import type { Rule } from '../../contract';
import { fix, inline, replaceValue } from '../../edits';
import { declarationOf, declarations, isComplete, type NameKind, nameUses } from '../../references';

const WORDS: Record<NameKind, string> = {
  'probe-entry': 'probe entry of this stage',
  objective: 'performance objective of the brief',
  target: 'target of this card',
  'restore-test': 'restore test of the card',
  criterion: 'criterion of this card',
};

export const rule: Rule = {
  id: 'name-unknown',
  title: 'Name that nothing declares',
  severity: 'error',
  appliesTo: ['brief', 'card'],
  docs: { why: 'A criterion that names a probe, objective or target that is not there is never judged as it was meant.' },
  check: (context) => {
    const known = declarations(context);
    return nameUses(context).flatMap((use) => {
      if (!isComplete(use.kind, context) || declarationOf(use, known)) return [];
      const stage = use.path[0] === 'stages' ? use.path[1] : undefined;
      const candidates = known.filter(({ kind, stage: at }) => kind === use.kind && (kind !== 'probe-entry' || stage === undefined || at === stage));
      const meant = closest(use.name, candidates.map(({ name }) => name));
      const hint = meant === undefined ? '' : ` Did you mean "${meant}"?`;
      const fixes = meant === undefined ? [] : fix(`Change to "${meant}"`, replaceValue(context.document, use.path, inline(meant)));
      return [{ message: `"${use.name}" is no ${WORDS[use.kind]}.${hint}`, ...context.at(use.path), fixes }];
    });
  },
};
