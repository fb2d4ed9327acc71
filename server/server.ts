import {
  CodeActionKind,
  CodeLensRefreshRequest,
  type Connection,
  DidChangeConfigurationNotification,
  DidChangeWatchedFilesNotification,
  type InitializeParams,
  type InitializeResult,
  type TextDocuments,
  TextDocumentSyncKind,
} from 'vscode-languageserver/node';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { RUNS_CHANGED } from '../core/messages/language-server';
import { CONFIG_FILE } from '../core/checks/config';
import { DiagnosticsPublisher } from './diagnostics';
import { FIX_ALL } from './features/code-actions';
import { registerFeatures } from './handlers';
import { Session } from './session';

/** Wires the protocol to the features. Lives until the client ends it or goes away. */
export function startServer(connection: Connection, documents: TextDocuments<TextDocument>): void {
  const session = new Session(connection, documents);
  const diagnostics = new DiagnosticsPublisher(session);
  let canWatch = false;

  connection.onInitialize(({ capabilities }: InitializeParams): InitializeResult => {
    session.canAskConfiguration = capabilities.workspace?.configuration === true;
    session.hasSnippets = capabilities.textDocument?.completion?.completionItem?.snippetSupport === true;
    canWatch = capabilities.workspace?.didChangeWatchedFiles?.dynamicRegistration === true;
    return { capabilities: CAPABILITIES, serverInfo: { name: 'gpu-acceptance' } };
  });

  connection.onInitialized(async () => {
    if (session.canAskConfiguration) await connection.client.register(DidChangeConfigurationNotification.type);
    if (canWatch) {
      const globs = ['**/*.brief.{yaml,yml}', '**/*.acceptance.{yaml,yml}', `**/${CONFIG_FILE}`, '**/*.{yaml,yml}'];
      await connection.client.register(DidChangeWatchedFilesNotification.type, { watchers: globs.map((globPattern) => ({ globPattern })) });
    }
  });

  const reloadSettings = async (): Promise<void> => {
    await Promise.all(documents.all().map(({ uri }) => session.loadSeverity(uri)));
    diagnostics.publishAll();
  };
  connection.onDidChangeConfiguration(() => guard(session, 'settings', reloadSettings));
  connection.onDidChangeWatchedFiles(() => guard(session, 'watched files', async () => diagnostics.publishAll()));
  connection.onNotification(RUNS_CHANGED, () => guard(session, 'code lenses', () => connection.sendRequest(CodeLensRefreshRequest.type)));

  documents.onDidOpen(({ document: { uri } }) =>
    guard(session, 'open', async () => {
      await session.loadSeverity(uri);
      diagnostics.opened(uri);
    }),
  );
  documents.onDidChangeContent(({ document }) => {
    if (document.version > 1) diagnostics.changed(document.uri);
  });
  documents.onDidSave(() => diagnostics.publishAll());
  documents.onDidClose(({ document: { uri } }) => {
    session.forget(uri);
    diagnostics.closed(uri);
  });
  connection.onShutdown(() => diagnostics.dispose());

  registerFeatures(session);
  documents.listen(connection);
  connection.listen();
}

async function guard(session: Session, what: string, work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    session.log(what, error);
  }
}

const CAPABILITIES: InitializeResult['capabilities'] = {
  textDocumentSync: { openClose: true, change: TextDocumentSyncKind.Incremental, save: true },
  completionProvider: { triggerCharacters: [' ', ':', '-', '"', "'", '/', '.', '{', '[', ','] },
  hoverProvider: true,
  codeActionProvider: { codeActionKinds: [CodeActionKind.QuickFix, FIX_ALL] },
  documentSymbolProvider: true,
  foldingRangeProvider: true,
  selectionRangeProvider: true,
  documentLinkProvider: {},
  definitionProvider: true,
  referencesProvider: true,
  codeLensProvider: { resolveProvider: false },
  inlayHintProvider: true,
};
