import { isCollection, isMap, isScalar, parseDocument } from 'yaml';

export interface Place {
  offset: number;
  /** What Enter and the indentation give there. */
  before: string;
}

/** Where the next line of a section goes: `section` is a dotted path of keys; absent: the end of the file. */
export function placeFor(text: string, section?: string): Place {
  const tree = parseDocument(text);
  if (section === undefined) return { offset: text.length, before: text === '' || text.endsWith('\n') ? '' : '\n' };
  const path = pathOf(section);
  const parent = tree.getIn(path.slice(0, -1), true) ?? tree.contents;
  const pair = isMap(parent) ? parent.items.find(({ key }) => isScalar(key) && key.value === path.at(-1)) : undefined;
  const node = tree.getIn(path, true);
  if (isCollection(node) && node.range && node.items.length > 0) {
    const end = text.slice(0, node.range[1]).trimEnd().length;
    return { offset: end, before: `\n${' '.repeat(columnOf(text, node.range[0]))}` };
  }
  if (!pair || !isScalar(pair.key) || !pair.key.range) throw new Error(`There is no section ${section} in\n${text}`);
  // The snippet of an empty section leaves a line for its first key.
  const [blank] = /^.*\n[ ]+(?=\n|$)/.exec(text.slice(pair.key.range[1])) ?? [];
  if (blank !== undefined) return { offset: pair.key.range[1] + blank.length, before: '' };
  const end = text.indexOf('\n', pair.key.range[1]);
  return { offset: end === -1 ? text.length : end, before: `\n${' '.repeat(columnOf(text, pair.key.range[0]) + 2)}` };
}

const columnOf = (text: string, offset: number): number => offset - (text.lastIndexOf('\n', offset - 1) + 1);

/** The cursor's place in an empty value: between its quotes, or behind its key. */
export function emptyValueAt(text: string, path: string): number {
  const node = parseDocument(text).getIn(pathOf(path), true);
  if (!isScalar(node) || !node.range || (node.value !== '' && node.value !== null)) throw new Error(`${path} is no empty value in\n${text}`);
  return node.value === '' ? node.range[0] + 1 : node.range[0];
}

const pathOf = (path: string): (string | number)[] => path.split('.').map((step) => (/^\d+$/.test(step) ? Number(step) : step));
