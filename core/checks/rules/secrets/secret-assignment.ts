import type { Rule } from '../../contract';
import { findingsInText } from '../../secret-text';

/** The value has letters and digits and the length of a secret, so that `password: asked for at login` is none. */
const PATTERNS = [
  /(?<![\w-])(?:[\w-]{0,32}[_-])?(?:password|passwd|passphrase|secret|api[_-]?key|access[_-]?key|secret[_-]?key|auth[_-]?token|access[_-]?token|token)["']?\s{0,4}[:=]\s{0,4}["']?(?<value>(?=[^\s"',;#]{0,256}\d)(?=[^\s"',;#]{0,256}[A-Za-z])[^\s"',;#/]{10,256})/gi,
  /--[a-z-]{0,32}(?:password|passphrase|secret|api-key|token)[ =]["']?(?<value>(?=[^\s"',;]{0,256}\d)(?=[^\s"',;]{0,256}[A-Za-z])[^\s"',;/]{10,256})/gi,
];

export const rule: Rule = {
  id: 'secret-assignment',
  title: 'Password or key as a value',
  severity: 'error',
  appliesTo: ['brief', 'card'],
  runsOnBrokenSyntax: true,
  docs: { why: 'Whoever gets the file, the evidence or a screenshot has the secret.', advice: 'Name the place where it is kept: a secret store and its path, or a Kubernetes Secret by `secretRef`.' },
  check: (context) => findingsInText(context, PATTERNS, 'This looks like a password or key. Revoke it, and name the place where the new one is kept.'),
};
