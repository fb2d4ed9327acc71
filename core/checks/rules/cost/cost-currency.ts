import type { Finding, Rule } from '../../contract';
import { ownCost } from '../../cost-record';
import { missingFinding } from '../../missing-rule';

/** `120 USD`, `USD 120`; a code alone may be a word. */
const AMOUNT_IN = /\b(?:(USD|EUR|GBP|CHF|JPY|CNY|BRL|INR|CAD|AUD|SEK|NOK|DKK|PLN|KRW|SGD)\s?\d|\d[\d.,]*\s?(USD|EUR|GBP|CHF|JPY|CNY|BRL|INR|CAD|AUD|SEK|NOK|DKK|PLN|KRW|SGD))\b/;

export const rule: Rule = {
  id: 'cost-currency',
  title: 'Currency missing or mixed',
  severity: 'error',
  appliesTo: ['brief', 'card'],
  docs: { why: 'Amounts of two currencies in one sum are off by their rate, and nothing shows it.', advice: 'Convert at the rate of the invoice, and name that rate in the description.' },
  check: (context): Finding[] => {
    const record = ownCost(context);
    const hasAmounts = (record?.components ?? []).some(({ amount }) => amount !== undefined) || record?.ceiling !== undefined;
    if (!record || !hasAmounts) return [];
    if (record.currency === undefined) return [{ ...missingFinding(context, ['cost', 'currency'], 'Name the currency of all amounts (`cost.currency`).'), severity: 'warning' }];
    const ofLines = (record.components ?? []).flatMap(({ description = '' }, index) => {
      const [, before, behind] = AMOUNT_IN.exec(description) ?? [];
      const other = before ?? behind;
      return other === undefined || other === record.currency || /\brate\b/i.test(description) ? [] : [{ message: `This line speaks of ${other}, and amounts are in ${record.currency}.`, ...context.at(['cost', 'components', index, 'description']) }];
    });
    const wanted = context.subject === 'card' ? context.brief?.cost?.currency : undefined;
    const isOther = wanted !== undefined && wanted !== record.currency && context.brief?.cost?.ceiling !== undefined;
    return [...ofLines, ...(isOther ? [{ message: `The brief's ceiling is in ${wanted}, and this record is in ${record.currency}.`, ...context.at(['cost', 'currency']) }] : [])];
  },
};
