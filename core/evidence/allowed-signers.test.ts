import { describe, expect, it } from 'vitest';
import { findSigner, parseAllowedSigners } from './allowed-signers';

const KEY = Buffer.from('key of Ada');
const WORDS = `ssh-ed25519 ${KEY.toString('base64')}`;
const NOW = new Date('2026-12-01T12:00:00Z');

function find(text: string): string {
  const found = findSigner(parseAllowedSigners(text).signers, KEY, 'bundle', NOW);
  return 'problem' in found ? found.problem : found.principals;
}

describe('allowed signers', () => {
  it.each([
    ['a plain line', `ada@example.com ${WORDS}`, 'ada@example.com'],
    ['comments and empty lines before it', `# team\n\n  \nada@example.com ${WORDS} her laptop\n`, 'ada@example.com'],
    ['several names', `"ada@example.com,ops@example.com" ${WORDS}`, 'ada@example.com,ops@example.com'],
    ['a purpose', `ada@example.com namespaces="git,bundle" ${WORDS}`, 'ada@example.com'],
    ['a pattern of purposes', `ada@example.com namespaces="bun*" ${WORDS}`, 'ada@example.com'],
    ['a time that holds', `ada@example.com valid-after="20261101",valid-before="20261231Z" ${WORDS}`, 'ada@example.com'],
    ['a second line for a time that holds', `ada@example.com valid-before="20250101" ${WORDS}\neve@example.com valid-after="202611302359Z" ${WORDS}`, 'eve@example.com'],
  ])('know the signer from %s', (_, text, expected) => expect(find(text)).toBe(expected));

  it.each([
    ['another key', 'ada@example.com ssh-ed25519 AAAA', 'Its key is not one of the allowed signers.'],
    ['another purpose', `ada@example.com namespaces="git" ${WORDS}`, 'Its key is allowed (line 1), but not for bundle.'],
    ['a time that is over', `\nada@example.com valid-before="20261201115959Z" ${WORDS}`, 'Its key is not allowed at this time (line 2).'],
    ['a time that has not come', `ada@example.com valid-after="20270101" ${WORDS}`, 'Its key is not allowed at this time (line 1).'],
    ['a certificate authority', `*@example.com cert-authority ${WORDS}`, 'Its key is not one of the allowed signers.'],
    ['an option that nobody knows', `ada@example.com only-on-fridays ${WORDS}`, 'Its key is not one of the allowed signers.'],
    ['a date that is none', `ada@example.com valid-before="soon" ${WORDS}`, 'Its key is not one of the allowed signers.'],
    ['a line without a name', WORDS, 'Its key is not one of the allowed signers.'],
  ])('allow nobody for %s', (_, text, expected) => expect(find(text)).toBe(expected));

  it('say which lines could not be used', () => {
    expect(parseAllowedSigners(`# a\nada ${WORDS}\nbob cert-authority ${WORDS}\nnonsense\n`)).toMatchObject({ signers: [{ principals: 'ada', line: 2 }], skipped: [3, 4] });
  });
});
