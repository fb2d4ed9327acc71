import { missingRule, saysSomething } from '../../missing-rule';

export const rule = missingRule({
  id: 'brief-precision-missing',
  title: 'Brief without a precision',
  docs: { why: 'The number format decides memory and speed: a test in FP8 says nothing about a service in BF16.' },
  path: ['precision', 'weights'],
  message: 'Name the number format of the weights (`precision.weights`).',
  onlyIf: ({ brief }) => saysSomething(brief?.model) || brief?.workload?.kind !== undefined,
});
