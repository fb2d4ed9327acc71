import { syntaxRule } from '../../syntax-rule';

export const rule = syntaxRule({
  id: 'yaml-duplicate-key',
  title: 'Key that is set twice',
  docs: { why: 'Tools disagree about which one counts, so two people may run two different cards from the same file.' },
});
