import type { Path, Range } from './source';

export type FlowResult =
  | { state: 'ended'; end: number }
  /** In a text or comment, where nothing can be completed. */
  | { state: 'nowhere' }
  | {
      state: 'open';
      place: 'entry' | 'value';
      path: Path;
      replace: Range;
      siblings: ReadonlySet<string>;
      needsSpace: boolean;
      hasColon: boolean;
      data: unknown;
    };

interface FlowPart {
  kind: 'map' | 'list';
  index: number;
  key: string | undefined;
  entries: Map<string, string>;
  /** Where the key or value that is being read begins. */
  tokenStart: number;
  afterColon: boolean;
}

/** Reads `{…}` or `[…]` from its opening bracket up to the cursor or to its end. */
export function scanFlow(text: string, begin: number, offset: number, holderColumn: number): FlowResult {
  const open: FlowPart[] = [];
  let at = begin;
  while (at < offset) {
    const char = text[at]!;
    if (char === '"' || char === "'") {
      const end = closingQuote(text, at, char);
      if (end >= offset || end === -1) break;
      at = end;
    } else if (char === '#' && /\s/.test(text[at - 1] ?? ' ')) {
      const lineEnd = text.indexOf('\n', at);
      if (lineEnd === -1 || lineEnd >= offset) return { state: 'nowhere' };
      at = lineEnd;
    } else if (char === '\n' && endsHere(text, at + 1, holderColumn)) {
      return { state: 'ended', end: at - 1 };
    } else {
      step(open, char, text, at);
      if (open.length === 0) return { state: 'ended', end: at + 1 };
    }
    at++;
  }
  return open.length === 0 ? { state: 'ended', end: at } : describe(open, text, offset);
}

function step(open: FlowPart[], char: string, text: string, at: number): void {
  const top = open.at(-1);
  if (char === '{' || char === '[') {
    open.push({ kind: char === '{' ? 'map' : 'list', index: 0, key: undefined, entries: new Map(), tokenStart: at + 1, afterColon: false });
  } else if (char === '}' || char === ']') {
    open.pop();
  } else if (char === ',' && top) {
    finish(top, text, at);
    Object.assign(top, { index: top.index + 1, key: undefined, tokenStart: at + 1, afterColon: false });
  } else if (char === ':' && top?.kind === 'map' && !top.afterColon && /[\s,}\]]|^$/.test(text[at + 1] ?? '')) {
    Object.assign(top, { key: clean(text.slice(top.tokenStart, at)), tokenStart: at + 1, afterColon: true });
    top.entries.set(top.key!, '');
  }
}

function finish(part: FlowPart, text: string, at: number): void {
  if (part.key !== undefined) part.entries.set(part.key, clean(text.slice(part.tokenStart, at)));
}

function describe(open: readonly FlowPart[], text: string, offset: number): FlowResult {
  const top = open.at(-1)!;
  const isValue = top.afterColon || top.kind === 'list';
  // A word that is being typed stands on one line, whatever stands unfinished above it.
  const before = text.slice(top.tokenStart, offset);
  const lead = before.length - before.slice(Math.max(before.lastIndexOf('\n'), before.lastIndexOf('\r')) + 1).trimStart().length;
  const start = top.tokenStart + lead;
  const rest = /^[^,}\]\r\n:]*/.exec(text.slice(offset))![0].trimEnd();
  const following = keysBehind(text, offset + rest.length);
  const path = open.flatMap((part, depth): Path => {
    const isLast = depth === open.length - 1;
    if (part.kind === 'list') return [part.index];
    return part.key !== undefined && (!isLast || isValue) ? [part.key] : [];
  });
  return {
    state: 'open',
    place: isValue ? 'value' : 'entry',
    path,
    replace: { start, end: offset + rest.length },
    siblings: new Set([...top.entries.keys(), ...(isValue ? [] : following.keys)]),
    needsSpace: top.afterColon && lead === 0,
    hasColon: !isValue && following.hasColon,
    data: dataOf(open),
  };
}

/** Keys between the cursor and the end of its map, as far as it stays on one level. */
function keysBehind(text: string, from: number): { keys: string[]; hasColon: boolean } {
  const rest = /^[^{}[\]\r\n]*/.exec(text.slice(from))![0];
  const keys = [...rest.matchAll(/,\s*([\w.-]+)\s*:/g)].map((match) => match[1]!);
  return { keys, hasColon: /^\s*:/.test(rest) };
}

function dataOf(open: readonly FlowPart[]): unknown {
  return open.reduceRight<unknown>((inner, part) => {
    if (part.kind === 'map') return { ...Object.fromEntries(part.entries), ...(inner !== undefined && part.key !== undefined ? { [part.key]: inner } : {}) };
    const list: unknown[] = [];
    list[part.index] = inner;
    return list;
  }, undefined);
}

/** An open bracket that was never closed must not swallow the keys of the lines below it. */
function endsHere(text: string, lineStart: number, holderColumn: number): boolean {
  const match = /^( *)(?:- |[\w-]+:(?:\s|$))/.exec(text.slice(lineStart, lineStart + 200));
  return match !== null && match[1]!.length <= holderColumn;
}

function closingQuote(text: string, from: number, quote: string): number {
  for (let at = from + 1; at < text.length; at++) {
    if (text[at] === '\n') return -1;
    if (quote === '"' && text[at] === '\\') at++;
    else if (text[at] === quote) return at;
  }
  return -1;
}

const clean = (token: string): string => token.trim().replace(/^(["'])(.*)\1$/s, '$2');
