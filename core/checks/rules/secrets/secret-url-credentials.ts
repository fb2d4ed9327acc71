import type { Rule } from '../../contract';
import { findingsInText } from '../../secret-text';

const PATTERNS = [
  /\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s/:@"'<>]{1,256}:(?<value>[^\s/@"']{1,256})@/gi,
  // Signed addresses and access tokens in the query.
  /https?:\/\/[^\s"'?]{1,2048}\?[^\s"']{0,2048}?(?:access_token|token|api_?key|password|sig|X-Amz-Signature)=(?<value>[^\s"'&]{8,2048})/gi,
];

export const rule: Rule = {
  id: 'secret-url-credentials',
  title: 'Credentials in an address',
  severity: 'error',
  appliesTo: ['brief', 'card', 'manifest'],
  runsOnBrokenSyntax: true,
  docs: { why: 'Addresses are logged, shown and packed into evidence, and the password in them with them.', advice: 'Write the address without credentials; tools take them from their own store or environment.' },
  check: (context) => findingsInText(context, PATTERNS, 'This address carries credentials. Revoke them and write the address without.'),
};
