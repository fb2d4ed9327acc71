import { missingRule, saysSomething } from '../../missing-rule';

export const rule = missingRule({
  id: 'cost-completed-work-missing',
  title: 'Cost record without a denominator',
  appliesTo: ['card'],
  docs: { why: 'A sum without what it bought cannot be compared: the cheaper hour may be the dearer result.' },
  path: ['cost', 'completedWork'],
  message: 'Say what the cost is divided by: the accepted output or completed job (`cost.completedWork`).',
  onlyIf: ({ card, brief }) => card?.cost !== undefined && !saysSomething(brief?.cost?.completedWork) && !saysSomething(brief?.workload?.completedWork),
});
