import { missingRule } from '../../missing-rule';

export const rule = missingRule({
  id: 'brief-inputs-missing',
  title: 'Brief without representative inputs',
  docs: { why: 'A load test is only as true as its inputs: short prompts hide slow prefill, equal ones hide a cold cache.' },
  path: ['inputs', 'kind'],
  message: 'Say what the test is fed with: a prompt set or data slice that looks like production (`inputs`).',
});
