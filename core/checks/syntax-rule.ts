import type { SyntaxCode, SyntaxProblem } from '../document/source';
import type { CheckContext, CheckSeverity, Fix, Rule, RuleDocs } from './contract';

interface SyntaxRuleParts {
  id: SyntaxCode;
  title: string;
  severity?: CheckSeverity;
  docs: RuleDocs;
  fixes?(problem: SyntaxProblem, context: CheckContext): Fix[];
}

/** A rule that reports what the parser found. It works in any document, however broken. */
export function syntaxRule({ id, title, severity = 'error', docs, fixes }: SyntaxRuleParts): Rule {
  return {
    id,
    title,
    severity,
    docs,
    appliesTo: ['brief', 'card', 'manifest'],
    runsOnBrokenSyntax: true,
    check: (context) =>
      context.document.problems
        .filter(({ code }) => code === id)
        .map((problem) => ({
          message: problem.message,
          range: problem.range,
          ...(problem.related ? { related: [problem.related] } : {}),
          ...(fixes ? { fixes: fixes(problem, context) } : {}),
        })),
  };
}
