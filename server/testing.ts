import type { Connection, TextDocuments } from 'vscode-languageserver/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { Session } from './session';

/** A session with one open document and no client, for tests of single features. */
export function openDocument(text: string, { languageId = 'acceptance-card', uri = 'untitled:test' } = {}): { session: Session; document: TextDocument } {
  const document = TextDocument.create(uri, languageId, 1, text);
  const documents = { get: (wanted: string) => (wanted === uri ? document : undefined), all: () => [document] };
  const connection = {
    console: {
      error: (message: string) => {
        throw new Error(message);
      },
    },
  };
  const session = new Session(connection as unknown as Connection, documents as unknown as TextDocuments<TextDocument>);
  session.hasSnippets = true;
  return { session, document };
}
