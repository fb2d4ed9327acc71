import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseSample, type Sample } from './sample';
import { parseExpositionValue } from './value';

const read = (text: string): [string, Record<string, string>, number] => {
  const sample = parseSample(text) as Sample;
  return [sample.name, Object.fromEntries(sample.labels), sample.value];
};

describe('parseSample', () => {
  it.each<[string, string, [string, Record<string, string>, number]]>([
    ['a bare name', 'up 1', ['up', {}, 1]],
    ['a colon and an underscore in the name', '_job:rate5m 0.5', ['_job:rate5m', {}, 0.5]],
    ['empty braces', 'up{} 1', ['up', {}, 1]],
    ['blanks between all tokens', ' up \t{ a = "x" ,\tb= "y" }\t 1 ', ['up', { a: 'x', b: 'y' }, 1]],
    ['a comma behind the last label', 'up{a="x",} 1', ['up', { a: 'x' }, 1]],
    ['an empty label value', 'up{a=""} 1', ['up', { a: '' }, 1]],
    ['all escapes', String.raw`up{a="q\"b\\n\n"} 1`, ['up', { a: 'q"b\\n\n' }, 1]],
    ['an unknown escape as written', String.raw`up{a="\d"} 1`, ['up', { a: String.raw`\d` }, 1]],
    ['an escaped backslash at the end of a value', String.raw`up{a="C:\\"} 1`, ['up', { a: 'C:\\' }, 1]],
    ['braces, commas, equals signs and hashes in a value', `up{a="{'m': 'x', y=1} # z"} 1`, ['up', { a: "{'m': 'x', y=1} # z" }, 1]],
    ['a UTF-8 name in the braces', '{"gpu.Wärme","raum.名"="北"} 41.5', ['gpu.Wärme', { 'raum.名': '北' }, 41.5]],
    ['a UTF-8 name behind its labels', '{a="x","gpu.temp"} 1', ['gpu.temp', { a: 'x' }, 1]],
    ['a quoted label name behind a bare name', 'up{"a b"="x"} 1', ['up', { 'a b': 'x' }, 1]],
    ['a label that is called like a property of objects', 'up{constructor="x",__proto__="y"} 1', ['up', Object.fromEntries([['constructor', 'x'], ['__proto__', 'y']]), 1]],
  ])('reads %s', (_what, text, expected) => {
    expect(read(text)).toEqual(expected);
  });

  it.each<[string, string]>([
    ['up', 'it has no value'],
    ['up{a="x"}', 'it has no value'],
    ['up abc', '"abc" is not a number'],
    ['up constructor', '"constructor" is not a number'],
    ['up __proto__', '"__proto__" is not a number'],
    ['up 1 2 3', 'something stands behind the value'],
    ['up 1 soon', '"soon" is not a timestamp'],
    ['up 1 NaN', '"NaN" is not a timestamp'],
    ['up{a} 1', 'the label "a" has no value'],
    ['up{"gpu.temp"} 1', 'the label "gpu.temp" has no value'],
    ['{"a","b"} 1', 'the label "b" has no value'],
    ['up{a=x} 1', 'the value of the label "a" is not in quotes'],
    ['up{="x"} 1', 'a label has no name'],
    ['up{a="x" 1', 'its labels are not closed'],
    ['up{a="x"b="y"} 1', 'its labels are not closed'],
    ['up{a="x', 'a quoted text is not closed'],
    [String.raw`up{a="x\"} 1`, 'a quoted text is not closed'],
    ['up{a="x",b="y",a="z"} 1', 'the label "a" stands twice'],
    ['{a="x"} 1', 'it does not start with a metric name'],
    ['{""} 1', 'it does not start with a metric name'],
    ['7up 1', 'it does not start with a metric name'],
    ['-', 'it does not start with a metric name'],
    ['up 1 # {a="x"}', 'its exemplar has no value'],
    ['up 1 # {a="x"} y', 'its exemplar has no value'],
    ['up 1 # {a="x"} 1 2 3', 'its exemplar has no value'],
    ['up 1 # x', 'its exemplar has no labels'],
  ])('says what is wrong with %j', (text, problem) => {
    expect(parseSample(text)).toEqual({ problem });
  });

  it('keeps a timestamp as written and says whether there is an exemplar', () => {
    expect(parseSample('up 1 1780000000123')).toMatchObject({ value: 1, timestamp: 1_780_000_000_123, hasExemplar: false });
    expect(parseSample('up 1 1780000000.5 # {trace="t#1"} 0.2 1780000000.1')).toMatchObject({ value: 1, timestamp: 1_780_000_000.5, hasExemplar: true });
    expect(parseSample('up 1 # {} 3')).toMatchObject({ value: 1, timestamp: undefined, hasExemplar: true });
  });

  it('reads back whatever labels and value were written', () => {
    const escape = (text: string): string => text.replace(/\\/g, '\\\\').replace(/"/g, '\\"').replace(/\n/g, '\\n');
    const labels = fc.uniqueArray(fc.tuple(fc.string({ unit: 'grapheme', minLength: 1 }), fc.string({ unit: 'grapheme' })), { selector: ([name]) => name });
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), labels, fc.double(), (name, pairs, value) => {
        const inside = [`"${escape(name)}"`, ...pairs.map(([key, text]) => `"${escape(key)}"="${escape(text)}"`)].join(',');
        const sample = parseSample(`{${inside}} ${value === -Infinity ? '-Inf' : Object.is(value, -0) ? '-0' : value}`) as Sample;
        expect([sample.name, sample.labels, sample.value]).toEqual([name, pairs, value]);
      }),
      { numRuns: 200 },
    );
  });

  it('never throws', () => {
    fc.assert(fc.property(fc.string({ unit: fc.constantFrom(...'ab1{}",=\\ #\t\n:.-é') }), (text) => {
      expect(Object.keys(parseSample(text)).sort().join()).toMatch(/^(?:problem|hasExemplar,labels,name,timestamp,value)$/);
    }), { numRuns: 500 });
  });
});

describe('parseExpositionValue', () => {
  it.each<[string, number]>([
    ['0', 0], ['-0.25', -0.25], ['+7', 7], ['7.', 7], ['.5', 0.5], ['1e3', 1000], ['1.0322907136e+011', 103_229_071_360], ['5E-002', 0.05],
    ['NaN', NaN], ['nan', NaN], ['-nan', NaN], ['Inf', Infinity], ['+Inf', Infinity], ['-inf', -Infinity], ['Infinity', Infinity], ['-INFINITY', -Infinity],
    ['0x1p-2', 0.25], ['-0X1.8P1', -3], ['0x.8p0', 0.5],
  ])('reads %s', (text, value) => {
    expect(parseExpositionValue(text)).toBe(value);
  });

  it.each(['', '-', '.', 'e3', '1e', '1_000', '1,5', '0x10', '0xp1', '++1', 'infinite', 'none', 'null', 'true', '12abc', 'constructor', '-constructor'])('does not take %j for a number', (text) => {
    expect(parseExpositionValue(text)).toBeUndefined();
  });
});
