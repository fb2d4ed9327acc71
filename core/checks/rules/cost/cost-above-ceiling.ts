import { costPerCompletedWork } from '../../../cost/per-work';
import type { Rule } from '../../contract';
import { ownCost } from '../../cost-record';

export const rule: Rule = {
  id: 'cost-above-ceiling',
  title: 'Cost per completed work above its ceiling',
  severity: 'warning',
  appliesTo: ['card'],
  docs: { why: 'The machine may pass all tests and is still too dear for what it finishes.', advice: 'Look at idle hours, failed jobs and rejected outputs: they explain the cost.' },
  check: (context) => {
    const record = ownCost(context);
    const result = record && costPerCompletedWork({ ...record, completedWork: record.completedWork ?? 'completed work' });
    if (result?.isAboveCeiling !== true) return [];
    const cost = Number(result.perCompletedWork!.toPrecision(3));
    return [{ message: `${Number(result.total.toFixed(2))} ${record!.currency} over ${record!.acceptedCount} makes ${cost} ${record!.currency} each, above the ceiling of ${record!.ceiling}.`, ...context.at(['cost', 'ceiling']) }];
  },
};
