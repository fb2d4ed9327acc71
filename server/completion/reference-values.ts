import { CompletionItemKind } from 'vscode-languageserver/node';
import { inline } from '../../core/checks/edits';
import { allMetrics, allProfiles, findProbe, type KnownMetric, reportsMetric } from '../../core/checks/knowledge';
import { declarations, type NameKind } from '../../core/checks/references';
import type { SchemaNode } from '../../core/document/schema-walk';
import { describeMetric, describeValue } from '../schema-docs';
import { escapeSnippet, type Suggestion } from './items';
import { holderOf } from './keys';
import type { CompletionRequest } from './request';

/** Names that the document, its neighbours or the product know. */
export function referenceSuggestions(request: CompletionRequest, node: SchemaNode): Suggestion[] {
  const { path } = request.cursor;
  const kind = node['x-reference'] ?? (path[0] === 'waivers' && path.at(-1) === 'criterion' ? 'criterion' : undefined);
  switch (kind) {
    case undefined:
    case 'probe':
      return [];
    case 'metric':
      return metricSuggestions(request);
    case 'profile':
      return allProfiles().map(({ id, name }, order) => ({ label: id, kind: CompletionItemKind.Value, detail: name, documentation: describeValue('profile', id)!, order, snippet: id }));
    case 'file':
    case 'brief':
    case 'manifest':
      return fileSuggestions(request, kind);
    default:
      return nameSuggestions(request, kind as NameKind);
  }
}

/** Metrics that the criterion's probes report come first. */
function metricSuggestions(request: CompletionRequest): Suggestion[] {
  const probes = probesAround(request);
  const isNear = (metric: KnownMetric): boolean => probes.some((id) => metric.probes.includes(id));
  return allMetrics()
    .filter(({ metric }) => !metric.endsWith('*'))
    .map((metric, index) => ({
      label: metric.metric,
      kind: CompletionItemKind.Field,
      detail: metric.title,
      documentation: describeMetric(metric),
      order: (isNear(metric) ? 0 : 1000) + index,
      snippet: escapeSnippet(metric.metric),
    }));
}

function probesAround({ cursor, context }: CompletionRequest): string[] {
  const [, stage] = cursor.path;
  const entries = cursor.path[0] === 'stages' ? Object.entries(context?.card?.stages ?? {}).find(([name]) => name === stage)?.[1]?.probes : undefined;
  const wanted = holderOf(cursor.data, cursor.path.slice(0, -1))?.['probe'];
  return (entries ?? []).filter(({ id, name }) => wanted === undefined || wanted === '' || (name ?? id) === wanted).flatMap(({ id }) => id ?? []);
}

function nameSuggestions({ cursor, context }: CompletionRequest, kind: NameKind): Suggestion[] {
  const stage = cursor.path[0] === 'stages' ? cursor.path[1] : undefined;
  const known = context ? declarations(context) : [];
  const metric = holderOf(cursor.data, cursor.path.slice(0, -1))?.['metric'];
  const names = known.filter((declared) => declared.kind === kind && (kind !== 'probe-entry' || stage === undefined || declared.stage === stage));
  return [...new Set(names.map(({ name }) => name))].map((name, index) => {
    const entry = context?.card && names.find((declared) => declared.name === name);
    const probe = kind === 'probe-entry' && entry?.stage !== undefined ? probeOfEntry(context!, entry.stage, name) : undefined;
    const isFitting = probe !== undefined && typeof metric === 'string' && reportsMetric(probe, metric);
    return {
      label: name,
      kind: CompletionItemKind.Reference,
      detail: probe?.title ?? entry?.file ?? kind.replace('-', ' '),
      order: (isFitting ? 0 : 10) + index,
      snippet: escapeSnippet(inline(name, cursor.inFlow)),
    };
  });
}

function probeOfEntry(context: NonNullable<CompletionRequest['context']>, stage: string, name: string): ReturnType<typeof findProbe> {
  const entries = Object.entries(context.card?.stages ?? {}).find(([id]) => id === stage)?.[1]?.probes;
  const entry = entries?.find((candidate) => (candidate.name ?? candidate.id) === name);
  return entry?.id === undefined ? undefined : findProbe(entry.id);
}

/** Files and folders of the folder that has been typed so far. */
function fileSuggestions({ cursor, context }: CompletionRequest, kind: 'file' | 'brief' | 'manifest'): Suggestion[] {
  const typed = cursor.typed.replace(/^["']/, '');
  const folder = typed.slice(0, typed.lastIndexOf('/') + 1);
  const isWanted = (name: string): boolean =>
    kind === 'file' ? !name.startsWith('.') : kind === 'brief' ? /\.brief\.ya?ml$/.test(name) : /\.ya?ml$/.test(name) && !/\.(brief|acceptance)\.ya?ml$/.test(name);
  return (context?.files.list?.(folder === '' ? '.' : folder) ?? [])
    .filter(({ name, isFolder }) => (isFolder ? !/^\.|^node_modules$/.test(name) : isWanted(name)))
    .map(({ name, isFolder }, order) => ({
      label: `${folder}${name}${isFolder ? '/' : ''}`,
      kind: isFolder ? CompletionItemKind.Folder : CompletionItemKind.File,
      order: (isFolder ? 500 : 0) + order,
      snippet: escapeSnippet(inline(`${folder}${name}${isFolder ? '/' : ''}`, cursor.inFlow)),
      triggersNext: isFolder,
    }));
}
