import { missingRule } from '../../missing-rule';

export const rule = missingRule({
  id: 'cost-record-missing',
  title: 'Card without a cost record',
  appliesTo: ['card'],
  docs: { why: 'A machine can pass every test and still be the wrong one at its price per finished work.' },
  path: ['cost'],
  message: 'Add the cost record: currency, completed work, billed components, ceiling (`cost`).',
  insert: { currency: '', completedWork: '', components: [] },
});
