import { ISSUED_TOKENS } from '../../../run/secrets';
import type { Rule } from '../../contract';
import { findingsInText } from '../../secret-text';

const PRIVATE_KEY = /-----BEGIN [A-Z ]{0,32}PRIVATE KEY-----/g;

export const rule: Rule = {
  id: 'secret-token',
  title: 'Token or private key in the text',
  severity: 'error',
  appliesTo: ['brief', 'card', 'manifest'],
  runsOnBrokenSyntax: true,
  docs: { why: 'Briefs and cards are shared, committed and packed into evidence. A token in them is out, and stays in the history after it was deleted.', advice: 'Revoke it, keep the new one in a secret store, and name the place here.' },
  check: (context) => findingsInText(context, [...ISSUED_TOKENS, PRIVATE_KEY], 'This looks like a token or private key. Revoke it, and name the place where the new one is kept.'),
};
