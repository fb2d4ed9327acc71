import { type FoldingRange, FoldingRangeKind } from 'vscode-languageserver/node';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { isCollection, isPair, isScalar, Scalar, type Node, type Pair } from 'yaml';
import { forEachNode } from '../../core/document/syntax';
import type { Session } from '../session';

/** Maps, lists, block texts and runs of comment lines. */
export function foldingRanges(session: Session, document: TextDocument): FoldingRange[] {
  const ranges: FoldingRange[] = commentFolds(document.getText());
  const lineOf = (offset: number): number => document.positionAt(offset).line;
  for (const { tree } of session.source(document).documents) {
    forEachNode(tree.contents, (node) => {
      if (!isCollection(node)) return;
      for (const item of node.items) {
        const begin = isPair(item) ? (item as Pair<Node, Node | null>).key.range?.[0] : (item as Node | null)?.range?.[0];
        const value = (isPair(item) ? item.value : item) as Node | null;
        const end = value && isFoldable(value) ? value.range?.[1] : undefined;
        if (begin === undefined || end === undefined) continue;
        const endLine = lineOf(end) - (document.getText()[end - 1] === '\n' ? 1 : 0);
        if (endLine > lineOf(begin)) ranges.push({ startLine: lineOf(begin), endLine });
      }
    });
  }
  return ranges;
}

const isFoldable = (node: Node): boolean => isCollection(node) || (isScalar(node) && (node.type === Scalar.BLOCK_FOLDED || node.type === Scalar.BLOCK_LITERAL));

function commentFolds(text: string): FoldingRange[] {
  const lines = text.split('\n');
  const isComment = (line: string | undefined): boolean => /^\s*#/.test(line ?? '');
  return lines.flatMap((line, startLine) => {
    if (!isComment(line) || isComment(lines[startLine - 1])) return [];
    let endLine = startLine;
    while (isComment(lines[endLine + 1])) endLine++;
    return endLine > startLine ? [{ startLine, endLine, kind: FoldingRangeKind.Comment }] : [];
  });
}
