import { syntaxRule } from '../../syntax-rule';

export const rule = syntaxRule({
  id: 'yaml-alias-budget',
  title: 'Too many anchors and aliases',
  docs: { why: 'Aliases of aliases grow a small file into gigabytes. A brief or a card needs a handful.' },
});
