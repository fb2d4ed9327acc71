import { describe, expect, it } from 'vitest';
import type { Uri } from 'vscode';
import type { RunSelection } from './run-service';
import { selectionsOf, type SelectableItem } from './test-selection';

function item(id: string, children: SelectableItem[] = []): SelectableItem {
  return { id, uri: { toString: () => id.split('#')[0]! } as Uri, children: children.map((child) => [child.id, child] as [string, SelectableItem]) };
}
const card = (name: string): SelectableItem =>
  item(name, [
    item(`${name}#functional`, [item(`${name}#functional/probe/restore`), item(`${name}#functional/criterion/equal`)]),
    item(`${name}#failure`, [item(`${name}#failure/probe/restore`), item(`${name}#failure/probe/drain`)]),
  ]);

describe('what the Test Explorer asks for', () => {
  const [one, two] = [card('one'), card('two')];
  const find = (id: string, items: readonly SelectableItem[] = [one, two]): SelectableItem =>
    items.find((candidate) => candidate.id === id) ?? find(id, items.flatMap(({ children }) => [...children].map(([, child]) => child)));
  const asked = (include: string[] | undefined, exclude: string[] = []) =>
    selectionsOf({ include: include?.map((id) => find(id)) as never, exclude: exclude.map((id) => find(id)) as never }, [[one.id, one], [two.id, two]] as never).map(({ card: uri, ...rest }: RunSelection) => ({ card: uri.toString(), ...rest }));

  it('is one run for each card', () => {
    expect(asked(undefined)).toEqual([{ card: 'one' }, { card: 'two' }]);
    expect(asked(['two', 'one#failure'])).toEqual([{ card: 'two' }, { card: 'one', stages: ['failure'] }]);
  });

  it('is exactly the chosen probes, also when another stage has one of the same name', () => {
    expect(asked(['one#functional/probe/restore', 'one#failure/probe/drain'])).toEqual([{ card: 'one', stages: ['functional', 'failure'], entries: ['functional/restore', 'failure/drain'] }]);
  });

  it('is the whole stage for a criterion', () => {
    expect(asked(['one#functional/criterion/equal'])).toEqual([{ card: 'one', stages: ['functional'] }]);
  });

  it('leaves out what is excluded', () => {
    expect(asked(undefined, ['one'])).toEqual([{ card: 'two' }]);
    expect(asked(['one'], ['one#functional'])).toEqual([{ card: 'one', stages: ['failure'] }]);
    expect(asked(['one#failure'], ['one#failure/probe/drain'])).toEqual([{ card: 'one', stages: ['failure'], entries: ['failure/restore'] }]);
    expect(asked(['one'], ['one'])).toEqual([]);
  });
});
