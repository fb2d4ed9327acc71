import type { StructureCode, StructureProblem } from '../document/structure';
import type { CheckContext, Fix, Rule, RuleDocs } from './contract';

interface StructureRuleParts {
  id: StructureCode;
  title: string;
  docs: RuleDocs;
  fixes(problem: StructureProblem, context: CheckContext): Fix[];
}

/** A rule that reports one kind of violation of the schema. */
export function structureRule({ id, title, docs, fixes }: StructureRuleParts): Rule {
  return {
    id,
    title,
    severity: 'error',
    docs,
    appliesTo: ['brief', 'card'],
    check: (context) =>
      context.structure
        .filter(({ code }) => code === id)
        .map((problem) => ({
          message: problem.message,
          ...context.at(problem.path, problem.atKey ? 'key' : 'value'),
          fixes: fixes(problem, context),
        })),
  };
}
