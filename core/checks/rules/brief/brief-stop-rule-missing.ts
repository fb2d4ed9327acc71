import { missingRule } from '../../missing-rule';

export const rule = missingRule({
  id: 'brief-stop-rule-missing',
  title: 'Brief without a stop rule',
  docs: { why: 'Capacity that nobody is told to stop sits idle on the bill. The rule must be there before the machine is.', advice: 'Name a date or a trigger: `Review on 2026-12-15; shut down after 2 hours without requests.`' },
  path: ['stopRule'],
  message: 'Write when the capacity is shut down, scaled down or its reservation reviewed (`stopRule`).',
});
