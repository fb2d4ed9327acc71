import { fix } from '../../edits';
import { syntaxRule } from '../../syntax-rule';

export const rule = syntaxRule({
  id: 'yaml-unclosed-quote',
  title: 'Quote that is never closed',
  docs: { why: 'An open quote swallows everything behind it, so the rest of the file has no meaning.' },
  fixes: ({ range }, { file }) => {
    const lineEnd = range.start + /^[^\r\n]*/.exec(file.text.slice(range.start))![0].trimEnd().length;
    return fix('Close the quote at the end of the line', [{ start: lineEnd, end: lineEnd, newText: file.text[range.start] ?? '"' }]);
  },
});
