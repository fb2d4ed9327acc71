import { syntaxRule } from '../../syntax-rule';

export const rule = syntaxRule({
  id: 'yaml-unresolved-alias',
  title: 'Alias without an anchor',
  docs: { why: 'The value that the alias stands for is not in this document, so nothing can be checked or run.' },
});
