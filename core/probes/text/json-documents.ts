/** Larger answers are no answers of dcgmi. */
const MAX_CHARACTERS = 32 * 1024 * 1024;

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
  private overflow = false;
  readonly documents: { value: unknown; line: number }[] = [];
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
      }
      this.text += character;
      this.step(character);
    }
    if (this.depth > 0) this.text += '\n';
    if (this.text.length > MAX_CHARACTERS) {
      this.overflow = true;
      this.text = '';
      this.depth = 0;
    }
  }

  private step(character: string): void {
    if (this.inString) {
      if (this.escaped) this.escaped = false;
      else if (character === '\\') this.escaped = true;
      else if (character === '"') this.inString = false;
      return;
    }
    if (character === '"') this.inString = true;
    else if (character === '{') this.depth++;
    else if (character === '}' && --this.depth === 0) this.close();
  }

  private close(): void {
    try {
      this.documents.push({ value: JSON.parse(this.text), line: this.startLine });
    } catch {
      this.isDamaged = true;
    }
    this.text = '';
  }
}

export type JsonObject = Record<string, unknown>;

export const asObject = (value: unknown): JsonObject | undefined => (value !== null && typeof value === 'object' && !Array.isArray(value) ? (value as JsonObject) : undefined);
export const asArray = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
export const asText = (value: unknown): string | undefined => (typeof value === 'string' ? value : typeof value === 'number' ? String(value) : undefined);
