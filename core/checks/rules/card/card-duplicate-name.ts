import type { CheckContext, Finding, Rule } from '../../contract';
import type { Path } from '../../../document/source';
import { criteriaOf, entriesOf } from '../../criteria';

interface Named {
  name: string | undefined;
  scope: string;
  path: Path;
}

export const rule: Rule = {
  id: 'card-duplicate-name',
  title: 'Two things with one name',
  severity: 'error',
  appliesTo: ['card'],
  docs: { why: 'Criteria, waivers and evidence name each other. With two of one name nobody can say which was meant.' },
  check: (context) => {
    const { card } = context;
    return [
      ...repeated(context, 'probe entry', entriesOf(card).map(({ name, stage, path, entry }) => ({ name, scope: stage, path: [...path, entry.name === undefined ? 'id' : 'name'] }))),
      ...repeated(context, 'criterion', criteriaOf(card).map(({ criterion, path }) => ({ name: criterion.id, scope: '', path: [...path, 'id'] }))),
      ...repeated(context, 'target', (card?.targets ?? []).map(({ name }, index) => ({ name, scope: '', path: ['targets', index, 'name'] }))),
    ];
  },
};

function repeated({ document, at }: CheckContext, what: string, items: readonly Named[]): Finding[] {
  const first = new Map<string, Named>();
  return items.flatMap((item) => {
    if (item.name === undefined) return [];
    const key = `${item.scope}/${item.name}`;
    const earlier = first.get(key);
    if (!earlier) first.set(key, item);
    return earlier ? [{ message: `There is another ${what} named "${item.name}".`, ...at(item.path), related: [{ message: 'The first one.', range: document.valueRange(earlier.path) }] }] : [];
  });
}
