import type { Rule } from '../../contract';
import { schemaValues } from '../../schema-visit';

/** The whole value, so that a sentence that mentions one of them is left alone. */
const PLACEHOLDER = /^(?:tbd|tba|tbc|todo|fixme|xxx+|\?+|-+|\.{2,}|…|<[^<>]+>|to be (?:defined|determined|done|decided)|fill (?:me )?in|lorem ipsum.*|change ?me)\.?$/i;

export const rule: Rule = {
  id: 'placeholder-text',
  title: 'Placeholder in the place of an answer',
  severity: 'warning',
  appliesTo: ['brief', 'card'],
  docs: { why: 'A placeholder makes an open question look answered, for people and for the readiness list.' },
  check: (context) =>
    schemaValues(context).flatMap(({ path, value }) => (typeof value === 'string' && PLACEHOLDER.test(value.trim()) ? [{ message: `"${value.trim()}" is a placeholder; write the answer or remove the key.`, ...context.at(path) }] : [])),
};
