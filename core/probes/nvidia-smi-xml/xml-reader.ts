/**
 * Reads the regular XML that `nvidia-smi -q -x` prints, a line at a time: elements, one attribute, text. It is no general XML
 * parser: there are no namespaces, CDATA or entities beyond the five of XML, and anything else is reported as broken.
 */
export interface XmlHandler {
  /** `attributes` as written between the name and the closing bracket. */
  open(path: readonly string[], attributes: string, line: number): void;
  /** An element without elements inside: its text, without blanks around it. */
  leaf(path: readonly string[], text: string, line: number): void;
  close(path: readonly string[], line: number): void;
  declaration(text: string, line: number): void;
  /** Text that stands outside of every element, or beside elements. */
  stray(text: string, line: number): void;
  broken(problem: string, line: number): void;
}

const DEEPEST = 32;
const LONGEST_TEXT = 4096;
const TOKEN = /<([^<>]*)>|([^<]+)|(<)/g;
const NAME = /^([A-Za-z_][\w.-]*)(?:\s+(.*))?$/;
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

interface OpenElement {
  text: string;
  hasElements: boolean;
}

export class XmlReader {
  private readonly path: string[] = [];
  private readonly elements: OpenElement[] = [];

  constructor(private readonly handler: XmlHandler) {}

  get isInside(): boolean {
    return this.path.length > 0;
  }

  line(text: string, line: number): void {
    for (const [, tag, content, bracket] of text.matchAll(TOKEN)) {
      if (tag !== undefined) this.tag(tag.trim(), line);
      else if (content !== undefined) this.text(content, line);
      else if (bracket !== undefined) this.handler.broken('a tag is not closed', line);
    }
  }

  private tag(tag: string, line: number): void {
    if (tag.startsWith('?') || tag.startsWith('!')) this.handler.declaration(tag, line);
    else if (tag.startsWith('/')) this.closeTag(tag.slice(1).trim(), line);
    else {
      const isEmpty = tag.endsWith('/');
      const [, name, attributes = ''] = NAME.exec(isEmpty ? tag.slice(0, -1).trim() : tag) ?? [];
      if (name === undefined || this.path.length >= DEEPEST) this.handler.broken(`<${tag.slice(0, 40)}> is no element`, line);
      else {
        this.openTag(name, attributes, line);
        if (isEmpty) this.closeTag(name, line);
      }
    }
  }

  private openTag(name: string, attributes: string, line: number): void {
    const parent = this.elements.at(-1);
    if (parent) {
      if (parent.text.trim() !== '') this.handler.stray(parent.text.trim(), line);
      parent.text = '';
      parent.hasElements = true;
    }
    this.path.push(name);
    this.elements.push({ text: '', hasElements: false });
    this.handler.open(this.path, attributes, line);
  }

  private closeTag(name: string, line: number): void {
    const element = this.elements.at(-1);
    if (!element || this.path.at(-1) !== name) {
      this.handler.broken(`</${name.slice(0, 40)}> closes no open element`, line);
      return;
    }
    const text = decode(element.text.trim());
    if (!element.hasElements) this.handler.leaf(this.path, text, line);
    else if (text !== '') this.handler.stray(text, line);
    this.handler.close(this.path, line);
    this.path.pop();
    this.elements.pop();
  }

  private text(text: string, line: number): void {
    const element = this.elements.at(-1);
    if (!element) {
      if (text.trim() !== '') this.handler.stray(text.trim(), line);
    } else if (element.text.length + text.length <= LONGEST_TEXT) element.text += text;
    else this.handler.broken('a text is too long', line);
  }
}

const decode = (text: string): string => text.replace(/&(\w+);/g, (whole, name: string) => ENTITIES[name] ?? whole);
