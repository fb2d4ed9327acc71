import type { Path } from '../../../document/source';
import type { CheckContext, Rule } from '../../contract';
import { entriesOf } from '../../criteria';

/** Substitution, pipes, lists and redirections. A query string's `&` and a glob's `*` are none. */
const SHELL = /`|\$\(|\$\{?[A-Za-z_]|;\s*\S|\|\s*\S|&&|(?:^|\s)\d?>{1,2}\s*\S|[\r\n]/;
/** Programs that are given a script on purpose. */
const SHELLS = /^(?:.*\/)?(?:ba|da|z|k)?sh$|^(?:.*\/)?(?:env|python3?)$/;

/** Values that become parts of a command, each with its path. */
function commandValues({ card, brief, subject }: CheckContext): [Path, unknown][] {
  if (subject === 'brief') return [[['model', 'name'], brief?.model?.name], [['model', 'revision'], brief?.model?.revision]];
  const parameters = entriesOf(card).flatMap(({ entry, path }) => Object.entries(entry.with ?? {}).flatMap(([key, value]) => leaves([...path, 'with', key], value)));
  const targets = (card?.targets ?? []).flatMap((target, index) => (['host', 'user', 'identityFile'] as const).map((key): [Path, unknown] => [['targets', index, key], target[key]]));
  return [...parameters, ...targets, [['runtime', 'image'], card?.runtime?.image]];
}

function leaves(path: Path, value: unknown): [Path, unknown][] {
  if (!Array.isArray(value)) return [[path, value]];
  const isScript = SHELLS.test(String(value[0]));
  return isScript ? [] : value.map((item, index): [Path, unknown] => [[...path, index], item]);
}

export const rule: Rule = {
  id: 'shell-syntax',
  title: 'Shell syntax in a value',
  severity: 'warning',
  appliesTo: ['brief', 'card'],
  docs: { why: 'Values are passed to programs as they are and never through a shell: `$(…)`, pipes and variables are not expanded, and a value that needs them does something else than it seems to.', advice: 'Write the plain value, or give the program a shell on purpose: `[sh, -c, "…"]`.' },
  check: (context) =>
    commandValues(context).flatMap(([path, value]) => (typeof value === 'string' && SHELL.test(value) ? [{ message: `"${value.replace(/\s+/g, ' ')}" looks like shell syntax; it is passed as plain text and nothing in it is expanded.`, ...context.at(path) }] : [])),
};
