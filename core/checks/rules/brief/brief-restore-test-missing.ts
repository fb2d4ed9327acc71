import { missingRule, saysSomething } from '../../missing-rule';

export const rule = missingRule({
  id: 'brief-restore-test-missing',
  title: 'Training brief without a restore test',
  docs: { why: 'A checkpoint that was never restored is a hope, and for training it is the only thing that survives the machine.' },
  path: ['questions', 'persist', 'restoreTest'],
  message: 'Name the restore test that proves that a checkpoint comes back (`questions.persist.restoreTest`).',
  onlyIf: ({ brief }) => (brief?.workload?.kind === 'training' || brief?.workload?.kind === 'fine-tuning') && !saysSomething(brief.layers?.data?.restoreTest),
});
