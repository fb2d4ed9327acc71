import type { Location } from 'vscode-languageserver/node';
import { isAlias } from 'yaml';
import { TextDocument } from 'vscode-languageserver-textdocument';
import type { CheckContext } from '../../core/checks/contract';
import { type Declaration, declarationOf, declarations, fileUses, nameUses } from '../../core/checks/references';
import type { Path, Range } from '../../core/document/source';
import { resolveUri } from '../files';
import { toRange } from '../position';
import type { Session } from '../session';
import { contextAt, contextsOf } from './context';

/** From a name to where it is declared, from an alias to its anchor, from a path to its file. */
export function definition(session: Session, document: TextDocument, offset: number): Location[] {
  const context = contextAt(session, document, offset);
  if (!context) return [];
  const { path, onKey } = context.document.pathAt(offset);
  if (onKey) return [];
  const anchored = aliasTarget(context, path);
  if (anchored) return [{ uri: document.uri, range: toRange(document, anchored) }];
  const use = nameUses(context).find((candidate) => same(candidate.path, path));
  const declared = use && declarationOf(use, declarations(context));
  if (declared) return locationOf(session, document, declared);
  const file = fileUses(context).find((candidate) => same(candidate.path, path));
  const uri = file && context.files.state(file.file) === 'present' ? resolveUri(document.uri, file.file) : undefined;
  return uri === undefined ? [] : [{ uri, range: { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } } }];
}

/** Every use of the name at the cursor in this file, in the brief that it names, and in the cards that name this brief. */
export function references(session: Session, document: TextDocument, offset: number, withDeclaration: boolean): Location[] {
  const context = contextAt(session, document, offset);
  const declared = context && declaredAt(context, offset);
  if (!context || !declared) return [];
  const home = declared.file === undefined ? document.uri : resolveUri(document.uri, declared.file);
  const documents = [document, ...session.documents.all().filter(({ uri }) => uri !== document.uri)];
  const uses = documents.flatMap((other) => contextsOf(session, other).flatMap((context) => usesIn(context, other, declared, home)));
  return [...(withDeclaration ? locationOf(session, document, declared) : []), ...uses];
}

function usesIn(context: CheckContext, document: TextDocument, declared: Declaration, home: string | undefined): Location[] {
  const known = declarations(context);
  return nameUses(context).flatMap((use) => {
    const target = declarationOf(use, known);
    const uri = target && (target.file === undefined ? document.uri : resolveUri(document.uri, target.file));
    const isIt = target !== undefined && uri === home && target.kind === declared.kind && target.name === declared.name && target.stage === declared.stage;
    return isIt ? [{ uri: document.uri, range: toRange(document, context.document.valueRange(use.path)) }] : [];
  });
}

/** The declaration that the cursor is on or refers to. */
function declaredAt(context: CheckContext, offset: number): Declaration | undefined {
  const { path } = context.document.pathAt(offset);
  const known = declarations(context);
  const own = known.find((candidate) => candidate.source === context.document && same(candidate.path, path));
  const use = nameUses(context).find((candidate) => same(candidate.path, path));
  return own ?? (use && declarationOf(use, known));
}

function locationOf(session: Session, document: TextDocument, { file, source, path }: Declaration): Location[] {
  const uri = file === undefined ? document.uri : resolveUri(document.uri, file);
  const text = file === undefined ? document.getText() : session.files.readText(uri);
  if (uri === undefined || text === undefined) return [];
  return [{ uri, range: toRange(TextDocument.create(uri, 'yaml', 0, text), source.valueRange(path)) }];
}

function aliasTarget({ document }: CheckContext, path: Path): Range | undefined {
  return isAlias(document.pairAt(path)?.value) ? document.locateValue(path).anchored : undefined;
}

const same = (a: Path, b: Path): boolean => a.length === b.length && a.every((step, index) => step === b[index]);
