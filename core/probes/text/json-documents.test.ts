import { describe, expect, it } from 'vitest';
import { asObject, type JsonDocument, JsonDocuments } from './json-documents';

function read(text: string, firstLine = 1): JsonDocuments {
  const documents = new JsonDocuments();
  text.split('\n').forEach((line, index) => documents.line(line, firstLine + index));
  return documents;
}

const partOf = ({ value }: JsonDocument, ...keys: string[]): unknown => keys.reduce((part: unknown, key) => (Array.isArray(part) ? part[Number(key)] : asObject(part)?.[key]), value);

describe('JsonDocuments', () => {
  const TEXT = ['noise', '{ "a": [', '  { "b": "{[" },', '  { "b": { "c": 1 } }', '], "d": {}', '}', 'more { "e": 2 }'].join('\n');

  it('finds objects between other text', () => {
    const { documents, isCut } = read(TEXT, 11);
    expect(documents.map(({ value, line }) => [value, line])).toEqual([[{ a: [{ b: '{[' }, { b: { c: 1 } }], d: {} }, 12], [{ e: 2 }, 17]]);
    expect(isCut).toBe(false);
  });

  it('knows the line of each object and list', () => {
    const document = read(TEXT).documents[0]!;
    const { lineOf } = document;
    expect([lineOf(document.value), lineOf(partOf(document, 'a')), lineOf(partOf(document, 'a', '0')), lineOf(partOf(document, 'a', '1', 'b')), lineOf(partOf(document, 'd'))]).toEqual([2, 2, 3, 4, 5]);
    expect([lineOf(partOf(document, 'a', '0', 'b')), lineOf(undefined)]).toEqual([2, 2]);
  });

  it.each([
    ['keys that repeat', '{\n"a": {},\n"a": {}\n}'],
    ['keys that come out in another order', '{\n"b": {},\n"1": {}\n}'],
  ])('gives the first line where %s make it a guess', (_name, text) => {
    const document = read(text).documents[0]!;
    expect(Object.values(document.value as object).map(document.lineOf)).toEqual(Object.values(document.value as object).map(() => 1));
  });

  it('leaves out an object that does not close', () => {
    const cut = read('{ "a": [ {');
    expect([cut.documents, cut.isCut]).toEqual([[], true]);
  });
});
