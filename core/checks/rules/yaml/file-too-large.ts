import { syntaxRule } from '../../syntax-rule';

export const rule = syntaxRule({
  id: 'file-too-large',
  title: 'File that is too large to be checked',
  severity: 'information',
  docs: { why: 'Above 1 MB only the syntax is checked, and above 8 MB nothing, so that typing stays fast. A card is a few hundred lines.' },
});
