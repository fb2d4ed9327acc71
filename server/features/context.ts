import type { TextDocument } from 'vscode-languageserver-textdocument';
import { createContext } from '../../core/checks/context';
import type { CheckContext } from '../../core/checks/contract';
import type { SourceDocument } from '../../core/document/source';
import { today } from '../completion/request';
import type { Session } from '../session';

/** One document of a file as the checks see it; undefined when it is neither brief nor card. */
export function contextOf(session: Session, document: TextDocument, tree: SourceDocument | undefined): CheckContext | undefined {
  if (!tree?.kind) return undefined;
  const subject = tree.kind === 'AcceptanceCard' ? 'card' : 'brief';
  return createContext(session.source(document), tree, subject, { files: session.files.providerFor(document.uri), today: today() });
}

export const contextAt = (session: Session, document: TextDocument, offset: number): CheckContext | undefined =>
  contextOf(session, document, session.source(document).documentAt(offset));

export const contextsOf = (session: Session, document: TextDocument): CheckContext[] =>
  session.source(document).documents.flatMap((tree) => contextOf(session, document, tree) ?? []);
