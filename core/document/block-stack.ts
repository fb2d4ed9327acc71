import type { Path } from './source';

export interface BlockMap {
  kind: 'map';
  column: number;
  key: string;
  /** Keys read so far, with their scalar text. */
  entries: Map<string, string>;
}

interface BlockList {
  kind: 'list';
  column: number;
  index: number;
}

/** The block maps and lists that are open at a line, from their columns alone. */
export class BlockStack {
  private readonly open: (BlockMap | BlockList)[] = [];

  enterItem(column: number): void {
    this.closeBeyond(column);
    const top = this.open.at(-1);
    if (top?.kind === 'list' && top.column === column) top.index++;
    else this.open.push({ kind: 'list', column, index: 0 });
  }

  enterKey(column: number, key: string, scalar: string): void {
    this.closeForKey(column);
    const top = this.open.at(-1);
    if (top?.kind === 'map' && top.column === column) {
      top.key = key;
      top.entries.set(key, scalar);
    } else {
      this.open.push({ kind: 'map', column, key, entries: new Map([[key, scalar]]) });
    }
  }

  private closeBeyond(column: number): void {
    while ((this.open.at(-1)?.column ?? -1) > column) this.open.pop();
  }

  /** A list may have the column of its parent's keys; a key there ends it. */
  private closeForKey(column: number): void {
    this.closeBeyond(column);
    const top = this.open.at(-1);
    if (top?.kind === 'list' && top.column === column) this.open.pop();
  }

  /** The path of the value that was entered last. */
  path(depth = this.open.length): Path {
    return this.open.slice(0, depth).map((part) => (part.kind === 'map' ? part.key : part.index));
  }

  /** The map that a key at this column belongs to, if it has begun. */
  openMap(column: number): BlockMap | undefined {
    const found = this.open.findLast((part) => part.column <= column && !(part.kind === 'list' && part.column === column));
    return found?.kind === 'map' && found.column === column ? found : undefined;
  }

  /** The path of the map that a key at this column would be in; undefined where none can be. */
  containerPath(column: number): Path | undefined {
    const depth = this.open.findLastIndex((part) => part.column <= column && !(part.kind === 'list' && part.column === column)) + 1;
    const holder = this.open[depth - 1];
    if (!holder) return column === 0 || this.open.length === 0 ? [] : undefined;
    if (holder.column === column) return this.path(depth - 1);
    const isFree = holder.kind === 'list' || holder.entries.get(holder.key) === '';
    return isFree && this.open.length === depth ? this.path(depth) : undefined;
  }

  /** The list that an item at this column would continue. */
  listAt(column: number): Path | undefined {
    const depth = this.open.findLastIndex((part) => part.kind === 'list' && part.column === column);
    return depth !== -1 && this.open.slice(depth + 1).every((part) => part.column > column) ? this.path(depth) : undefined;
  }

  /** What was read, as nested maps and lists. */
  data(innermost?: unknown): unknown {
    return this.open.reduceRight<unknown>((inner, part) => {
      if (part.kind === 'map') return { ...Object.fromEntries(part.entries), ...(inner === undefined ? {} : { [part.key]: inner }) };
      const list: unknown[] = [];
      list[part.index] = inner;
      return list;
    }, innermost);
  }
}
