import type { Rule } from '../../contract';
import { insertFix, saysSomething } from '../../missing-rule';

export const rule: Rule = {
  id: 'readiness-decision-without-evidence',
  title: 'Decision without evidence',
  severity: 'warning',
  appliesTo: ['card'],
  docs: { why: 'The next engineer must be able to reach the same decision from the evidence alone.', advice: 'Name the runs or bundles, who decided, and when.' },
  check: (context) => {
    const decision = context.card?.decision;
    if (decision?.outcome === undefined || saysSomething(decision.evidence)) return [];
    return [{ message: `"${decision.outcome}" rests on nothing: name the runs or bundles (\`decision.evidence\`).`, ...context.at(['decision', 'outcome']), fixes: insertFix(context, ['decision', 'evidence']) }];
  },
};
