import { syntaxRule } from '../../syntax-rule';

export const rule = syntaxRule({
  id: 'yaml-repeated-merge',
  title: 'Two merge keys in one map',
  docs: { why: 'A map has one merge key; which anchors count is otherwise left to the tool.', advice: 'Merge several anchors with `<<: [*a, *b]`.' },
});
