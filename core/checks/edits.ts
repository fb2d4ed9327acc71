import { isAlias, isCollection, isMap, isScalar, isSeq, type Node, type Pair, stringify, type YAMLMap, type YAMLSeq } from 'yaml';
import { indentStep } from '../document/indent';
import { schemaKeys } from '../document/schema-walk';
import type { Path, SourceDocument } from '../document/source';
import { keyName } from '../document/syntax';
import type { Fix, TextEdit } from './contract';

/**
 * Minimal edits of a user's YAML. Text that is not concerned stays byte for byte: comments, indentation, line ends.
 * Where an edit cannot be made safely (the value comes through an anchor, a comment would be lost) the result is empty.
 */

const NOTHING: TextEdit[] = [];

/** A list with one fix, or an empty one when there is nothing to edit. */
export function fix(title: string, edits: TextEdit[], isSafe = false): Fix[] {
  return edits.length === 0 ? [] : [{ title, edits, ...(isSafe ? { isSafe } : {}) }];
}

/** Replaces a scalar or a one-line flow value by YAML source text, or fills an empty one. */
export function replaceValue(document: SourceDocument, path: Path, source: string): TextEdit[] {
  if (document.locateValue(path).anchored) return NOTHING;
  const node = document.nodeAt(path);
  if (!node?.range) return fillEmpty(document, path, source);
  const [start, end] = node.range;
  if (start === end) return fillEmpty(document, path, source);
  const old = document.text.slice(start, end);
  const isReplaceable = !hasAnchor(node) && (isScalar(node) || (isCollection(node) && node.flow === true)) && !/[\r\n]/.test(old);
  return isReplaceable ? [{ start, end, newText: source }] : NOTHING;
}

function fillEmpty(document: SourceDocument, path: Path, source: string): TextEdit[] {
  const colon = colonAfterKey(document, path);
  return colon === undefined ? NOTHING : [{ start: colon, end: colon, newText: ` ${source}` }];
}

/** Offset behind the colon of the pair at `path`, when there is one. */
function colonAfterKey(document: SourceDocument, path: Path): number | undefined {
  const key = document.pairAt(path)?.key;
  if (!key?.range || document.locateKey(path).anchored) return undefined;
  const colon = /^\s*:/.exec(document.text.slice(key.range[1]));
  return colon ? key.range[1] + colon[0].length : undefined;
}

export function renameKey(document: SourceDocument, path: Path, name: string): TextEdit[] {
  const key = document.pairAt(path)?.key;
  if (!key?.range || document.locateKey(path).anchored || hasAnchor(key)) return NOTHING;
  return [{ start: key.range[0], end: key.range[1], newText: name }];
}

/** Removes a key with its value; nothing when a comment stands inside the value. */
export function removeKey(document: SourceDocument, path: Path): TextEdit[] {
  const pair = document.pairAt(path);
  const parent = document.nodeAt(path.slice(0, -1));
  if (!pair?.key.range || !isMap(parent) || parent.flow || document.locateKey(path).anchored || containsAnchor(pair)) return NOTHING;
  const { text } = document;
  const keyStart = pair.key.range[0];
  const end = pair.value?.range?.[1] ?? colonAfterKey(document, path)!;
  const value = text.slice(keyStart, end);
  const lineStart = text.lastIndexOf('\n', keyStart - 1) + 1;
  const isAloneBefore = /^[ ]*$/.test(text.slice(lineStart, keyStart));
  const rest = /^[^\S\r\n]*(\r?\n)?/.exec(text.slice(end))![0];
  const isAloneAfter = rest.includes('\n') || end + rest.length === text.length || value.endsWith('\n');
  if (/#/.test(value) || !isAloneBefore || !isAloneAfter || parent.items.length === 1) return NOTHING;
  return [{ start: lineStart, end: value.endsWith('\n') ? end : end + rest.length, newText: '' }];
}

/** Sets a value at a path, with the maps on the way to it when they are missing. */
export function setPath(document: SourceDocument, path: Path, value: unknown): TextEdit[] {
  const parentPath = path.slice(0, -1);
  const key = path.at(-1);
  if (key === undefined) return NOTHING;
  const parent = document.nodeAt(parentPath);
  if (isMap(parent)) {
    const own = document.pairAt(path);
    if (own && isEmptyValue(own.value)) return fillWith(document, path, value);
    return own ? replaceValue(document, path, inline(value)) : insertIntoMap(document, parentPath, parent, String(key), value);
  }
  if (isEmptyValue(parent) && typeof key === 'string') {
    if (parentPath.length === 0) return parent === undefined ? NOTHING : [{ start: document.range.end, end: document.range.end, newText: stringify({ [key]: value }) }];
    return setPath(document, parentPath, { [key]: value });
  }
  return NOTHING;
}

/** Adds an item to a list, which is made when it is missing. */
export function appendItem(document: SourceDocument, path: Path, value: unknown): TextEdit[] {
  const list = document.nodeAt(path);
  if (isEmptyValue(list)) return setPath(document, path, [value]);
  if (!isSeq(list) || document.locateValue(path).anchored) return NOTHING;
  if (list.flow) return insertIntoFlow(document, list, inline(value));
  const first = list.items[0] as Node | undefined;
  const dash = first?.range ? dashColumn(document.text, first.range[0]) : undefined;
  if (dash === undefined) return NOTHING;
  return insertLines(document, list, render([value], ' '.repeat(dash), stepOf(document)));
}

function insertIntoMap(document: SourceDocument, path: Path, map: YAMLMap, key: string, value: unknown): TextEdit[] {
  if (document.locateValue(path).anchored) return NOTHING;
  if (map.flow) return insertIntoFlow(document, map, `${key}: ${inline(value)}`);
  const pairs = map.items as Pair<Node, Node | null>[];
  const column = mapColumn(document.text, pairs);
  if (column === undefined) return NOTHING;
  const lines = render({ [key]: value }, ' '.repeat(column), stepOf(document));
  return insertLines(document, precedingPair(document, path, pairs, key) ?? map, lines);
}

/** The column of a block map's keys, read from a key with nothing but spaces or dashes before it. */
function mapColumn(text: string, pairs: readonly Pair<Node, Node | null>[]): number | undefined {
  const starts = pairs.flatMap(({ key }) => key?.range?.[0] ?? []);
  const clear = starts.find((start) => /^\uFEFF?[ -]*$/.test(text.slice(text.lastIndexOf('\n', start - 1) + 1, start)));
  return clear === undefined ? undefined : columnOf(text, clear);
}

/** The last pair that the schema lists before `key`; it keeps documents in the order that people expect. */
function precedingPair(document: SourceDocument, path: Path, pairs: readonly Pair<Node, Node | null>[], key: string): Pair<Node, Node | null> | undefined {
  const order = document.kind ? schemaKeys(document.kind, path, document.value) : [];
  const before = order.slice(0, Math.max(0, order.indexOf(key)));
  return pairs.findLast((pair) => before.includes(keyName(pair.key) ?? ''));
}

/** Puts whole lines behind the last line of a node or pair, behind its comment if it has one. */
function insertLines(document: SourceDocument, after: Node | Pair<Node, Node | null>, lines: readonly string[]): TextEdit[] {
  const { text } = document;
  const end = lastOffset(after);
  if (end === undefined) return NOTHING;
  const eol = eolOf(text);
  if (end > 0 && text[end - 1] === '\n') return [{ start: end, end, newText: lines.map((line) => line + eol).join('') }];
  const lineEnd = end + /^[^\r\n]*/.exec(text.slice(end))![0].length;
  return [{ start: lineEnd, end: lineEnd, newText: lines.map((line) => eol + line).join('') }];
}

/** Where the content of a node ends; of an empty value, behind its key. */
function lastOffset(node: Node | Pair<Node, Node | null> | null | undefined): number | undefined {
  if (!node) return undefined;
  if (!('key' in node)) {
    if (isCollection(node) && !node.flow) return lastOffset(node.items.at(-1) as Node | Pair<Node, Node | null>);
    return node.range?.[1];
  }
  return Math.max(lastOffset(node.value) ?? 0, node.key.range?.[1] ?? 0) || undefined;
}

function insertIntoFlow(document: SourceDocument, collection: YAMLMap | YAMLSeq, entry: string): TextEdit[] {
  const { text } = document;
  if (!collection.range) return NOTHING;
  const close = collection.range[1] - 1;
  const inner = text.slice(collection.range[0] + 1, close);
  if (!/[}\]]/.test(text[close] ?? '') || /[#\r\n]/.test(inner)) return NOTHING;
  const isEmpty = inner.trim() === '';
  if (isEmpty) return [{ start: collection.range[0] + 1, end: close, newText: isMap(collection) ? ` ${entry} ` : entry }];
  const at = collection.range[0] + 1 + inner.trimEnd().length;
  return [{ start: at, end: at, newText: `${inner.trimEnd().endsWith(',') ? ' ' : ', '}${entry}` }];
}

/** Gives an empty `key:` its value, below it for maps and lists of maps. */
function fillWith(document: SourceDocument, path: Path, value: unknown): TextEdit[] {
  if (!isNested(value)) return fillEmpty(document, path, inline(value));
  const colon = colonAfterKey(document, path);
  const parent = document.nodeAt(path.slice(0, -1));
  if (colon === undefined || !isMap(parent) || parent.flow) return NOTHING;
  const { text } = document;
  const step = stepOf(document);
  const column = columnOf(text, document.pairAt(path)!.key.range![0]);
  const lineEnd = colon + /^[^\r\n]*/.exec(text.slice(colon))![0].length;
  const lines = render(value, ' '.repeat(column + step), step);
  return [{ start: lineEnd, end: lineEnd, newText: lines.map((line) => eolOf(text) + line).join('') }];
}

const isNested = (value: unknown): boolean => typeof value === 'object' && value !== null && Object.keys(value).length > 0;

/** YAML source of a value on one line; inside a flow collection more characters need quotes. */
export function inline(value: unknown, inFlow = false): string {
  if (inFlow) return inline([value]).slice(2, -2);
  return stringify(value, { collectionStyle: 'flow', lineWidth: 0, flowCollectionPadding: true }).trimEnd();
}

function render(value: unknown, indent: string, step: number): string[] {
  return stringify(value, { indent: step, lineWidth: 0 }).trimEnd().split('\n').map((line) => indent + line);
}

const stepOf = (document: SourceDocument): number => indentStep(document.text.slice(document.range.start, document.range.end));

/** The column of the dash in front of a list item that begins at `offset`. */
function dashColumn(text: string, offset: number): number | undefined {
  const lineStart = text.lastIndexOf('\n', offset - 1) + 1;
  const match = /^( *(?:- +)*?)-[ ]+(?:[&!]\S+[ ]+)*$/.exec(text.slice(lineStart, offset));
  return match?.[1]?.length;
}

/** A byte order mark takes no column. */
const columnOf = (text: string, offset: number): number => text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset).replace('\uFEFF', '').length;
const eolOf = (text: string): string => (text.includes('\r\n') ? '\r\n' : '\n');
const hasAnchor = (node: Node): boolean => isAlias(node) || (node as { anchor?: string }).anchor !== undefined;
const isEmptyValue = (node: Node | null | undefined): boolean => !node || (isScalar(node) && node.value === null && (node.range ? node.range[0] === node.range[1] : true));

function containsAnchor(pair: Pair<Node, Node | null>): boolean {
  return /(?:^|[\s[{,])&\S/.test(JSON.stringify(pair.value?.toJSON() ?? '')) || (!!pair.value && hasAnchor(pair.value));
}

/** Applies edits that do not overlap; insertions at one place keep their order. */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  let at = 0;
  const parts = [...edits].sort((a, b) => a.start - b.start).flatMap((edit) => {
    const before = text.slice(at, edit.start);
    at = edit.end;
    return [before, edit.newText];
  });
  return parts.join('') + text.slice(at);
}
