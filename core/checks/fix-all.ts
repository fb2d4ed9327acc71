import type { Fix, TextEdit } from './contract';
import { applyEdits } from './edits';
import { type CheckOptions, checkFile } from './run';

/** One fix can make the next one possible; more rounds than this mean that two fixes undo each other. */
const MAX_ROUNDS = 12;

/** The text after every wanted fix. Fixes that touch the same place are made one after the other. */
export function fixAll(text: string, options: CheckOptions, isWanted: (fix: Fix) => boolean = ({ isSafe }) => isSafe === true): string {
  let current = text;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const fixes = checkFile(current, options).findings.flatMap(({ fixes: offered = [] }) => offered.filter(isWanted).slice(0, 1));
    const edits = apart(fixes.map((fix) => fix.edits));
    const next = applyEdits(current, edits);
    if (next === current) return current;
    current = next;
  }
  return current;
}

/** The edits of those fixes that do not touch each other. */
function apart(fixes: readonly TextEdit[][]): TextEdit[] {
  const taken: TextEdit[] = [];
  for (const edits of fixes) {
    const touches = edits.some((edit) => taken.some((other) => edit.start <= other.end && edit.end >= other.start));
    if (!touches) taken.push(...edits);
  }
  return taken;
}
