import type { DocumentLink } from 'vscode-languageserver/node';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { schemaValues } from '../../core/checks/schema-visit';
import { fileUses } from '../../core/checks/references';
import { resolveUri } from '../files';
import { toRange } from '../position';
import type { Session } from '../session';
import { contextsOf } from './context';

/** Files that the document names, and web addresses in it. */
export function documentLinks(session: Session, document: TextDocument): DocumentLink[] {
  return contextsOf(session, document).flatMap((context) => {
    const files = fileUses(context).flatMap(({ file, path }) => {
      const target = context.files.state(file) === 'present' ? resolveUri(document.uri, file) : undefined;
      return target === undefined ? [] : [{ range: toRange(document, context.document.valueRange(path)), target }];
    });
    const addresses = schemaValues(context).flatMap(({ value, path }) =>
      typeof value === 'string' && /^https?:\/\/\S+$/.test(value) ? [{ range: toRange(document, context.document.valueRange(path)), target: value }] : [],
    );
    return [...files, ...addresses];
  });
}
