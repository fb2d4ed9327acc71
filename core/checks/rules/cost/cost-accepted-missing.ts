import type { Rule } from '../../contract';
import { ownCost } from '../../cost-record';
import { missingFinding } from '../../missing-rule';

export const rule: Rule = {
  id: 'cost-accepted-missing',
  title: 'Bill without the number of accepted outputs',
  severity: 'warning',
  appliesTo: ['card'],
  docs: { why: 'Without what was accepted in the billed period there is no cost per completed work, only an invoice.' },
  check: (context) => {
    const record = ownCost(context);
    if ((record?.components ?? []).length === 0) return [];
    // A number that is offered would be taken for a count.
    if (record!.acceptedCount === undefined) return [{ ...missingFinding(context, ['cost', 'acceptedCount'], 'Say how many outputs were accepted or jobs completed in the period (`cost.acceptedCount`).'), fixes: [] }];
    return record!.acceptedCount === 0 ? [{ message: 'Nothing was accepted, so there is no cost per completed work.', ...context.at(['cost', 'acceptedCount']) }] : [];
  },
};
