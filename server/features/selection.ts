import type { Position, SelectionRange } from 'vscode-languageserver/node';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { Range } from '../../core/document/source';
import { toRange } from '../position';
import type { Session } from '../session';

/** From the word to its pair, its item, its section and the whole document. */
export function selectionRanges(session: Session, document: TextDocument, positions: readonly Position[]): SelectionRange[] {
  return positions.map((position) => {
    const offset = document.offsetAt(position);
    const nested = rangesAround(session, document, offset).filter(({ start, end }) => start <= offset && end >= offset);
    const ordered = nested.sort((a, b) => b.end - b.start - (a.end - a.start));
    const wholeText = { start: 0, end: document.getText().length };
    return ordered.reduce<SelectionRange>((parent, range) => ({ range: toRange(document, range), parent }), { range: toRange(document, wholeText) });
  });
}

function rangesAround(session: Session, document: TextDocument, offset: number): Range[] {
  const tree = session.source(document).documentAt(offset);
  if (!tree) return [];
  const { path } = tree.pathAt(offset);
  return path.flatMap((_step, depth) => {
    const part = path.slice(0, depth + 1);
    const key = tree.keyRange(part);
    const value = tree.valueRange(part);
    return [key, value, { start: Math.min(key.start, value.start), end: Math.max(key.end, value.end) }];
  });
}
