import type { TextEdit } from '../../contract';
import { fix } from '../../edits';
import { syntaxRule } from '../../syntax-rule';

export const rule = syntaxRule({
  id: 'yaml-tab-indent',
  title: 'Indentation with a tab',
  docs: { why: 'YAML forbids tabs in indentation, since editors disagree about their width.' },
  fixes: ({ range }, { file }) => {
    const lineStart = file.text.lastIndexOf('\n', range.start - 1) + 1;
    return [
      ...fix('Replace the tabs of this line by spaces', tabsOfLine(file.text, lineStart)),
      ...fix('Replace all indenting tabs by spaces', allIndentingTabs(file.text)),
    ];
  },
});

/** Two spaces a tab: the product's own indentation. */
function tabsOfLine(text: string, lineStart: number): TextEdit[] {
  const indent = /^[ \t]*/.exec(text.slice(lineStart))![0];
  return indent.includes('\t') ? [{ start: lineStart, end: lineStart + indent.length, newText: indent.replaceAll('\t', '  ') }] : [];
}

function allIndentingTabs(text: string): TextEdit[] {
  return [...text.matchAll(/^[ \t]*\t/gm)].flatMap((match) => tabsOfLine(text, match.index));
}
