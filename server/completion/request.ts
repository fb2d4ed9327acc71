import type { TextDocument } from 'vscode-languageserver-textdocument';
import { createContext } from '../../core/checks/context';
import type { CheckContext } from '../../core/checks/contract';
import { kindOfFileName } from '../../core/checks/run';
import { type Cursor, cursorAt } from '../../core/document/cursor';
import { indentStep } from '../../core/document/indent';
import { type LocatedSchema, locateSchema } from '../../core/document/schema-walk';
import type { DocumentKind } from '../../core/document/source';
import { fileNameOf, type Session } from '../session';

/** All that completion knows about the place where it is asked. */
export interface CompletionRequest {
  document: TextDocument;
  cursor: Cursor;
  /** Absent: the document does not say yet what it is. */
  kind?: DocumentKind;
  /** Schema of the map, list or value at the cursor's path. */
  schema?: LocatedSchema;
  indentStep: number;
  eol: string;
  hasSnippets: boolean;
  /** The document as the checks see it; absent while nothing of it can be read. */
  context?: CheckContext;
}

export function requestAt(session: Session, document: TextDocument, offset: number): CompletionRequest | undefined {
  const text = document.getText();
  const cursor = cursorAt(text, offset);
  if (!cursor) return undefined;
  const file = session.source(document);
  const tree = file.documentAt(offset);
  const kind = kindIn(cursor.data) ?? tree?.kind ?? kindOfFileName(fileNameOf(document));
  const schema = kind && locateSchema(kind, cursor.path, cursor.data);
  return {
    document,
    cursor,
    indentStep: indentStep(text),
    eol: file.eol,
    hasSnippets: session.hasSnippets,
    ...(kind ? { kind } : {}),
    ...(schema ? { schema } : {}),
    ...(kind && tree ? { context: createContext(file, tree, kind === 'AcceptanceCard' ? 'card' : 'brief', { files: session.files.providerFor(document.uri), today: today() }) } : {}),
  };
}

function kindIn(data: unknown): DocumentKind | undefined {
  const kind = (data as { kind?: unknown } | null | undefined)?.kind;
  return kind === 'AcceptanceCard' || kind === 'WorkloadBrief' ? kind : undefined;
}

export const today = (): string => new Date().toISOString().slice(0, 10);
