import { structureRule } from '../../structure-rule';

export const rule = structureRule({
  id: 'wrong-form',
  title: 'Value of the wrong form',
  docs: { why: 'Ids, dates, hashes and host names have one form each, so that tools and people read the same thing.' },
  fixes: () => [],
});
