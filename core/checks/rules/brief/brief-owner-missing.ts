import { missingRule } from '../../missing-rule';

export const rule = missingRule({
  id: 'brief-owner-missing',
  title: 'Brief without an owner',
  docs: { why: 'When the rental does not fit, somebody has to say which bound may move. Without a name nobody does.' },
  path: ['owner', 'name'],
  message: 'Name the person who answers for this work (`owner.name`).',
});
