import { BlockStack } from './block-stack';
import { type FlowResult, scanFlow } from './flow-scan';
import type { Path, Range } from './source';

/**
 * Where a cursor stands in half-typed YAML. Read from the text line by line, not from the parser's tree: at the moment of
 * completion the document is usually broken, and indentation is the only thing that can be trusted.
 */
export interface Cursor {
  /**
   * - `entry`: where a key, a list item or an item's scalar can begin; `path` is the map or list that it would be in.
   * - `value`: behind a colon (or in a flow list); `path` is the value's own.
   */
  place: 'entry' | 'value';
  path: Path;
  /** What a completion replaces: the word, or the whole value. */
  replace: Range;
  /** The replaced text up to the cursor. */
  typed: string;
  inFlow: boolean;
  /** The column that a new key would have; nested lines are indented further. */
  column: number;
  /** Keys that the map already has, before and behind the cursor. */
  siblings: ReadonlySet<string>;
  /** The list that an item at this column would continue; only where the line is still empty. */
  list?: Path;
  /** A colon without the space that YAML wants after it. */
  needsSpace: boolean;
  /** The rest of the line already has the colon. */
  hasColon: boolean;
  /** Scalars around the cursor as nested maps and lists, enough to know which probe an entry is. */
  data: unknown;
}

const KEY = /^("(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^\s#:{}[\],&*!|>'"%@`-](?:[^:#\n]|:(?=\S)|(?<=\S)#)*?|-(?=\S)(?:[^:#\n]|:(?=\S))*?)[ \t]*:(?=[ \t]|$)/;

/** Undefined in comments, block texts and other places where nothing can be completed. */
export function cursorAt(text: string, offset: number): Cursor | undefined {
  return new CursorScan(text, offset).run();
}

class CursorScan {
  private readonly stack = new BlockStack();
  private readonly start: number;
  private readonly lineStart: number;
  private readonly lineEnd: number;

  constructor(
    private readonly text: string,
    private readonly offset: number,
  ) {
    this.start = documentStart(text, offset);
    this.lineStart = offset === 0 ? 0 : Math.max(text.lastIndexOf('\n', offset - 1), text.lastIndexOf('\r', offset - 1)) + 1;
    const end = text.slice(offset).search(/[\r\n]/);
    this.lineEnd = end === -1 ? text.length : offset + end;
  }

  run(): Cursor | undefined {
    let at = this.start;
    while (at < this.lineStart) {
      const next = this.readLine(at);
      if (next === undefined) return undefined;
      if (typeof next === 'object') return this.inFlow(next);
      at = next;
    }
    return this.readCursorLine(Math.max(at, this.lineStart));
  }

  /** Takes one line that ends before the cursor's; the offset of the next one, or where the cursor is in a flow collection. */
  private readLine(at: number): number | FlowResult | undefined {
    const lineEnd = endOfLine(this.text, at);
    const line = this.text.slice(at, lineEnd);
    const next = Math.min(this.text.length, lineEnd + (this.text.startsWith('\r\n', lineEnd) ? 2 : 1));
    if (/^[ \t\uFEFF]*(#.*)?$/.test(line)) return next;
    const { column, rest } = this.enterDashes(line);
    const key = KEY.exec(rest);
    const value = key ? rest.slice(key[0].length) : rest;
    if (key) this.stack.enterKey(column, unquote(key[1]!), plainScalar(value));
    const holder = key ? column : Math.max(0, column - 2);
    return this.skipValue(value, at + (line.length - value.length), next, holder);
  }

  private skipValue(value: string, at: number, next: number, holderColumn: number): number | FlowResult | undefined {
    const lead = /^[ \t]*(?:[&!][^\s]*[ \t]+)*/.exec(value)![0].length;
    const begin = at + lead;
    const first = this.text[begin];
    if (first === '|' || first === '>') return this.skipBlockText(next, holderColumn);
    if (first === '"' || first === "'") return this.skipQuoted(begin, first, next);
    if (first !== '{' && first !== '[') return next;
    const flow = scanFlow(this.text, begin, this.offset, holderColumn);
    return flow.state === 'ended' ? Math.max(next, endOfLine(this.text, flow.end) + 1) : flow;
  }

  /** Undefined when the cursor is inside the text. */
  private skipBlockText(from: number, holderColumn: number): number | undefined {
    let at = from;
    while (at < this.text.length) {
      const line = this.text.slice(at, endOfLine(this.text, at));
      const isInside = line.trim() === '' || /^ */.exec(line)![0].length > holderColumn;
      if (at >= this.lineStart) return isInside && this.cursorColumn() > holderColumn ? undefined : at;
      if (!isInside) return at;
      at += line.length + (this.text.startsWith('\r\n', at + line.length) ? 2 : 1);
    }
    return this.cursorColumn() > holderColumn ? undefined : at;
  }

  private cursorColumn(): number {
    return this.offset - this.lineStart;
  }

  /** A quote that is not closed before the next key ends with its line: it is being typed. */
  private skipQuoted(begin: number, quote: string, next: number): number {
    const pattern = quote === '"' ? /"(?:[^"\\]|\\[^])*"/y : /'(?:[^']|'')*'/y;
    pattern.lastIndex = begin;
    const closed = pattern.exec(this.text);
    if (!closed) return next;
    const end = begin + closed[0].length;
    const isOneText = !/\n[ \t]*(?:- )*[\w-]+:(?:\s|$)/.test(closed[0]);
    return isOneText ? Math.max(next, endOfLine(this.text, end) + 1) : next;
  }

  private enterDashes(line: string): { column: number; rest: string } {
    let column = /^[ \t\uFEFF]*/.exec(line)![0].length;
    for (;;) {
      const dash = /^-(?:[ \t]+|$)/.exec(line.slice(column));
      if (!dash) return { column, rest: line.slice(column) };
      this.stack.enterItem(column);
      column += dash[0].length;
    }
  }

  private readCursorLine(from: number): Cursor | undefined {
    if (from > this.offset) return undefined;
    const line = this.text.slice(from, this.lineEnd);
    const prefix = this.text.slice(from, this.offset);
    const { column, rest } = this.enterDashes(prefix);
    if (/(^|\s)#/.test(stripQuotes(rest))) return undefined;
    const key = KEY.exec(rest);
    if (key) {
      this.stack.enterKey(column, unquote(key[1]!), '');
      return this.behindColon(from + column + key[0].length, column);
    }
    if (/^[{[]/.test(rest)) return this.flowAt(from + column, column);
    if (rest.includes(' ') && !/^["']/.test(rest)) return undefined;
    return this.atEntry(from + column, column, line.slice(prefix.length), column > 0 && prefix.slice(0, column).includes('-'));
  }

  private behindColon(colonEnd: number, column: number): Cursor | undefined {
    const afterColon = this.text.slice(colonEnd, this.offset);
    const lead = /^[ \t]*(?:[&!][^\s]*[ \t]+)*/.exec(afterColon)![0].length;
    const begin = colonEnd + lead;
    if (/^[{[]/.test(this.text.slice(begin, this.offset))) return this.flowAt(begin, column);
    if (/^[|>][-+\d]*\s*$/.test(this.text.slice(begin, this.offset))) return undefined;
    const rest = this.text.slice(begin, this.lineEnd);
    const comment = /(^|\s)#.*$/.exec(stripQuotes(rest));
    const end = begin + (comment ? comment.index : rest.length);
    const replace = { start: begin, end: Math.max(this.offset, begin + rest.slice(0, end - begin).trimEnd().length) };
    return {
      ...this.common(column),
      place: 'value',
      path: this.stack.path(),
      replace,
      typed: this.text.slice(begin, this.offset),
      needsSpace: afterColon === '',
    };
  }

  private atEntry(begin: number, column: number, suffix: string, behindDash: boolean): Cursor | undefined {
    const word = /^[^\s:#,{}[\]]*/.exec(suffix)![0];
    const hasColon = /^[ \t]*:/.test(suffix.slice(word.length));
    const isEmptyLine = !behindDash && this.offset === begin;
    if (isEmptyLine && word !== '' && !hasColon) return undefined;
    const list = isEmptyLine || !behindDash ? this.stack.listAt(column) : undefined;
    const map = this.stack.openMap(column);
    const path = this.stack.containerPath(column);
    if (!path && !list) return undefined;
    const siblings = new Set([...(map?.entries.keys() ?? []), ...keysBelow(this.text, this.lineEnd, column)]);
    return {
      ...this.common(column),
      place: 'entry',
      path: path ?? list!,
      replace: { start: begin, end: this.offset + word.length },
      typed: this.text.slice(begin, this.offset),
      siblings,
      hasColon,
      ...(list ? { list } : {}),
    };
  }

  private flowAt(begin: number, column: number): Cursor | undefined {
    const flow = scanFlow(this.text, begin, this.offset, column);
    return flow.state === 'ended' ? undefined : this.inFlow(flow);
  }

  private inFlow(flow: FlowResult): Cursor | undefined {
    if (flow.state !== 'open') return undefined;
    return {
      ...this.common(0),
      inFlow: true,
      place: flow.place,
      path: [...this.stack.path(), ...flow.path],
      replace: flow.replace,
      typed: this.text.slice(flow.replace.start, this.offset),
      siblings: flow.siblings,
      needsSpace: flow.needsSpace,
      hasColon: flow.hasColon,
      data: this.stack.data(flow.data),
    };
  }

  private common(column: number): Omit<Cursor, 'place' | 'path' | 'replace' | 'typed'> {
    return { inFlow: false, column, siblings: new Set<string>(), needsSpace: false, hasColon: false, data: this.stack.data() };
  }
}

/** Keys at this column in the lines behind the cursor, until the map ends. */
function keysBelow(text: string, from: number, column: number): string[] {
  const keys: string[] = [];
  for (const line of text.slice(from).split('\n').slice(1)) {
    if (/^\s*(#.*)?$/.test(line)) continue;
    const indent = /^ */.exec(line)![0].length;
    if (indent < column || /^(---|\.\.\.)/.test(line)) break;
    const key = indent === column ? KEY.exec(line.trimEnd().slice(indent)) : null;
    if (key) keys.push(unquote(key[1]!));
  }
  return keys;
}

function documentStart(text: string, offset: number): number {
  const before = text.slice(0, offset);
  const marker = [...before.matchAll(/^---(?=\s|$)[^\n]*\n/gm)].at(-1);
  return marker ? marker.index + marker[0].length : 0;
}

function endOfLine(text: string, from: number): number {
  const at = text.indexOf('\n', from);
  if (at === -1) return text.length;
  return text[at - 1] === '\r' && at > from ? at - 1 : at;
}

const unquote = (key: string): string => (/^["']/.test(key) ? key.slice(1, -1) : key.trimEnd());

/** Quoted parts as blanks, so that a `#` in them begins no comment. */
const stripQuotes = (text: string): string => text.replace(/"(?:[^"\\]|\\.)*"?|'(?:[^']|'')*'?/g, (quoted) => '_'.repeat(quoted.length));

function plainScalar(value: string): string {
  const text = value.replace(/^[ \t]*(?:[&!][^\s]*[ \t]*)*/, '').replace(/(^|\s)#.*$/, '').trim();
  return /^(["']).*\1$/.test(text) && text.length > 1 ? text.slice(1, -1) : text;
}
