import { type SyntaxCode, type SyntaxProblem, SourceFile } from '../document/source';
import type { CheckContext, CheckSeverity, Fix, Rule, RuleDocs } from './contract';
import { applyEdits } from './edits';

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
          ...(fixes ? { fixes: fixes(problem, context).filter((fix) => heals(context.file, fix)) } : {}),
        })),
  };
}

/** In broken text a likely cure can make things worse; only one that leaves fewer errors is offered. */
function heals(file: SourceFile, fix: Fix): boolean {
  return errorCount(new SourceFile(applyEdits(file.text, fix.edits))) < errorCount(file);
}

const errorCount = (file: SourceFile): number => file.documents.reduce((sum, { tree }) => sum + tree.errors.length, file.problems.length);
