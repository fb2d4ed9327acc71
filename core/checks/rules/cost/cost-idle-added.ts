import type { Rule } from '../../contract';
import { ownCost } from '../../cost-record';

const DIAGNOSTIC = /\b(?:idle|unused|wasted|failed|failures?|retr(?:y|ies|ied)|rejected)\b/i;

export const rule: Rule = {
  id: 'cost-idle-added',
  title: 'Idle or failed time added again',
  severity: 'error',
  appliesTo: ['brief', 'card'],
  docs: { why: 'Idle time and failed jobs are inside the billed accelerator time: they explain the cost, and added again they count twice.', advice: 'Write them into `diagnostics` (idleHours, failedJobs) and `rejectedCount`.' },
  check: (context) =>
    (ownCost(context)?.components ?? []).flatMap(({ kind, description = '' }, index) =>
      (kind === 'accelerator' || kind === 'host') && DIAGNOSTIC.test(description) ? [{ message: `"${description}" is inside billed time already; it belongs into diagnostics.`, ...context.at(['cost', 'components', index, 'description']) }] : [],
    ),
};
