import { isScalar, Scalar } from 'yaml';
import type { Rule } from '../../contract';
import { fix, replaceValue } from '../../edits';
import { schemaValues } from '../../schema-visit';

const WORD = /^(?:y|n|yes|no|on|off)$/i;

export const rule: Rule = {
  id: 'yaml-bare-yes-no',
  title: 'Unquoted yes, no, on or off',
  severity: 'warning',
  appliesTo: ['brief', 'card'],
  docs: {
    why: 'In YAML 1.2 these words are texts, in YAML 1.1 they are true and false: the same card would mean two things in two tools.',
    advice: 'Quote the word, or write `true` or `false` where that is meant.',
    source: 'YAML 1.2.2, section 10.3; YAML 1.1 bool type',
  },
  check: (context) =>
    schemaValues(context).flatMap(({ path, value, schema }) => {
      const wantsBoolean = [schema.type].flat().includes('boolean');
      const node = context.document.nodeAt(path);
      const isBare = typeof value === 'string' && WORD.test(value) && isScalar(node) && node.type === Scalar.PLAIN;
      if (!isBare || wantsBoolean) return [];
      return [{ message: `${value} is a text here, but true or false in older tools. Quote it.`, ...context.at(path), fixes: fix(`Quote ${value}`, replaceValue(context.document, path, JSON.stringify(value)), true) }];
    }),
};
