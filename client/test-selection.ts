import type { TestItem, TestItemCollection, TestRunRequest, Uri } from 'vscode';
import type { StageId } from '../core/run/events';
import type { RunSelection } from './run-service';

/** What this room needs of a test item. Ids: `CARD`, `CARD#stage`, `CARD#stage/probe/name`, `CARD#stage/criterion/name`. */
export type SelectableItem = Pick<TestItem, 'id' | 'uri'> & { children: Iterable<[string, SelectableItem]> };

/** One run for each card that was asked for, in the order of asking. */
export function selectionsOf({ include, exclude = [] }: Pick<TestRunRequest, 'include' | 'exclude'>, all: Pick<TestItemCollection, typeof Symbol.iterator>): RunSelection[] {
  const excluded = new Set(exclude.map(({ id }) => id));
  const chosen = (include ?? [...all].map(([, item]) => item)).flatMap((item) => withoutExcluded(item, excluded));
  const cards = new Map<string, { card: Uri; items: SelectableItem[] }>();
  for (const item of chosen) {
    if (!item.uri) continue;
    const key = item.uri.toString();
    const entry = cards.get(key) ?? { card: item.uri, items: [] };
    entry.items.push(item);
    cards.set(key, entry);
  }
  return [...cards.values()].map(({ card, items }) => selectionOf(card, items));
}

/** The item itself, or its parts when some of them are left out. */
function withoutExcluded(item: SelectableItem, excluded: ReadonlySet<string>): SelectableItem[] {
  if (excluded.has(item.id)) return [];
  const children = [...item.children].map(([, child]) => child);
  const kept = children.map((child) => withoutExcluded(child, excluded));
  const isWhole = kept.every((parts, index) => parts.length === 1 && parts[0] === children[index]);
  return isWhole ? [item] : kept.flat();
}

/** Several chosen items of one card become one run; criteria are judged with their whole stage. */
function selectionOf(card: Uri, items: readonly SelectableItem[]): RunSelection {
  const parts = items.map(({ id }) => id.split('#')[1]?.split('/') ?? []);
  if (parts.some(([stage]) => stage === undefined)) return { card };
  const stages = [...new Set(parts.map(([stage]) => stage as StageId))];
  const entries = parts.every(([, kind]) => kind === 'probe') ? parts.map(([stage, , name]) => `${stage}/${name}`) : undefined;
  return { card, stages, ...(entries ? { entries } : {}) };
}
