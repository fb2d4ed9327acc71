import { inline } from '../../core/checks/edits';
import { type LocatedSchema, type SchemaNode, stepInto } from '../../core/document/schema-walk';

/** Builds snippet text (LSP grammar) from a schema. Lines come without indentation of their own place. */
export class SnippetWriter {
  private stop = 0;

  constructor(
    private readonly indentStep: number,
    private readonly inFlow: boolean,
  ) {}

  /** `key: value` with a stop for whatever must be typed. */
  pair(key: string, schema: LocatedSchema): string[] {
    const { node } = schema;
    const first = firstType(node);
    if (node.const !== undefined) return [`${key}: ${this.source(node.const)}`];
    if (first === 'object') return this.mapPair(key, schema);
    if (first === 'array') return isMapSchema(itemsOf(schema)) && !this.inFlow ? [`${key}:`, this.indent(`- ${this.tabStop()}`)] : [`${key}: [${this.tabStop()}]`];
    return [`${key}: ${this.tabStop()}`];
  }

  private mapPair(key: string, schema: LocatedSchema): string[] {
    const isFree = schema.node.properties === undefined;
    if (this.inFlow || isFree) return [`${key}: { ${this.tabStop()} }`];
    const required = schema.node.required ?? [];
    const lines = required.flatMap((name) => this.pair(name, stepInto(schema, name, undefined)!));
    return [`${key}:`, ...(lines.length > 0 ? lines : [this.tabStop()]).map((line) => this.indent(line))];
  }

  /** One list item with its required keys. */
  item(schema: LocatedSchema): string[] {
    if (!isMapSchema(schema)) return [`- ${this.tabStop()}`];
    const lines = (schema.node.required ?? []).flatMap((name) => this.pair(name, stepInto(schema, name, undefined)!));
    return asItem(lines.length > 0 ? lines : [this.tabStop()]);
  }

  /** A key with everything that it may hold, filled with the schema's examples to type over. */
  section(key: string, schema: LocatedSchema, depth = 0): string[] {
    if (firstType(schema.node) === 'array') {
      const items = itemsOf(schema);
      if (!items || !isMapSchema(items)) return [`${key}: [${this.example(items?.node ?? {}, schema.node.examples?.[0])}]`];
      return [`${key}:`, ...this.wholeItem(items, depth).map((line) => this.indent(line))];
    }
    if (!isMapSchema(schema)) return [`${key}: ${this.example(schema.node)}`];
    const lines = this.sectionLines(schema, depth);
    return lines.length === 0 ? [`${key}: { ${this.tabStop()} }`] : [`${key}:`, ...lines.map((line) => this.indent(line))];
  }

  wholeItem(schema: LocatedSchema, depth = 0): string[] {
    return asItem(this.sectionLines(schema, depth));
  }

  private sectionLines(schema: LocatedSchema, depth: number): string[] {
    const { properties = {}, required = [] } = schema.node;
    const names = depth < 2 ? Object.keys(properties) : required;
    return names.flatMap((name) => this.section(name, stepInto(schema, name, undefined)!, depth + 1));
  }

  private example(node: SchemaNode, listExample?: unknown): string {
    if (node.const !== undefined) return this.source(node.const);
    if (node.enum && node.enum.length <= 20) return this.choice(node.enum.map((value) => inline(value, this.inFlow)));
    if (firstType(node) === 'boolean') return this.choice(['true', 'false']);
    const example = Array.isArray(listExample) ? listExample[0] : node.examples?.[0];
    return example === undefined || example === '' ? this.tabStop() : `\${${++this.stop}:${escape(inline(example, this.inFlow))}}`;
  }

  private source(value: unknown): string {
    return escape(inline(value, this.inFlow));
  }

  private choice(values: readonly string[]): string {
    return `\${${++this.stop}|${values.map((value) => value.replace(/[\\$},|]/g, '\\$&')).join(',')}|}`;
  }

  tabStop(): string {
    return `$${++this.stop}`;
  }

  private indent(line: string): string {
    return ' '.repeat(this.indentStep) + line;
  }
}

const asItem = (lines: readonly string[]): string[] => lines.map((line, index) => (index === 0 ? '- ' : '  ') + line);
const escape = (text: string): string => text.replace(/[\\$}]/g, '\\$&');

export const firstType = (node: SchemaNode): string | undefined => [node.type].flat()[0];
export const itemsOf = (schema: LocatedSchema): LocatedSchema | undefined => stepInto(schema, 0, undefined);
export const isMapSchema = (schema: LocatedSchema | undefined): boolean => schema?.node.properties !== undefined;

/** The same text for clients that know no snippets. */
export const withoutStops = (snippet: string): string =>
  snippet
    .replace(/\$\{\d+\|((?:\\.|[^,|])*)(?:\\.|[^|])*\|\}/g, '$1')
    .replace(/\$\{\d+:((?:\\.|[^}])*)\}/g, '$1')
    .replace(/\$\d+/g, '')
    .replace(/\\([\\$},|])/g, '$1');
