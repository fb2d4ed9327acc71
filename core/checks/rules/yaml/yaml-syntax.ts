import { syntaxRule } from '../../syntax-rule';

export const rule = syntaxRule({
  id: 'yaml-syntax',
  title: 'Not valid YAML',
  docs: { why: 'A file that is not valid YAML cannot be checked or run.' },
});
