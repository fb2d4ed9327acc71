import type { Path, SourceDocument } from '../document/source';
import type { CheckContext } from './contract';
import { schemaValues } from './schema-visit';

/** Names that are declared in one place of a brief or card and used in another. */
export type NameKind = 'probe-entry' | 'objective' | 'target' | 'restore-test' | 'criterion';
/** Files that a document names. */
export type FileKind = 'brief' | 'file' | 'manifest';

export interface NameUse {
  kind: NameKind;
  name: string;
  path: Path;
}

export interface FileUse {
  kind: FileKind;
  file: string;
  path: Path;
}

export interface Declaration {
  kind: NameKind;
  name: string;
  /** Stage of a probe entry or criterion. */
  stage?: string;
  /** Path of the file, relative to the checked one; absent: the checked file. */
  file?: string;
  source: SourceDocument;
  /** Of the id or name itself. */
  path: Path;
}

const NAME_KINDS: readonly string[] = ['probe-entry', 'objective', 'target', 'restore-test', 'criterion'] satisfies NameKind[];
const FILE_KINDS: readonly string[] = ['brief', 'file', 'manifest'] satisfies FileKind[];

const referenceKind = (path: Path, annotated: string | undefined): string | undefined =>
  annotated ?? (path[0] === 'waivers' && path[2] === 'criterion' ? 'criterion' : undefined);

export function nameUses(context: CheckContext): NameUse[] {
  return schemaValues(context).flatMap(({ path, value, schema }) => {
    const kind = referenceKind(path, schema['x-reference']);
    return kind !== undefined && NAME_KINDS.includes(kind) && typeof value === 'string' ? [{ kind: kind as NameKind, name: value, path }] : [];
  });
}

/** Files named by path; addresses (`https://…`) are not looked at. */
export function fileUses(context: CheckContext): FileUse[] {
  return schemaValues(context).flatMap(({ path, value, schema }) => {
    const kind = schema['x-reference'];
    const isFile = kind !== undefined && FILE_KINDS.includes(kind) && typeof value === 'string' && value !== '' && !/^[a-z][a-z0-9+.-]+:/i.test(value);
    return isFile ? [{ kind: kind as FileKind, file: value, path }] : [];
  });
}

/** Everything that a name in this document can refer to. */
export function declarations(context: CheckContext): Declaration[] {
  return [...ofCard(context), ...ofBrief(context)];
}

function ofCard({ card, subject, file, document }: CheckContext): Declaration[] {
  const source = subject === 'card' ? document : file.documents.find(({ kind }) => kind === 'AcceptanceCard');
  if (!card || !source) return [];
  const found: Declaration[] = [];
  const add = (kind: NameKind, name: string | undefined, path: Path, stage?: string): void => {
    if (name !== undefined && name !== '') found.push({ kind, name, path, source, ...(stage === undefined ? {} : { stage }) });
  };
  for (const [stage, content] of Object.entries(card.stages ?? {})) {
    content?.probes?.forEach((entry, index) => add('probe-entry', entry.name ?? entry.id, ['stages', stage, 'probes', index, entry.name === undefined ? 'id' : 'name'], stage));
    content?.criteria?.forEach((criterion, index) => add('criterion', criterion.id, ['stages', stage, 'criteria', index, 'id'], stage));
  }
  card.targets?.forEach((target, index) => add('target', target.name, ['targets', index, 'name']));
  add('restore-test', card.restoreTest?.id, ['restoreTest', 'id']);
  return found;
}

function ofBrief({ brief, subject, document, linkedBrief }: CheckContext): Declaration[] {
  const source = subject === 'brief' ? document : linkedBrief?.source;
  if (!brief || !source) return [];
  const file = subject === 'brief' || linkedBrief?.file === '' ? {} : { file: linkedBrief!.file };
  return (brief.performanceObjectives ?? []).flatMap(({ id }, index) =>
    id === undefined ? [] : [{ kind: 'objective' as const, name: id, source, path: ['performanceObjectives', index, 'id'], ...file }],
  );
}

/** Where a used name is declared. Probe entries are known within their stage; a restore test may use any stage's. */
export function declarationOf(use: NameUse, all: readonly Declaration[]): Declaration | undefined {
  const stage = use.path[0] === 'stages' ? String(use.path[1]) : undefined;
  const inScope = (declared: Declaration): boolean => use.kind !== 'probe-entry' || stage === undefined || declared.stage === stage;
  return all.find((declared) => declared.kind === use.kind && declared.name === use.name && inScope(declared));
}

/** True when every declaration that the name could refer to is known, so that a missing one is a fault. */
export function isComplete(kind: NameKind, context: CheckContext): boolean {
  switch (kind) {
    case 'objective':
      return context.brief !== undefined;
    case 'restore-test':
      return context.card !== undefined;
    default:
      return context.subject === 'card';
  }
}
