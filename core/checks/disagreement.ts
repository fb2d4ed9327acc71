import type { Path } from '../document/source';
import type { CheckContext, Finding } from './contract';
import { fix, inline, replaceValue } from './edits';

/** A finding on a card that says something else than its brief, with the brief's place and a fix that takes its value. */
export function disagreement({ document, linkedBrief, at }: CheckContext, path: Path, briefPath: Path, message: string, wanted: string | number): Finding {
  const related = linkedBrief ? [{ message: 'The brief says it here.', range: linkedBrief.source.valueRange(briefPath), ...(linkedBrief.file === '' ? {} : { file: linkedBrief.file }) }] : [];
  return { message, ...at(path), related, fixes: fix(`Take ${wanted} from the brief`, replaceValue(document, path, inline(wanted))) };
}
