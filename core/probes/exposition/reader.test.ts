import { describe, expect, it } from 'vitest';
import { ExpositionReader, type LineProblem, seriesKey } from './reader';
import { ScrapeSnapshot } from './scrape-snapshot';

function read(...lines: string[]): ScrapeSnapshot {
  const snapshot = new ScrapeSnapshot();
  lines.forEach((text, index) => snapshot.line(text, index + 1));
  snapshot.end();
  return snapshot;
}

const problems = (...lines: string[]): LineProblem[] => read(...lines).reader.problems;
const found = (...lines: string[]): [string, number][] => problems(...lines).map(({ code, line }) => [code, line]);

describe('ExpositionReader', () => {
  it('reads the lines around a line with an error, and names that line', () => {
    const snapshot = read('# a scrape', 'up 1', 'up{ 2', '', 'down 3 4 5', 'left 6');
    expect([...snapshot.series.values()]).toEqual([
      { name: 'up', labels: [], value: 1, line: 2 },
      { name: 'left', labels: [], value: 6, line: 6 },
    ]);
    expect(snapshot.reader.problems).toEqual([
      { code: 'exposition.syntax', message: 'Line 3 is no sample (the label "" has no value): up{ 2', line: 3 },
      { code: 'exposition.syntax', message: 'Line 5 is no sample (something stands behind the value): down 3 4 5', line: 5 },
    ]);
  });

  it('keeps declared families apart from sampled ones', () => {
    const snapshot = read('# HELP a_total Things, "quoted" \\\\ and \\n.', '# TYPE a_total counter', '#TYPE b gauge', '# TYPE "gpu.temp" gauge', '# plain comment', '#');
    expect(snapshot.reader.types).toEqual(new Map([['a_total', 'counter'], ['gpu.temp', 'gauge']]));
    expect(snapshot.reader).toMatchObject({ sampleCount: 0, problems: [], isEmpty: true });
  });

  it.each<[string, string[], [string, number][]]>([
    ['a type that is none', ['# TYPE a gadget', 'a 1'], [['exposition.syntax', 1]]],
    ['a type that is missing', ['# TYPE a', 'a 1'], [['exposition.syntax', 1]]],
    ['two types of a family', ['# TYPE a gauge', '# TYPE a counter', 'a 1'], [['exposition.type-conflict', 2]]],
    ['the same type twice', ['# TYPE a gauge', 'a{x="1"} 1', '# TYPE a gauge', 'a{x="2"} 1'], []],
    ['a series twice', ['a{x="1",y="2"} 1', 'a{y="2",x="1"} 1'], [['exposition.duplicate-series', 2]]],
    ['series that differ in a label', ['a{x="1"} 1', 'a{x="2"} 1', 'a 1', 'a{y="1"} 1'], []],
    ['a bucket twice', ['a_bucket{le="1"} 1', 'a_bucket{le="+Inf"} 2', 'a_bucket{le="1.0"} 3'], [['exposition.duplicate-series', 3]]],
    ['text behind the end mark', ['a 1', '# EOF', 'b 2'], [['exposition.after-end', 3]]],
    ['blank lines behind the end mark', ['a 1', '# EOF', '', '  '], []],
  ])('judges %s', (_what, lines, expected) => {
    expect(found(...lines)).toEqual(expected);
  });

  it('takes the first value of a series that stands twice', () => {
    expect([...read('a 1', 'a 2').series.values()].map(({ value }) => value)).toEqual([1]);
  });

  it.each<[string, string]>([
    ['a unit', '# UNIT a_seconds seconds'],
    ['an exemplar', 'a_bucket{le="+Inf"} 3 # {trace="9"} 0.4'],
    ['a type of its own', '# TYPE a info'],
  ])('knows OpenMetrics by %s, where a missing end mark is a cut', (_what, line) => {
    expect(found('up 1', line)).toEqual([['exposition.no-end', 2]]);
    expect(found('up 1', line, '# EOF')).toEqual([]);
  });

  it('asks for no end mark in the Prometheus format', () => {
    expect(found('# TYPE a counter', 'a 1 1780000000000')).toEqual([]);
  });

  it.each(['<!DOCTYPE html>', '{"detail":"Not Found"}', '{', '[{"a":1}]', '<html><body>', '{"object": "list", "data": []}'])('calls an answer that begins with %j no metrics, once', (first) => {
    const all = problems('', first, '  "name": "x",', '<p>Log in</p>', '}');
    expect(all).toEqual([expect.objectContaining({ code: 'exposition.not-metrics', line: 2 })]);
    expect(all[0]!.message).toContain(`begins with: ${first}. Check port and path`);
  });

  it('shows no more than 80 characters of such an answer', () => {
    expect(problems(`<${'x'.repeat(500)}>`)[0]!.message).toContain(`with: <${'x'.repeat(79)}. `);
  });

  it('still counts errors of lines as such when the text began with a sample', () => {
    expect(found('up 1', '<html>')).toEqual([['exposition.syntax', 2]]);
  });

  it('lists a bounded number of errors', () => {
    expect(problems(...Array.from({ length: 5_000 }, (_, index) => `bad line ${index}`))).toHaveLength(20);
  });

  it('holds a bounded number of series and families', () => {
    let taken = 0;
    const reader = new ExpositionReader(() => ++taken > 0);
    for (let line = 1; line <= 500_001; line++) reader.line('a 1', line);
    expect(taken).toBe(500_000);
    expect(reader.problems).toEqual([expect.objectContaining({ code: 'exposition.too-many-series', line: 500_001 })]);
    const families = new ExpositionReader(() => true);
    for (let line = 1; line <= 100_001; line++) families.line(`# TYPE a${line} gauge`, line);
    expect(families.problems).toEqual([expect.objectContaining({ code: 'exposition.too-many-families', line: 100_001 })]);
  });
});

describe('seriesKey', () => {
  it('is the same in any order of labels and another for other labels', () => {
    expect(seriesKey('a', [['x', '1'], ['y', '2'], ['z', '3']])).toBe(seriesKey('a', [['z', '3'], ['x', '1'], ['y', '2']]));
    const others = [seriesKey('a', []), seriesKey('a', [['x', 'y=1']]), seriesKey('a', [['x', ''], ['y', '1']]), seriesKey('a', [['x', '1'], ['y', '']]), seriesKey('ax', [['y', '1']])];
    expect(new Set(others).size).toBe(others.length);
  });
});
