import type { CheckContext, Finding } from './contract';

/** Values that stand for a secret that is filled in elsewhere. */
const STAND_IN = /^[<[{(]|^\$|^\*+$|^x+$|\$\{|\{\{|^(?:redacted|secret|password|passwd|token|none|null|example|changeme)$/i;

/**
 * Matches in the text of a document, its comments too: a secret is out wherever it stands. The message must not repeat it.
 * A group `value` narrows the range, and says what must not be a stand-in.
 */
export function findingsInText({ document }: CheckContext, patterns: readonly RegExp[], message: string): Finding[] {
  const { text, range } = document;
  const own = text.slice(range.start, range.end);
  return patterns.flatMap((pattern) =>
    [...own.matchAll(pattern)].flatMap((match) => {
      const value = match.groups?.['value'] ?? match[0];
      const start = range.start + match.index + match[0].lastIndexOf(value);
      return STAND_IN.test(value) ? [] : [{ message, range: { start, end: start + value.length } }];
    }),
  );
}
