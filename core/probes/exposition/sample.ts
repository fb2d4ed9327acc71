import { parseExpositionValue } from './value';

/** Label pairs in the order of the line. */
export type Labels = readonly (readonly [name: string, value: string])[];

export interface Sample {
  name: string;
  labels: Labels;
  /** May be NaN or infinite. */
  value: number;
  /** As written: milliseconds in the Prometheus format, seconds in OpenMetrics. */
  timestamp: number | undefined;
  /** Only OpenMetrics has exemplars. */
  hasExemplar: boolean;
}

/** The line is no sample; the text says what is wrong with it. */
export interface SyntaxProblem {
  problem: string;
}

/** A position in the line; the readers below move it forward. */
interface Cursor {
  readonly text: string;
  at: number;
}

class LineSyntaxError extends Error {}

/**
 * One sample line of the Prometheus text format 0.0.4 or OpenMetrics 1.0 (prometheus/docs exposition_formats.md): blanks
 * anywhere between tokens, label values with any character, quoted UTF-8 names, timestamps, exemplars.
 */
export function parseSample(text: string): Sample | SyntaxProblem {
  try {
    return readSample({ text, at: 0 });
  } catch (error) {
    if (error instanceof LineSyntaxError) return { problem: error.message };
    throw error;
  }
}

function readSample(cursor: Cursor): Sample {
  skipBlanks(cursor);
  const bareName = readName(cursor);
  skipBlanks(cursor);
  const labels: [string, string][] = [];
  const quotedName = cursor.text[cursor.at] === '{' ? readLabels(cursor, labels, bareName === '') : undefined;
  const name = bareName === '' ? quotedName : bareName;
  if (name === undefined || name === '') throw new LineSyntaxError('it does not start with a metric name');
  // One object of one shape: this runs for each line of each scrape.
  return { name, labels, value: readValue(cursor), timestamp: readTimestamp(cursor), hasExemplar: readExemplar(cursor) };
}

function isNameStart(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || code === 95 || code === 58;
}

function readName(cursor: Cursor): string {
  const { text, at } = cursor;
  if (!isNameStart(text.charCodeAt(at))) return '';
  let end = at + 1;
  for (let code = text.charCodeAt(end); isNameStart(code) || (code >= 48 && code <= 57); code = text.charCodeAt(end)) end++;
  cursor.at = end;
  return text.slice(at, end);
}

function skipBlanks(cursor: Cursor): void {
  for (let code = cursor.text.charCodeAt(cursor.at); code === 32 || code === 9; code = cursor.text.charCodeAt(cursor.at)) cursor.at++;
}

/** Reads `{…}` into `labels`. Returns the quoted metric name if one stands inside, which is allowed when none stood before. */
function readLabels(cursor: Cursor, labels: [string, string][], nameAllowed: boolean): string | undefined {
  let quotedName: string | undefined;
  cursor.at++;
  for (;;) {
    skipBlanks(cursor);
    if (cursor.text[cursor.at] === '}') break;
    const isQuoted = cursor.text[cursor.at] === '"';
    const key = isQuoted ? readQuoted(cursor) : readName(cursor);
    skipBlanks(cursor);
    if (cursor.text[cursor.at] === '=') labels.push([key, readLabelValue(cursor, key)]);
    else if (isQuoted && nameAllowed && quotedName === undefined) quotedName = key;
    else throw new LineSyntaxError(`the label "${key.slice(0, 40)}" has no value`);
    skipBlanks(cursor);
    if (cursor.text[cursor.at] === ',') cursor.at++;
    else if (cursor.text[cursor.at] !== '}') throw new LineSyntaxError('its labels are not closed');
  }
  cursor.at++;
  refuseDuplicates(labels);
  return quotedName;
}

function readLabelValue(cursor: Cursor, key: string): string {
  if (key === '') throw new LineSyntaxError('a label has no name');
  cursor.at++;
  skipBlanks(cursor);
  if (cursor.text[cursor.at] !== '"') throw new LineSyntaxError(`the value of the label "${key}" is not in quotes`);
  return readQuoted(cursor);
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', '"': '"', '\\': '\\' };

function readQuoted(cursor: Cursor): string {
  const { text } = cursor;
  const start = cursor.at + 1;
  let end = text.indexOf('"', start);
  const escape = text.indexOf('\\', start);
  if (end !== -1 && (escape === -1 || escape > end)) {
    cursor.at = end + 1;
    return text.slice(start, end);
  }
  let value = '';
  for (end = start; end < text.length; end++) {
    const character = text[end]!;
    if (character === '"') {
      cursor.at = end + 1;
      return value;
    }
    // An unknown escape stays as written, as the reference parsers do.
    if (character === '\\' && end + 1 < text.length) value += ESCAPES[text[++end]!] ?? `\\${text[end]}`;
    else value += character;
  }
  throw new LineSyntaxError('a quoted text is not closed');
}

function refuseDuplicates(labels: readonly [string, string][]): void {
  for (let index = 1; index < labels.length; index++) {
    const key = labels[index]![0];
    for (let before = 0; before < index; before++) {
      if (labels[before]![0] === key) throw new LineSyntaxError(`the label "${key}" stands twice`);
    }
  }
}

function readValue(cursor: Cursor): number {
  const text = readToken(cursor);
  const value = text === '' ? undefined : parseExpositionValue(text);
  if (value === undefined) throw new LineSyntaxError(text === '' ? 'it has no value' : `"${text.slice(0, 40)}" is not a number`);
  return value;
}

function readTimestamp(cursor: Cursor): number | undefined {
  if (cursor.at >= cursor.text.length || cursor.text[cursor.at] === '#') return undefined;
  const text = readToken(cursor);
  const timestamp = parseExpositionValue(text);
  if (timestamp === undefined || !Number.isFinite(timestamp)) throw new LineSyntaxError(`"${text.slice(0, 40)}" is not a timestamp`);
  return timestamp;
}

/** The next word; the cursor stands behind the blanks that follow it. */
function readToken(cursor: Cursor): string {
  skipBlanks(cursor);
  const start = cursor.at;
  for (let code = cursor.text.charCodeAt(cursor.at); code === code && code !== 32 && code !== 9; code = cursor.text.charCodeAt(cursor.at)) cursor.at++;
  const token = cursor.text.slice(start, cursor.at);
  skipBlanks(cursor);
  return token;
}

/** OpenMetrics: ` # {labels} value [timestamp]`. Its content is checked and left out. True when there is one. */
function readExemplar(cursor: Cursor): boolean {
  if (cursor.at >= cursor.text.length) return false;
  if (cursor.text[cursor.at] !== '#') throw new LineSyntaxError('something stands behind the value');
  cursor.at++;
  skipBlanks(cursor);
  if (cursor.text[cursor.at] !== '{') throw new LineSyntaxError('its exemplar has no labels');
  readLabels(cursor, [], false);
  const numbers = cursor.text.slice(cursor.at).trim().split(/[ \t]+/);
  if (numbers.length > 2 || numbers.some((text) => parseExpositionValue(text) === undefined)) throw new LineSyntaxError('its exemplar has no value');
  return true;
}
