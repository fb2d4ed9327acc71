import { Range, type TextDocument } from 'vscode';
import type { AcceptanceCard } from '../schemas';
import { type Path, SourceFile } from '../core/document/source';
import { STAGE_IDS, type StageId } from '../core/run/events';

export interface OutlineItem {
  name: string;
  range: Range;
}

export interface StageOutline extends OutlineItem {
  stage: StageId;
  probes: OutlineItem[];
  criteria: OutlineItem[];
}

/** Where stages, probes and criteria stand in a card, also while it is being written. Undefined for a file that is no card. */
export function outlineOf(document: TextDocument): { name: string; stages: StageOutline[] } | undefined {
  const file = new SourceFile(document.getText());
  const source = file.documents.find(({ kind }) => kind === 'AcceptanceCard');
  const card = source?.value as Partial<AcceptanceCard> | undefined;
  if (!source || !card) return undefined;
  const rangeOf = (path: Path): Range => {
    const { start, end } = source.keyRange(path);
    return new Range(document.positionAt(start), document.positionAt(end));
  };
  const itemsOf = (stage: StageId, list: 'probes' | 'criteria', nameOf: (item: { id?: string; name?: string }) => string | undefined): OutlineItem[] =>
    asItems(card.stages?.[stage]?.[list]).flatMap((item, index) => {
      const name = nameOf(item);
      return name === undefined ? [] : [{ name, range: rangeOf(['stages', stage, list, index]) }];
    });
  const stages = STAGE_IDS.filter((stage) => card.stages?.[stage]).map((stage) => ({
    stage,
    name: stage,
    range: rangeOf(['stages', stage]),
    probes: itemsOf(stage, 'probes', ({ id, name }) => name ?? id),
    criteria: itemsOf(stage, 'criteria', ({ id }) => id),
  }));
  return { name: card.name ?? document.uri.path.split('/').at(-1)!, stages };
}

/** Half-written YAML may hold anything where a list of maps should be. */
const asItems = (value: unknown): { id?: string; name?: string }[] => (Array.isArray(value) ? value.filter((item): item is { id?: string } => item !== null && typeof item === 'object') : []);

