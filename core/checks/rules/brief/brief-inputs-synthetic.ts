import type { Rule } from '../../contract';
import { insertFix, saysSomething } from '../../missing-rule';

export const rule: Rule = {
  id: 'brief-inputs-synthetic',
  title: 'Synthetic inputs only',
  severity: 'warning',
  appliesTo: ['brief'],
  docs: { why: 'Generated prompts have other lengths, repeat less and hit other caches than real ones: the numbers are a weak substitute for a test with real inputs.', advice: 'Use a sample of production or a reviewed set; where that is impossible, write the reason and what the result then cannot prove.' },
  check: (context) => {
    const inputs = context.brief?.inputs;
    if (inputs?.kind !== 'synthetic') return [];
    const place = context.at(['inputs', 'kind']);
    if (saysSomething(inputs.reasonForSynthetic)) return [{ message: 'Synthetic inputs are a weak substitute: the result does not prove how real ones behave.', severity: 'information', ...place }];
    return [{ message: 'All inputs are synthetic. Use representative ones, or write why that is impossible (`reasonForSynthetic`).', ...place, fixes: insertFix(context, ['inputs', 'reasonForSynthetic']) }];
  },
};
