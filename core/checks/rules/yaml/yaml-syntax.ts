import { fix } from '../../edits';
import { syntaxRule } from '../../syntax-rule';

export const rule = syntaxRule({
  id: 'yaml-syntax',
  title: 'Not valid YAML',
  docs: { why: 'A file that is not valid YAML cannot be checked or run.' },
  fixes: ({ range }, { file }) => {
    const value = /^[>|][^\r\n]*?(?=\s*(?:\s#.*)?$)/m.exec(file.text.slice(range.start, range.end))?.[0];
    return value === undefined ? [] : fix(`Write ${JSON.stringify(value)}`, [{ start: range.start, end: range.start + value.length, newText: JSON.stringify(value) }]);
  },
});
