import { stripAnsi } from '../text/ansi';

/** Titles and rows are short. Texts of answers and drawn-out progress bars are not, and patterns could take very long over them. */
const MAX_LENGTH = 2000;

/** A line as a terminal shows it: without escape sequences, and only what follows the last return of the cursor. Undefined: no row. */
export function consoleLine(raw: string): string | undefined {
  const shown = raw.trimEnd();
  const last = shown.slice(shown.lastIndexOf('\r') + 1);
  if (last.length > 2 * MAX_LENGTH) return undefined;
  const text = stripAnsi(last);
  return text.length > MAX_LENGTH ? undefined : text;
}
