import { missingRule } from '../../missing-rule';

export const rule = missingRule({
  id: 'brief-revision-missing',
  title: 'Model revision is not given',
  docs: { why: 'What was accepted can only be repeated with the same model. Without a revision the registry decides which one is loaded.' },
  path: ['model', 'revision'],
  message: 'Name the model and its revision: a commit or a digest (`model.revision`).',
});
