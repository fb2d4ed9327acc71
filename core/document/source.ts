import { type Alias, type Document, isAlias, isMap, isPair, isScalar, isSeq, LineCounter, type Node, type Pair, parseAllDocuments, type YAMLMap } from 'yaml';
import { duplicateKeys, keyName, type Range, type SyntaxProblem, syntaxProblem, unresolvedAliases, withinLine } from './syntax';

export type { Range, SyntaxCode, SyntaxProblem } from './syntax';

export type DocumentKind = 'WorkloadBrief' | 'AcceptanceCard';
export type Path = readonly (string | number)[];

/** More alias uses than this are an attack or a mistake, never a card. */
const MAX_ALIAS_COUNT = 1000;
/** Beyond this only the syntax is checked: schema and rules would make typing wait. */
export const FULL_CHECK_LIMIT = 1024 * 1024;
/** Beyond this the text is not even parsed. */
export const PARSE_LIMIT = 8 * 1024 * 1024;

/** Where something stands. `anchored`: it came through an alias or a merge key, and this is where it is written. */
export interface Place {
  range: Range;
  anchored?: Range;
}

/** One YAML document of a file: its tree with ranges, and its value as far as it can be read. */
export class SourceDocument {
  /** The resolved value (aliases and merge keys applied); undefined when it cannot be resolved or the file is too large. */
  readonly value: unknown;
  readonly problems: SyntaxProblem[];
  readonly kind: DocumentKind | undefined;

  constructor(
    readonly tree: Document.Parsed,
    readonly text: string,
    readonly range: Range,
    resolve: boolean,
  ) {
    this.problems = [
      ...tree.errors.map((error) => syntaxProblem(error, tree, text)),
      ...duplicateKeys(tree.contents),
      ...unresolvedAliases(tree),
    ];
    this.value = resolve ? this.resolve() : undefined;
    const kind = resolve && this.value !== undefined ? (this.value as { kind?: unknown } | null)?.kind : this.scalarAt(['kind']);
    this.kind = kind === 'WorkloadBrief' || kind === 'AcceptanceCard' ? kind : undefined;
  }

  /** True when the tree can be trusted: nothing is swallowed by an open quote or a broken indent. */
  get isWellFormed(): boolean {
    return this.tree.errors.length === 0 && this.value !== undefined;
  }

  private resolve(): unknown {
    if (this.problems.some(({ code }) => code === 'yaml-unresolved-alias')) return undefined;
    try {
      return this.tree.toJS({ maxAliasCount: MAX_ALIAS_COUNT });
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      const range = withinLine(this.text, { start: this.range.start, end: Math.min(this.range.start + 1, this.range.end) });
      const problem: SyntaxProblem = /alias count/i.test(message)
        ? { code: 'yaml-alias-budget', message: `Anchors are used more than ${MAX_ALIAS_COUNT} times in all; write the values out.`, range }
        : { code: 'yaml-syntax', message: `This document cannot be read: ${message}.`, range };
      this.problems.push(problem);
      return undefined;
    }
  }

  private scalarAt(path: Path): unknown {
    const node = this.nodeAt(path);
    return isScalar(node) ? node.value : undefined;
  }

  /** The node at a path, through aliases and merge keys; undefined when there is none. */
  nodeAt(path: Path): Node | undefined {
    return this.walk(path)?.node;
  }

  /** The pair whose key is the last step of `path`; undefined for list items and for what comes through a merge key. */
  pairAt(path: Path): Pair<Node, Node | null> | undefined {
    const last = path.at(-1);
    return last === undefined ? undefined : ownPair(this.nodeAt(path.slice(0, -1)), last);
  }

  private walk(path: Path): { node: Node; through?: Alias } | undefined {
    let node = this.tree.contents as Node | null | undefined;
    let through: Alias | undefined;
    for (let index = 0; ; index++) {
      if (isAlias(node)) {
        through ??= node;
        node = this.deref(node);
      }
      if (!node) return undefined;
      if (index === path.length) return through ? { node, through } : { node };
      const step = path[index]!;
      const next = this.child(node, step);
      if (!next) return undefined;
      through ??= next.through;
      node = next.node;
    }
  }

  private child(node: Node, step: string | number): { node: Node | null | undefined; through?: Alias } | undefined {
    if (isSeq(node) && typeof step === 'number') return { node: node.items[step] as Node | undefined };
    const pair = ownPair(node, step);
    if (pair) return { node: pair.value };
    for (const alias of mergedAliases(node)) {
      const merged = ownPair(this.deref(alias), step);
      if (merged) return { node: merged.value, through: alias };
    }
    return undefined;
  }

  private deref(node: Node | null | undefined): Node | undefined {
    return isAlias(node) ? (node.resolve(this.tree) as Node | undefined) : (node ?? undefined);
  }

  /** The value at `path`, or the closest thing around it that exists. */
  locateValue(path: Path): Place {
    for (let length = path.length; length >= 0; length--) {
      const found = this.walk(path.slice(0, length));
      const range = found?.node.range;
      if (!range || range[1] <= range[0]) continue;
      if (length < path.length) return this.locateKey(path.slice(0, length));
      return place({ start: range[0], end: range[1] }, found.through);
    }
    return { range: this.firstKeyRange() };
  }

  /** The key at the end of `path`; the item for lists; the first key for the whole document. */
  locateKey(path: Path): Place {
    const last = path.at(-1);
    if (last === undefined) return { range: this.firstKeyRange() };
    const parent = this.walk(path.slice(0, -1));
    const item = isSeq(parent?.node) ? (parent.node.items[Number(last)] as Node | undefined) : undefined;
    const range = ownPair(parent?.node, last)?.key.range ?? item?.range;
    return range ? place({ start: range[0], end: range[1] }, parent?.through) : this.locateValueOrParent(path);
  }

  private locateValueOrParent(path: Path): Place {
    const found = this.walk(path);
    const range = found?.node.range;
    return found?.through && range ? place({ start: range[0], end: range[1] }, found.through) : this.locateKey(path.slice(0, -1));
  }

  valueRange(path: Path): Range {
    return this.locateValue(path).range;
  }

  keyRange(path: Path): Range {
    return this.locateKey(path).range;
  }

  private firstKeyRange(): Range {
    const root = this.tree.contents as Node | null;
    const range = isMap(root) ? (root.items[0]?.key as Node | undefined)?.range : root?.range;
    const whole = range ? { start: range[0], end: range[1] } : { start: this.range.start, end: Math.min(this.range.start + 1, this.range.end) };
    return withinLine(this.text, whole);
  }

  /** The path of the innermost node around an offset, and whether the offset is on its key. */
  pathAt(offset: number): { path: (string | number)[]; onKey: boolean } {
    const path: (string | number)[] = [];
    let node = this.tree.contents as Node | null | undefined;
    for (;;) {
      const step = stepAt(node, offset);
      if (!step) return { path, onKey: false };
      path.push(step.key);
      if (step.onKey) return { path, onKey: true };
      node = step.next;
    }
  }
}

function place(range: Range, through: Alias | undefined): Place {
  if (!through?.range) return { range };
  return { range: { start: through.range[0], end: through.range[1] }, anchored: range };
}

function ownPair(node: Node | null | undefined, key: string | number): Pair<Node, Node | null> | undefined {
  if (!isMap(node)) return undefined;
  const matches = (pair: Pair): boolean => keyName(pair.key as Node) === String(key);
  return (node as YAMLMap).items.findLast(matches) as Pair<Node, Node | null> | undefined;
}

function mergedAliases(node: Node): Alias[] {
  const merged = ownPair(node, '<<')?.value;
  if (isAlias(merged)) return [merged];
  return isSeq(merged) ? merged.items.filter((item): item is Alias => isAlias(item)) : [];
}

const contains = (range: readonly [number, number, number] | null | undefined, offset: number): boolean => !!range && offset >= range[0] && offset <= range[1];

function stepAt(node: Node | null | undefined, offset: number): { key: string | number; next: Node | null | undefined; onKey: boolean } | undefined {
  if (isMap(node)) {
    for (const pair of node.items as Pair<Node, Node | null>[]) {
      if (!isPair(pair) || keyName(pair.key) === undefined) continue;
      if (contains(pair.key.range, offset)) return { key: keyName(pair.key)!, next: pair.value, onKey: true };
      if (contains(pair.value?.range, offset)) return { key: keyName(pair.key)!, next: pair.value, onKey: false };
    }
  }
  if (isSeq(node)) {
    const index = node.items.findIndex((item) => contains((item as Node | null)?.range, offset));
    if (index !== -1) return { key: index, next: node.items[index] as Node, onKey: false };
  }
  return undefined;
}

export type CheckDepth = 'full' | 'syntax-only' | 'none';

/** A parsed file. Parse once a version; everything else asks it. */
export class SourceFile {
  readonly documents: SourceDocument[];
  /** How far the size of the file lets it be checked. */
  readonly depth: CheckDepth;
  /** Problems of the file as a whole. */
  readonly problems: SyntaxProblem[] = [];
  private readonly lines = new LineCounter();

  constructor(readonly text: string) {
    this.depth = this.chooseDepth();
    const trees = this.depth === 'none' ? [] : this.parse();
    this.documents = trees.map((tree) => new SourceDocument(tree, text, { start: tree.range[0], end: tree.range[2] }, this.depth === 'full'));
  }

  private chooseDepth(): CheckDepth {
    const firstLine = withinLine(this.text, { start: 0, end: this.text.length });
    if (this.text.length > PARSE_LIMIT) {
      this.problems.push({ code: 'file-too-large', message: 'This file is larger than 8 MB and is not checked.', range: firstLine });
      return 'none';
    }
    if (countAnchorsAndAliases(this.text) > 2 * MAX_ALIAS_COUNT) {
      const message = `This file has more than ${2 * MAX_ALIAS_COUNT} anchors and aliases and is not checked. Write the values out.`;
      this.problems.push({ code: 'yaml-alias-budget', message, range: firstLine });
      return 'none';
    }
    if (this.text.length <= FULL_CHECK_LIMIT) return 'full';
    this.problems.push({ code: 'file-too-large', message: 'This file is larger than 1 MB, so only its syntax is checked.', range: firstLine });
    return 'syntax-only';
  }

  private parse(): Document.Parsed[] {
    try {
      const parsed = parseAllDocuments(this.text, { lineCounter: this.lines, merge: true, uniqueKeys: false, prettyErrors: false });
      return Array.isArray(parsed) ? parsed : [];
    } catch (error) {
      // The parser recurses; thousands of nested brackets end its stack.
      const message = `This file cannot be read: ${error instanceof RangeError ? 'it is nested too deeply' : String(error)}.`;
      this.problems.push({ code: 'yaml-syntax', message, range: withinLine(this.text, { start: 0, end: this.text.length }) });
      return [];
    }
  }

  /** 0-based line and column. */
  positionAt(offset: number): { line: number; character: number } {
    const { line, col } = this.lines.linePos(Math.max(0, Math.min(offset, this.text.length)));
    return { line: Math.max(0, line - 1), character: Math.max(0, col - 1) };
  }

  documentAt(offset: number): SourceDocument | undefined {
    return this.documents.findLast((document) => offset >= document.range.start) ?? this.documents[0];
  }

  /** `\r\n` when the file uses it; edits must not mix line ends. */
  get eol(): '\n' | '\r\n' {
    return this.text.includes('\r\n') ? '\r\n' : '\n';
  }
}

/** An upper bound, read from the text: the cost of resolving them grows faster than their number. */
function countAnchorsAndAliases(text: string): number {
  return text.match(/(?<=^|[\s[{,])[&*][A-Za-z0-9_-]/gm)?.length ?? 0;
}
