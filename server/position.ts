import type { Range as LspRange } from 'vscode-languageserver/node';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { Range } from '../core/document/source';

export const toRange = (document: TextDocument, { start, end }: Range): LspRange => ({
  start: document.positionAt(start),
  end: document.positionAt(end),
});

export const toOffsets = (document: TextDocument, range: LspRange): Range => ({
  start: document.offsetAt(range.start),
  end: document.offsetAt(range.end),
});
