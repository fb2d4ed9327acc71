import { type Document, isAlias, isMap, isPair, isScalar, isSeq, type Node, type Pair, Scalar, type YAMLError, type YAMLMap } from 'yaml';

/** Offsets into the text, in UTF-16 units; `end` is exclusive. */
export interface Range {
  start: number;
  end: number;
}

export type SyntaxCode =
  | 'yaml-syntax'
  | 'yaml-tab-indent'
  | 'yaml-unclosed-quote'
  | 'yaml-duplicate-key'
  | 'yaml-repeated-merge'
  | 'yaml-alias-budget'
  | 'yaml-unresolved-alias'
  | 'file-too-large';

export interface SyntaxProblem {
  code: SyntaxCode;
  message: string;
  range: Range;
  related?: { message: string; range: Range };
}

/** A parser's error in words for people, on the place that a person would call wrong. */
export function syntaxProblem(error: YAMLError, tree: Document.Parsed, text: string): SyntaxProblem {
  const start = Math.max(0, Math.min(error.pos[0], text.length));
  if (error.code === 'MISSING_CHAR' && /quote/.test(error.message)) {
    return { code: 'yaml-unclosed-quote', message: 'This quote is never closed.', range: openingQuote(tree, text, start) };
  }
  if (error.message.startsWith('Block scalar header')) return { code: 'yaml-syntax', message: BLOCK_HEADER, range: withinLine(text, { start: Math.max(0, text.slice(0, start + 1).search(/[>|][^>|]*$/)), end: text.length }) };
  const code = error.code === 'TAB_AS_INDENT' ? 'yaml-tab-indent' : 'yaml-syntax';
  const range = error.code === 'BAD_INDENT' ? skipComments(text, start) : { start, end: Math.min(error.pos[1], text.length) };
  return { code, message: MESSAGES[error.code] ?? firstSentence(error.message), range: withinLine(text, range) };
}

const MESSAGES: Partial<Record<YAMLError['code'], string>> = {
  TAB_AS_INDENT: 'A tab cannot indent YAML. Use spaces.',
  BAD_INDENT: 'This line is indented differently from its neighbours.',
};

/** Mostly a comparator or a version range that lacks its quotes. */
const BLOCK_HEADER = 'A value that begins with `>` or `|` is read as a text of several lines. Put it in quotes.';

const firstSentence = (message: string): string => message.split('\n')[0]!.replace(/ at line \d+, column \d+:?$/, '');

/** A squiggle that runs over several lines hides everything else. */
export function withinLine(text: string, { start, end }: Range): Range {
  const lineEnd = text.slice(start).search(/\r?\n|\r/);
  const limit = lineEnd === -1 ? text.length : start + lineEnd;
  return { start, end: Math.max(start, Math.min(end, limit)) };
}

/** The parser blames the first token after the last good one, which may be a comment; the odd line comes after it. */
function skipComments(text: string, from: number): Range {
  const comments = /^(?:[^\S\n]*(?:#[^\n]*)?\n)*[^\S\n]*/.exec(text.slice(from))?.[0] ?? '';
  const start = from + comments.length;
  const word = /^\S*/.exec(text.slice(start))![0];
  return { start, end: start + word.length };
}

/** The parser reports an unclosed quote where the text ends; the mistake is where the quote opens. */
function openingQuote(tree: Document.Parsed, text: string, reportedAt: number): Range {
  let start: number | undefined;
  forEachNode(tree.contents, (node) => {
    const quoted = isScalar(node) && (node.type === Scalar.QUOTE_DOUBLE || node.type === Scalar.QUOTE_SINGLE);
    if (quoted && node.range && node.range[0] < reportedAt + 1 && node.range[1] >= reportedAt - 1) start = node.range[0];
  });
  const at = start ?? Math.min(reportedAt, Math.max(0, text.length - 1));
  return withinLine(text, { start: at, end: at + 1 });
}

/** Each node of a tree once, parents first, without recursion: a hostile file may nest deeply. */
export function forEachNode(root: Node | null | undefined, visit: (node: Node) => void): void {
  const stack: (Node | null | undefined)[] = [root];
  while (stack.length > 0) {
    const node = stack.pop();
    if (!node) continue;
    visit(node);
    if (isMap(node)) for (const pair of node.items) stack.push(pair.key as Node | null, pair.value as Node | null);
    else if (isSeq(node)) for (const item of node.items) stack.push(isPair(item) ? (item.value as Node | null) : (item as Node | null));
  }
}

/** A key as text; undefined for keys that are maps or lists. The parser gives the merge key as a symbol. */
export function keyName(key: Node | null | undefined): string | undefined {
  if (!isScalar(key)) return undefined;
  return typeof key.value === 'symbol' ? '<<' : String(key.value);
}

/** Keys that stand twice in one map. The parser's own check is quadratic, so it is switched off. */
export function duplicateKeys(root: Node | null | undefined): SyntaxProblem[] {
  const problems: SyntaxProblem[] = [];
  forEachNode(root, (node) => {
    if (isMap(node)) problems.push(...duplicatesOf(node));
  });
  return problems.sort((a, b) => a.range.start - b.range.start);
}

function duplicatesOf(map: YAMLMap): SyntaxProblem[] {
  const seen = new Map<string, Range>();
  return (map.items as Pair<Node, Node | null>[]).flatMap(({ key }): SyntaxProblem[] => {
    const name = keyName(key);
    if (name === undefined || !key.range) return [];
    const range = { start: key.range[0], end: key.range[1] };
    const first = seen.get(name);
    if (!first) {
      seen.set(name, range);
      return [];
    }
    const related = { message: `"${name}" is first set here.`, range: first };
    return name === '<<'
      ? [{ code: 'yaml-repeated-merge', message: 'A map has one merge key. Merge several anchors with "<<: [*a, *b]".', range, related }]
      : [{ code: 'yaml-duplicate-key', message: `"${name}" is set twice; only the last one counts.`, range, related }];
  });
}

/** Aliases whose anchor does not stand before them. */
export function unresolvedAliases(tree: Document.Parsed): SyntaxProblem[] {
  const anchors = new Map<string, number>();
  const problems: SyntaxProblem[] = [];
  forEachNode(tree.contents, (node) => {
    const anchor = (node as { anchor?: string }).anchor;
    if (!isAlias(node) && anchor !== undefined && node.range) anchors.set(anchor, Math.min(node.range[0], anchors.get(anchor) ?? Infinity));
  });
  forEachNode(tree.contents, (node) => {
    if (!isAlias(node) || !node.range) return;
    const at = anchors.get(node.source);
    if (at !== undefined && at < node.range[0]) return;
    problems.push({ code: 'yaml-unresolved-alias', message: `There is no anchor "&${node.source}" above this alias.`, range: { start: node.range[0], end: node.range[1] } });
  });
  return problems;
}
