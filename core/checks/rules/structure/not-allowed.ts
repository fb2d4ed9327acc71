import { closest } from '../../../document/structure';
import { fix, inline, replaceValue } from '../../edits';
import { structureRule } from '../../structure-rule';

/** A longer list is what completion is for. */
const MAX_CHOICES = 12;

export const rule = structureRule({
  id: 'not-allowed',
  title: 'Value that is not one of the allowed ones',
  docs: { why: 'The value decides what is run and how it is judged; one that nobody knows decides nothing.' },
  fixes: ({ path, allowed = [] }, { document }) => {
    const node = document.nodeAt(path)?.toJSON() as unknown;
    const meant = closest(String(node), allowed.map(String));
    const others = allowed.filter((value) => String(value) !== meant);
    const choices = meant === undefined ? others : [allowed.find((value) => String(value) === meant)!, ...others];
    const isClear = allowed.length === 1;
    return choices.slice(0, MAX_CHOICES).flatMap((value) => fix(`Change to ${String(value)}`, replaceValue(document, path, inline(value)), isClear));
  },
});
