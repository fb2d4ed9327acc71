/** Larger answers are no answers of dcgmi. */
const MAX_CHARACTERS = 32 * 1024 * 1024;
/** Above this the parts of an answer are no longer told apart by line. */
const MAX_OPENINGS = 1_000_000;

export interface JsonDocument {
  value: unknown;
  /** Line of its first brace. */
  line: number;
  /** Line on which an object or a list inside it begins; of anything else, and where that cannot be told, the first line. */
  lineOf: (part: unknown) => number;
}

/**
 * Collects JSON objects that stand anywhere in a stream of lines: with noise before them, behind each other, with text after.
 * An object that never closes is left out and makes `isCut` true.
 */
export class JsonDocuments {
  private text = '';
  private depth = 0;
  private inString = false;
  private escaped = false;
  private startLine = 0;
  /** Lines of all opening braces and brackets of the document, in its order. */
  private openings: number[] = [];
  private overflow = false;
  readonly documents: JsonDocument[] = [];
  /** A balanced object that is no JSON. */
  isDamaged = false;

  get isCut(): boolean {
    return this.depth > 0 || this.overflow;
  }

  line(text: string, lineNumber: number): void {
    for (let index = 0; index < text.length; index++) {
      const character = text[index]!;
      if (this.depth === 0) {
        if (character !== '{') continue;
        this.startLine = lineNumber;
        this.text = '';
        this.openings = [];
      }
      this.text += character;
      this.step(character, lineNumber);
    }
    if (this.depth > 0) this.text += '\n';
    if (this.text.length > MAX_CHARACTERS) {
      this.overflow = true;
      this.text = '';
      this.openings = [];
      this.depth = 0;
    }
  }

  private step(character: string, lineNumber: number): void {
    if (this.inString) {
      if (this.escaped) this.escaped = false;
      else if (character === '\\') this.escaped = true;
      else if (character === '"') this.inString = false;
      return;
    }
    if ((character === '{' || character === '[') && this.openings.length < MAX_OPENINGS) this.openings.push(lineNumber);
    if (character === '"') this.inString = true;
    else if (character === '{') this.depth++;
    else if (character === '}' && --this.depth === 0) this.close();
  }

  private close(): void {
    try {
      const value: unknown = JSON.parse(this.text);
      const lines = linesOfParts(value, this.openings);
      const line = this.startLine;
      this.documents.push({ value, line, lineOf: (part) => lines.get(part) ?? line });
    } catch {
      this.isDamaged = true;
    }
    this.text = '';
    this.openings = [];
  }
}

/** Keys like these come first in an object whatever their place in the text. */
const REORDERED_KEY = /^\d+$/;

/** Brings opening braces and brackets together with what they opened. Empty where keys that repeat or reorder make that a guess, and for more parts than openings were kept. */
function linesOfParts(value: unknown, openings: readonly number[]): Map<unknown, number> {
  const lines = new Map<unknown, number>();
  const open = [value];
  while (open.length > 0) {
    const part = open.pop();
    if (part === null || typeof part !== 'object') continue;
    if (lines.size >= openings.length || (!Array.isArray(part) && Object.keys(part).some((key) => REORDERED_KEY.test(key)))) return new Map();
    lines.set(part, openings[lines.size]!);
    open.push(...Object.values(part).reverse());
  }
  return lines.size === openings.length ? lines : new Map();
}

export type JsonObject = Record<string, unknown>;

export const asObject = (value: unknown): JsonObject | undefined => (value !== null && typeof value === 'object' && !Array.isArray(value) ? (value as JsonObject) : undefined);
export const asArray = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
export const asText = (value: unknown): string | undefined => (typeof value === 'string' ? value : typeof value === 'number' ? String(value) : undefined);
