import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pythonJson } from './testing/bench';
import { JsonRecord, type JsonValue, readJsonDocuments } from './tolerant-json';

/** The reading as plain values, to compare with JSON.parse. */
function plain(value: JsonValue): unknown {
  if (Array.isArray(value)) return value.map(plain);
  return value instanceof JsonRecord ? Object.fromEntries(value.keys().map((key) => [key, plain(value.get(key)!)])) : value;
}

const read = (text: string): { documents: unknown[]; message: string | undefined } => {
  const { documents, problem } = readJsonDocuments(text);
  return { documents: documents.map(plain), message: problem?.message };
};
const first = (text: string): JsonRecord => readJsonDocuments(text).documents[0] as JsonRecord;

/** Objects of any JSON values; -0 has no text of its own in JSON. */
const object = fc.dictionary(fc.string(), fc.jsonValue(), { noNullPrototype: true }).map((value) => JSON.parse(JSON.stringify(value)) as Record<string, unknown>);

describe('tolerant JSON: valid documents', () => {
  it('reads what JSON.parse reads, however it is indented', () => {
    fc.assert(
      fc.property(object, fc.constantFrom(undefined, 1, 4, '\t'), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        expect(read(text)).toEqual({ documents: [JSON.parse(text)], message: undefined });
      }),
      { numRuns: 150 },
    );
  });

  it('reads each of several documents, in one line or behind each other', () => {
    fc.assert(
      fc.property(fc.array(object, { maxLength: 4 }), fc.constantFrom('', ' ', '\n', '\r\n'), (values, between) => {
        expect(read(values.map((value) => JSON.stringify(value)).join(between))).toEqual({ documents: values, message: undefined });
      }),
      { numRuns: 100 },
    );
  });

  it('never takes a cut document for a whole one', () => {
    fc.assert(
      fc.property(object, fc.nat(), (value, at) => {
        const text = JSON.stringify(value);
        const { documents, message } = read(text.slice(0, 1 + (at % (text.length - 1))));
        expect(documents).toEqual([]);
        expect(message).toBeDefined();
      }),
      { numRuns: 200 },
    );
  });

  it('knows the line of each member', () => {
    const record = first(JSON.stringify({ a: 1, b: { c: [1, 2] }, d: 'x' }, null, 2));
    expect([record.line('a'), record.line('b'), record.record('b')?.line('c'), record.line('d'), record.line('e')]).toEqual([2, 3, 4, 9, undefined]);
    expect((readJsonDocuments('{"a":\n1}\n{"b":2}', 10).documents[1] as JsonRecord).line('b')).toBe(12);
  });

  it('decodes escapes', () => {
    expect(read(String.raw`{"\u00e9\n": "\"\\\/\ud83d\ude00"}`).documents).toEqual([{ 'é\n': '"\\/😀' }]);
  });
});

describe('tolerant JSON: what Python writes', () => {
  it('reads NaN and infinities as numbers that give no value', () => {
    const record = first(pythonJson({ a: NaN, b: Infinity, c: -Infinity, d: 2 }));
    expect(record.keys().map((key) => record.number(key))).toEqual([undefined, undefined, undefined, 2]);
    expect([record.get('b'), record.get('c')]).toEqual([Infinity, -Infinity]);
  });

  it('reads a number that is written as text, and nothing else as a number', () => {
    const record = first('{"a": "550", "b": "inf", "c": null, "d": true, "e": "", "f": "12abc", "g": [1], "h": 1e999, "i": {}}');
    expect(record.keys().map((key) => record.number(key))).toEqual([550, ...Array.from({ length: 8 }, () => undefined)]);
  });

  it('gives no value for a key that stands twice with different values', () => {
    const reading = readJsonDocuments('{"a": 1,\n"b": {"x": [1, 2]},\n"a": 2, "b": {"x": [1, 2]}, "a": 2}');
    const record = reading.documents[0] as JsonRecord;
    expect(reading.ambiguous).toEqual([{ key: 'a', line: 3 }, { key: 'a', line: 3 }]);
    expect([record.has('a'), record.get('a'), record.number('a'), record.records('a')]).toEqual([true, undefined, undefined, []]);
    expect(record.record('b')?.get('x')).toEqual([1, 2]);
  });

  it('is not led astray by names of the language itself', () => {
    const record = first('{"__proto__": {"completed": 5}, "constructor": 1}');
    expect([record.keys(), record.has('completed'), record.record('__proto__')?.number('completed')]).toEqual([['__proto__', 'constructor'], false, 5]);
  });
});

describe('tolerant JSON: what is no JSON', () => {
  it('returns the lines between the documents', () => {
    const reading = readJsonDocuments('INFO start\n{"a": 1} done\n[rank0]: all requests failed\n[1,0]<stdout>: x\n[2026-11-30 10:00] y\n\n[{"b": 2}]\nKilled', 5);
    expect(reading.documents.map(plain)).toEqual([{ a: 1 }, [{ b: 2 }]]);
    expect(reading.problem).toBeUndefined();
    expect(reading.others).toEqual([
      { text: 'INFO start', line: 5 },
      { text: 'done', line: 6 },
      { text: '[rank0]: all requests failed', line: 7 },
      { text: '[1,0]<stdout>: x', line: 8 },
      { text: '[2026-11-30 10:00] y', line: 9 },
      { text: 'Killed', line: 12 },
    ]);
  });

  it.each([
    ['{"a": 1,\n"b" 2}', /damaged.*colon/, 2],
    ["{'a': 1}", /damaged.*key/, 1],
    ['{"a": 1 "b": 2}', /damaged.*comma/, 1],
    ['{"a": oops}', /damaged.*value/, 1],
    ['{"a": "\\u12x4"}', /damaged.*escape/, 1],
    ['{"a": 1,}', /damaged.*key/, 1],
    ['{"a": [1,\n2,\n', /cut/, 3],
    ['{"a": 12', /cut/, 1],
    ['{"a": Na', /cut/, 1],
    ['{"a": "x', /cut/, 1],
    ['[{"a": 1}', /cut/, 1],
  ])('says where %j ends being JSON', (text, message, line) => {
    const { documents, problem } = readJsonDocuments(text);
    expect(documents).toEqual([]);
    expect(problem).toEqual({ message: expect.stringMatching(message) as string, line });
  });

  it('keeps the documents before the damaged one', () => {
    expect(read('{"a": 1}\n{"b": \n')).toMatchObject({ documents: [{ a: 1 }], message: expect.stringContaining('cut') as string });
  });

  it('does not throw on any text', () => {
    fc.assert(fc.property(fc.array(fc.constantFrom('{', '}', '[', ']', '"', ',', ':', '\\', 'u', '1', '-', '.', 'e', 'NaN', 'true', ' ', '\n', 'a'), { maxLength: 40 }), (parts) => readJsonDocuments(parts.join('')).documents.length >= 0), { numRuns: 500 });
  });

  it.each(['[{"a":', '{"a":', '{"a":['])('refuses a bomb of %j', (piece) => {
    expect(read(piece.repeat(200_000)).message).toMatch(/nested too deeply/);
  });

  it('reads up to a hundred levels', () => {
    const nested = (depth: number): string => '{"a":'.repeat(depth) + '1' + '}'.repeat(depth);
    expect(read(nested(100)).message).toBeUndefined();
    expect(read(nested(101)).message).toMatch(/nested too deeply/);
  });

  it('reads a large document in a time that grows with its length', () => {
    const text = JSON.stringify({ rows: Array.from({ length: 20_000 }, (_, index) => ({ index, text: 'a "quoted" answer' })) }, null, 1);
    const started = performance.now();
    expect(first(text).records('rows')).toHaveLength(20_000);
    expect(performance.now() - started).toBeLessThan(5000);
  });
});
