import { type Hover, MarkupKind } from 'vscode-languageserver/node';
import { isAlias, isScalar } from 'yaml';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { Criterion, Source } from '../../schemas';
import { shareOfCeiling } from '../../core/checks/ceiling-share';
import { memoryNeedText } from '../../core/checks/memory-need';
import { computedParts, formatGiB, type MemoryPart } from '../../core/document/memory-shape';
import { locateSchema } from '../../core/document/schema-walk';
import type { Path, SourceDocument } from '../../core/document/source';
import { kindOfFileName } from '../../core/checks/run';
import { toRange } from '../position';
import { code, describeSchema, describeValue } from '../schema-docs';
import { fileNameOf, type Session } from '../session';
import { contextAt } from './context';

/** Meaning, unit, allowed values and example of a key; what is known of a value; where a threshold comes from. */
export function hover(session: Session, document: TextDocument, offset: number): Hover | null {
  const tree = session.source(document).documentAt(offset);
  const kind = tree?.kind ?? kindOfFileName(fileNameOf(document));
  if (!tree || !kind) return null;
  const { path, onKey } = tree.pathAt(offset);
  const node = locateSchema(kind, path, tree.value)?.node;
  if (!node || path.length === 0) return null;
  const key = String(path.findLast((step) => typeof step === 'string'));
  const value = tree.nodeAt(path);
  const ownValue = isScalar(value) ? describeValue(node['x-reference'], String(value.value)) : undefined;
  const parts = [
    ...(onKey || ownValue === undefined ? [describeSchema(node, key)] : [ownValue]),
    ...aliasText(tree, path),
    ...thresholdText(session, document, offset, path),
    ...memoryText(session, document, offset, path),
  ];
  const range = onKey ? tree.keyRange(path) : tree.valueRange(path);
  return { contents: { kind: MarkupKind.Markdown, value: parts.join('\n\n---\n\n') }, range: toRange(document, range) };
}

/** An alias says nothing by itself: the value behind it does. */
function aliasText(tree: SourceDocument, path: Path): string[] {
  const alias = tree.pairAt(path)?.value;
  if (!isAlias(alias)) return [];
  const value: unknown = tree.nodeAt(path)?.toJS(tree.tree, { maxAliasCount: 100 });
  return [`Stands for ${code(JSON.stringify(value)?.slice(0, 300) ?? '')}`];
}

function thresholdText(session: Session, document: TextDocument, offset: number, path: Path): string[] {
  if (path[0] !== 'stages' || path[2] !== 'criteria' || path[4] !== 'value') return [];
  const context = contextAt(session, document, offset);
  const stage = context?.card?.stages?.[path[1] as 'functional'];
  const criterion = stage?.criteria?.[Number(path[3])];
  if (!criterion) return [];
  const share = shareOfCeiling(criterion, context?.profile);
  return [
    sourceText(criterion.source),
    ...(share ? [`${Math.round(share.share * 100)} % of the ceiling ${share.ceiling} (${share.source})`] : []),
  ];
}

/** What the part would be by the model's architecture, and what the whole shape needs. */
function memoryText(session: Session, document: TextDocument, offset: number, path: Path): string[] {
  if (path[0] !== 'memoryShape' || path.length > 2) return [];
  const brief = contextAt(session, document, offset)?.brief;
  const need = memoryNeedText(brief);
  if (path.length === 1) return need === undefined ? [] : [`All parts: ${need}`];
  const computed = brief && computedParts(brief)[path[1] as MemoryPart];
  return computed ? [`Computed: ${computed.formula} = **${formatGiB(computed.bytes)}**`] : [];
}

function sourceText(source: Partial<Source> | Criterion['source'] | undefined): string {
  if (!source?.kind) return 'No source: a threshold without a source cannot be defended.';
  const parts = [source.kind.replaceAll('-', ' '), source.reference, source.date].filter((part): part is string => part !== undefined);
  return `Source: ${parts.map(code).join(', ')}`;
}
