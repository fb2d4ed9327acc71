/** What a secret looks like in a line of output. Every repetition is bounded, so that no line takes more than linear time. */

export const REPLACEMENT = '[REDACTED]';

interface Rule {
  /** Groups: `keep` stays, then `quoted` (with its quotes) or `bare` is replaced. */
  pattern: RegExp;
  /** Values that only look like secrets. */
  harmless?: RegExp;
}

const QUOTED = String.raw`(?<quoted>"(?:[^"\\]|\\.){1,4096}"|'[^']{1,4096}')`;
/** In `NAME=value` a value ends at white space, in `name: value` also where JSON goes on. */
const AFTER_EQUALS = String.raw`(?<separator>\s{0,4}=\s{0,4})(?:${QUOTED}|(?<bare>[^\s"']{4,4096}))`;
const AFTER_COLON = AFTER_EQUALS.replace('=', ':').replace(String.raw`[^\s"']{4,`, String.raw`[^\s"',;}\])]{4,`);

const STRONG = 'secret|passw(?:or)?d|passphrase|api[_-]?key|access[_-]?key|account[_-]?key|private[_-]?key|credentials?';
/** `token`, not `tokens`, `tokenizer` or `tokenized`: those are what language models count. */
const WEAK = String.raw`token(?!s|iz)`;
const NAME_REST = String.raw`[\w.-]{0,64}["']?`;

const NOTHING = /^["']?(?:null|none|true|false|unset|undefined|\*+)?["']?$/i;
const NOTHING_OR_NUMBER = /^["']?(?:null|none|true|false|unset|undefined|\*+|[\d.,eE+-]+(?:ms|us|s)?|[<[{(].*)?["'],?$|^(?:null|none|true|false|[\d.,eE+-]+(?:ms|us|s)?[,;)}\]]*|[<[{(].*)$/i;

const named = (names: string, value: string, flags: string, harmless: RegExp): Rule => ({ pattern: new RegExp(String.raw`(?<keep>(?:${names})${NAME_REST})${value}`, flags), harmless });

/** Secrets that show what they are by how they begin: access tokens of common services, and web tokens of three parts. */
export const ISSUED_TOKENS: readonly RegExp[] = [
  /(?<bare>\b(?:hf_[A-Za-z0-9]{20,256}|sk-[A-Za-z0-9_-]{20,256}|gh[pousr]_[A-Za-z0-9]{20,256}|github_pat_\w{20,256}|dckr_pat_[\w-]{20,256}|glpat-[\w-]{20,256}|xox[abprs]-[\w-]{10,256}|nvapi-[\w-]{20,256}|A[KS]IA[0-9A-Z]{16})\b)/g,
  /(?<bare>\beyJ[A-Za-z0-9_-]{10,2048}\.[A-Za-z0-9_-]{10,4096}\.[A-Za-z0-9_-]{1,1024})/g,
];

const RULES: readonly Rule[] = [
  { pattern: new RegExp(String.raw`(?<keep>authorization["']?\s{0,4}[:=]\s{0,4}["']?(?:(?:bearer|basic|digest|token|negotiate)\s{1,4})?)(?<bare>[^\s"',;]{1,4096})`, 'gi') },
  { pattern: /(?<keep>\bbearer\s{1,4})(?<bare>[A-Za-z0-9._~+/=-]{8,4096})/gi },
  { pattern: /(?<keep>\b(?:x-api-key|api-key|cookie|set-cookie)["']?\s{0,4}:\s{0,4}["']?)(?<bare>[^\r\n"']{1,4096})/gi },
  { pattern: new RegExp(String.raw`(?<keep>--[a-z-]{0,32}(?:${STRONG}|${WEAK})[a-z-]{0,32}\s{1,4})(?:${QUOTED}|(?<bare>[^\s"'-][^\s"']{3,4096}))`, 'gi'), harmless: NOTHING_OR_NUMBER },
  named(STRONG, AFTER_EQUALS, 'gi', NOTHING),
  named(STRONG, AFTER_COLON, 'gi', NOTHING),
  named(WEAK, AFTER_EQUALS, 'gi', NOTHING_OR_NUMBER),
  named(WEAK, AFTER_COLON, 'gi', NOTHING_OR_NUMBER),
  // Dumps of an environment; in lower case a key is mostly one of a table.
  named(String.raw`\b(?:[A-Z][A-Z0-9]{0,32}_){0,8}KEY`, AFTER_EQUALS, 'g', NOTHING_OR_NUMBER),
  // Addresses that carry their own permission: signed links of Amazon, Google and Azure storage.
  { pattern: /(?<keep>[?&](?:X-Amz-Signature|X-Goog-Signature|Signature|sig)=)(?<bare>[^\s&"'<>]{8,4096})/gi },
  // Up to the last `@` before the path: people write a password with an `@` as it is.
  { pattern: /(?<keep>:\/\/[^\s/:@]{1,256}:)(?<bare>[^\s/"'<>]{1,1024})(?=@)/g },
  // ~/.netrc, on one line or on several.
  { pattern: /(?<keep>\b(?:login|user|machine)\s{1,8}\S{1,256}\s{1,8}passw(?:or)?d\s{1,8})(?<bare>\S{1,1024})/gi },
  { pattern: /(?<keep>^\s{0,64}passw(?:or)?d\s{1,8})(?<bare>\S{4,1024})(?=\s{0,64}$)/gi },
  ...ISSUED_TOKENS.map((pattern) => ({ pattern })),
  // A whole key on one line, as in JSON.
  { pattern: /(?<keep>-----BEGIN [A-Z ]{0,32}PRIVATE KEY-----)(?<bare>.{1,32768}?)(?=-----END [A-Z ]{0,32}PRIVATE KEY-----)/g },
];

/** Only lines with one of these can hold a secret; numbers in tables never reach the rules. */
const HINT = /token|secret|passw|passphrase|key|credential|authori[sz]ation|bearer|cookie|:\/\/|hf_|sk-|gh[pousr]_|github_pat|dckr_pat|[?&](?:[a-z-]{1,16}signature|signature|sig)=|glpat|xox|nvapi|A[KS]IA|eyJ/i;

export const mayHoldSecret = (text: string): boolean => HINT.test(text);

/** The line without its secrets, and how many there were. */
export function replaceSecrets(line: string): { line: string; count: number } {
  let count = 0;
  const replaced = RULES.reduce((text, { pattern, harmless }) => text.replace(pattern, (match, ...rest) => {
    const { keep = '', separator = '', quoted, bare } = rest.at(-1) as Record<string, string | undefined>;
    const value = quoted ?? bare ?? '';
    // Another rule was here before; where it cut the value, the closing bracket may be missing.
    if (value.includes(REPLACEMENT.slice(0, -1)) || harmless?.test(value)) return match;
    count++;
    const quote = quoted === undefined ? '' : quoted[0]!;
    return `${keep}${separator}${quote}${REPLACEMENT}${quote}`;
  }), line);
  return { line: replaced, count };
}
