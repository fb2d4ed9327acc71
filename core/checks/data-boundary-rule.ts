import type { Rule } from './contract';
import { missingRule, saysSomething } from './missing-rule';

interface Question {
  id: string;
  title: string;
  why: string;
  key: 'residency' | 'telemetry' | 'registries' | 'egress' | 'administration';
  message: string;
  emptyListAnswers?: boolean;
}

/** A rule that asks one question of a data boundary; where there is no data boundary at all, one finding is enough. */
export function dataBoundaryRule({ id, title, why, key, message, emptyListAnswers = false }: Question): Rule {
  return missingRule({
    id,
    title,
    docs: { why },
    path: ['dataBoundary', key],
    message: `${message} (\`dataBoundary.${key}\`).`,
    emptyListAnswers,
    onlyIf: ({ brief }) => saysSomething(brief?.dataBoundary),
  });
}
