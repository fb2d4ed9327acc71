import { missingRule, saysSomething } from '../../missing-rule';

export const rule = missingRule({
  id: 'brief-completed-work-missing',
  title: 'Completed work is not defined',
  docs: { why: 'A rental is worth what it finishes. Without a definition of done, cost and quality are counted in hours and tokens.', advice: 'For example: an answer that passes the format check, a finished video, a successful job.' },
  path: ['workload', 'completedWork'],
  message: 'Say what counts as one accepted output or completed job (`workload.completedWork`).',
  onlyIf: ({ brief }) => !saysSomething(brief?.cost?.completedWork),
});
