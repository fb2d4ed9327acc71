import type { CancellationToken } from 'vscode-languageserver/node';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { codeActions } from './features/code-actions';
import { codeLenses } from './features/code-lenses';
import { documentLinks } from './features/document-links';
import { documentSymbols } from './features/document-symbols';
import { foldingRanges } from './features/folding';
import { hover } from './features/hover';
import { inlayHints } from './features/inlay-hints';
import { definition, references } from './features/navigation';
import { selectionRanges } from './features/selection';
import { complete } from './completion/complete';
import type { Session } from './session';

/** Connects each request to its feature. A feature that breaks answers with nothing and is logged; the others go on. */
export function registerFeatures(session: Session): void {
  const { connection } = session;
  const guarded =
    <Params extends { textDocument: { uri: string } }, Result>(name: string, feature: (document: TextDocument, params: Params) => Result | Promise<Result>) =>
    async (params: Params, token: CancellationToken): Promise<Result | null> => {
      const document = session.documents.get(params.textDocument.uri);
      if (!document || token.isCancellationRequested) return null;
      try {
        return await feature(document, params);
      } catch (error) {
        session.log(name, error);
        return null;
      }
    };
  connection.onCompletion(guarded('completion', (document, { position }) => complete(session, document, document.offsetAt(position))));
  connection.onHover(guarded('hover', (document, { position }) => hover(session, document, document.offsetAt(position))));
  connection.onCodeAction(guarded('code actions', (document, params) => codeActions(session, document, params)));
  connection.onDocumentSymbol(guarded('symbols', (document) => documentSymbols(session, document)));
  connection.onFoldingRanges(guarded('folding', (document) => foldingRanges(session, document)));
  connection.onSelectionRanges(guarded('selection', (document, { positions }) => selectionRanges(session, document, positions)));
  connection.onDocumentLinks(guarded('links', (document) => documentLinks(session, document)));
  connection.onDefinition(guarded('definition', (document, { position }) => definition(session, document, document.offsetAt(position))));
  connection.onReferences(guarded('references', (document, { position, context }) => references(session, document, document.offsetAt(position), context.includeDeclaration)));
  connection.onCodeLens(guarded('lenses', (document) => codeLenses(session, document)));
  connection.languages.inlayHint.on(guarded('inlay hints', (document, { range }) => inlayHints(session, document, range)));
}
