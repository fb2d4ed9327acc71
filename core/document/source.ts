import { type Document, isAlias, isMap, isPair, isScalar, isSeq, LineCounter, type Node, type Pair, parseAllDocuments, type YAMLError } from 'yaml';

export type DocumentKind = 'WorkloadBrief' | 'AcceptanceCard';
export type Path = readonly (string | number)[];

/** Offsets into the text, in UTF-16 units; `end` is exclusive. */
export interface Range {
  start: number;
  end: number;
}

export interface SyntaxProblem {
  code: string;
  message: string;
  range: Range;
}

/** More alias uses than this are an attack or a mistake, never a card. */
const MAX_ALIAS_COUNT = 1000;

/** One YAML document of a file: its tree with ranges, and its value as far as it can be read. */
export class SourceDocument {
  /** The resolved value (aliases and merge keys applied); undefined when it cannot be resolved. */
  readonly value: unknown;
  readonly problems: SyntaxProblem[];
  readonly kind: DocumentKind | undefined;

  constructor(
    readonly tree: Document.Parsed,
    text: string,
    readonly range: Range,
  ) {
    this.problems = tree.errors.map((error) => syntaxProblem(error, text));
    this.value = this.resolve();
    const kind = (this.value as { kind?: unknown } | null | undefined)?.kind;
    this.kind = kind === 'WorkloadBrief' || kind === 'AcceptanceCard' ? kind : undefined;
  }

  private resolve(): unknown {
    try {
      return this.tree.toJS({ maxAliasCount: MAX_ALIAS_COUNT });
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      const code = /alias count/i.test(message) ? 'yaml-alias-bomb' : 'yaml-unresolved-alias';
      this.problems.push({ code, message: `${message}.`, range: { start: this.range.start, end: Math.min(this.range.start + 1, this.range.end) } });
      return undefined;
    }
  }

  /** The node at a path, through aliases; undefined when there is none. */
  nodeAt(path: Path): Node | undefined {
    let node = this.deref(this.tree.contents as Node | null);
    for (const step of path) {
      const pair = this.pairOf(node, step);
      const next = pair ? pair.value : isSeq(node) && typeof step === 'number' ? node.items[step] : undefined;
      if (!next) return undefined;
      node = this.deref(next as Node);
    }
    return node;
  }

  private deref(node: Node | null | undefined): Node | undefined {
    return isAlias(node) ? (node.resolve(this.tree) as Node | undefined) : (node ?? undefined);
  }

  private pairOf(node: Node | undefined, key: string | number): Pair<Node, Node | null> | undefined {
    if (!isMap(node)) return undefined;
    return node.items.find((pair) => isScalar(pair.key) && String(pair.key.value) === String(key)) as Pair<Node, Node | null> | undefined;
  }

  /** The range of the value at `path`, or of the closest thing around it that exists. */
  valueRange(path: Path): Range {
    for (let length = path.length; length >= 0; length--) {
      const node = this.nodeAt(path.slice(0, length));
      const range = node?.range;
      if (range && range[1] > range[0]) return length === path.length ? { start: range[0], end: range[1] } : this.keyRange(path.slice(0, length));
    }
    return { start: this.range.start, end: this.range.start };
  }

  /** The range of the key at the end of `path`; of the item for lists; of the first key for the whole document. */
  keyRange(path: Path): Range {
    const parent = this.nodeAt(path.slice(0, -1));
    const last = path.at(-1);
    if (last === undefined) return this.firstKeyRange();
    const range = this.pairOf(parent, last)?.key.range ?? (isSeq(parent) ? (parent.items[Number(last)] as Node | undefined)?.range : undefined);
    return range ? { start: range[0], end: range[1] } : this.keyRange(path.slice(0, -1));
  }

  private firstKeyRange(): Range {
    const root = this.tree.contents;
    const range = isMap(root) ? (root.items[0]?.key as Node | undefined)?.range : (root as Node | null)?.range;
    return range ? { start: range[0], end: range[1] } : { start: this.range.start, end: Math.min(this.range.start + 1, this.range.end) };
  }

  /** The path of the innermost node around an offset, and whether the offset is on its key. */
  pathAt(offset: number): { path: (string | number)[]; onKey: boolean } {
    const path: (string | number)[] = [];
    let node = this.tree.contents as Node | null | undefined;
    let onKey = false;
    for (;;) {
      const step: { key: string | number; next: Node | null | undefined; onKey: boolean } | undefined = this.stepAt(node, offset);
      if (!step) return { path, onKey };
      path.push(step.key);
      onKey = step.onKey;
      if (onKey) return { path, onKey };
      node = step.next;
    }
  }

  private stepAt(node: Node | null | undefined, offset: number): { key: string | number; next: Node | null | undefined; onKey: boolean } | undefined {
    if (isMap(node)) {
      for (const item of node.items) {
        const pair = item as Pair<Node, Node | null>;
        if (!isPair(pair) || !isScalar(pair.key)) continue;
        if (contains(pair.key.range, offset)) return { key: String(pair.key.value), next: pair.value, onKey: true };
        if (contains(pair.value?.range, offset)) return { key: String(pair.key.value), next: pair.value, onKey: false };
      }
    }
    if (isSeq(node)) {
      const index = node.items.findIndex((item) => contains((item as Node | null)?.range, offset));
      if (index !== -1) return { key: index, next: node.items[index] as Node, onKey: false };
    }
    return undefined;
  }
}

const contains = (range: readonly [number, number, number] | null | undefined, offset: number): boolean => !!range && offset >= range[0] && offset <= range[1];

function syntaxProblem(error: YAMLError, text: string): SyntaxProblem {
  const start = Math.min(error.pos[0], text.length);
  const lineEnd = text.indexOf('\n', start);
  // A squiggle that runs to the end of the file hides everything else.
  const end = Math.max(start, Math.min(error.pos[1], lineEnd === -1 ? text.length : lineEnd));
  const code = `yaml-${error.code.toLowerCase().replaceAll('_', '-')}`;
  if (error.code === 'MISSING_CHAR' && /quote/.test(error.message)) return { code, message: 'This quote is never closed.', range: openingQuote(text, start) };
  return { code, message: error.message.split('\n')[0]!.replace(/ at line \d+, column \d+:?$/, ''), range: { start, end } };
}

/** The parser reports an unclosed quote where the file ends; the mistake is where the quote opens. */
function openingQuote(text: string, from: number): Range {
  const before = text.slice(0, from);
  const match = [...before.matchAll(/(?:^|[\s:[{,-])(["'])(?=[^\n]*$)/gm)].findLast((candidate) => {
    const quote = candidate[1]!;
    const line = before.slice(candidate.index + candidate[0].length).split('\n')[0]!;
    return !line.includes(quote);
  });
  const start = match ? match.index + match[0].length - 1 : from;
  return { start, end: Math.min(start + 1, text.length) };
}

/** A parsed file. Parse once a version; everything else asks it. */
export class SourceFile {
  readonly documents: SourceDocument[];
  private readonly lines = new LineCounter();

  constructor(readonly text: string) {
    const parsed = parseAllDocuments(text, { lineCounter: this.lines, merge: true, keepSourceTokens: true, uniqueKeys: true, prettyErrors: false });
    const trees = Array.isArray(parsed) ? parsed : [];
    this.documents = trees.map((tree) => new SourceDocument(tree, text, { start: tree.range[0], end: tree.range[2] }));
  }

  /** 0-based line and column. */
  positionAt(offset: number): { line: number; character: number } {
    const { line, col } = this.lines.linePos(Math.max(0, Math.min(offset, this.text.length)));
    return { line: Math.max(0, line - 1), character: Math.max(0, col - 1) };
  }

  documentAt(offset: number): SourceDocument | undefined {
    return this.documents.findLast((document) => offset >= document.range.start) ?? this.documents[0];
  }
}
