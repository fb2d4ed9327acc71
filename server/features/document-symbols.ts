import { type DocumentSymbol, SymbolKind } from 'vscode-languageserver/node';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { isAlias, isMap, isScalar, isSeq, type Node, type Pair } from 'yaml';
import { keyName } from '../../core/document/syntax';
import { toRange } from '../position';
import type { Session } from '../session';

/** An outline with more entries helps nobody and makes the editor slow. */
const MAX_SYMBOLS = 2000;
const MAX_DEPTH = 6;

export function documentSymbols(session: Session, document: TextDocument): DocumentSymbol[] {
  const budget = { left: MAX_SYMBOLS };
  return session.source(document).documents.flatMap(({ tree }) => symbolsIn(tree.contents as Node | null, document, budget, 0));
}

interface Budget {
  left: number;
}

function symbolsIn(node: Node | null, document: TextDocument, budget: Budget, depth: number): DocumentSymbol[] {
  if (depth >= MAX_DEPTH) return [];
  if (isMap(node)) return (node.items as Pair<Node, Node | null>[]).flatMap((pair) => pairSymbol(pair, document, budget, depth));
  if (isSeq(node)) return node.items.flatMap((item, index) => itemSymbol(item as Node | null, index, document, budget, depth));
  return [];
}

function pairSymbol({ key, value }: Pair<Node, Node | null>, document: TextDocument, budget: Budget, depth: number): DocumentSymbol[] {
  const name = keyName(key);
  if (name === undefined || name === '' || !key.range || budget.left-- <= 0) return [];
  const end = Math.max(key.range[1], value?.range?.[1] ?? 0);
  const detail = scalarText(value);
  return [
    {
      name,
      ...(detail === undefined ? {} : { detail }),
      kind: isMap(value) ? SymbolKind.Object : isSeq(value) ? SymbolKind.Array : SymbolKind.Property,
      range: toRange(document, { start: key.range[0], end }),
      selectionRange: toRange(document, { start: key.range[0], end: key.range[1] }),
      children: symbolsIn(value, document, budget, depth + 1),
    },
  ];
}

/** List items are known by their name or id. */
function itemSymbol(item: Node | null, index: number, document: TextDocument, budget: Budget, depth: number): DocumentSymbol[] {
  if (!isMap(item) || !item.range || budget.left-- <= 0) return [];
  const label = scalarText((item.get('name', true) ?? item.get('id', true) ?? item.get('kind', true)) as Node | undefined) ?? String(index + 1);
  const range = toRange(document, { start: item.range[0], end: item.range[1] });
  return [{ name: label === '' ? String(index + 1) : label, kind: SymbolKind.Object, range, selectionRange: { start: range.start, end: range.start }, children: symbolsIn(item, document, budget, depth + 1) }];
}

function scalarText(node: Node | null | undefined): string | undefined {
  if (isAlias(node)) return `*${node.source}`;
  return isScalar(node) && node.value !== null ? String(node.value).slice(0, 80) : undefined;
}
