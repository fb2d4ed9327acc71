import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Bucket, type Histogram, histogramMeasurements, histogramProblem, quantile } from './histogram';
import { ScrapeSnapshot } from './scrape-snapshot';
import { BOUNDS, histogramLines, type HistogramOptions } from './testing';

function histogramsOf(lines: readonly string[]): Histogram[] {
  const snapshot = new ScrapeSnapshot();
  lines.forEach((text, index) => snapshot.line(text, index + 1));
  return [...snapshot.histograms.values()];
}

const of = (options: HistogramOptions): Histogram => histogramsOf(histogramLines('h', options))[0]!;
const buckets = (...pairs: [number, number][]): Bucket[] => pairs.map(([le, cumulative]) => ({ le, cumulative }));

describe('quantile', () => {
  const sample = buckets([0.1, 10], [0.5, 30], [2, 40], [Infinity, 50]);

  it.each<[number, object]>([
    [0.1, { value: 0.05, low: 0, high: 0.1, isSaturated: false }],
    [0.2, { value: 0.1, low: 0, high: 0.1, isSaturated: false }],
    [0.4, { value: 0.3, low: 0.1, high: 0.5, isSaturated: false }],
    [0.6, { value: 0.5, low: 0.1, high: 0.5, isSaturated: false }],
    [0.8, { value: 2, low: 0.5, high: 2, isSaturated: false }],
    [0.81, { value: 2, low: 2, high: Infinity, isSaturated: true }],
    [0.99, { value: 2, low: 2, high: Infinity, isSaturated: true }],
  ])('finds %f in the bucket that holds it', (q, expected) => {
    const point = quantile(q, sample)!;
    expect(point).toMatchObject({ ...expected, value: expect.closeTo((expected as { value: number }).value, 12) as number });
  });

  it('skips empty buckets', () => {
    expect(quantile(0.5, buckets([1, 0], [2, 0], [3, 4], [4, 4], [Infinity, 4]))).toEqual({ value: 2.5, low: 2, high: 3, isSaturated: false });
  });

  it('gives the bound of a first bucket that ends at or below 0, which has no lower end', () => {
    expect(quantile(0.5, buckets([0, 9], [1, 10], [Infinity, 10]))).toEqual({ value: 0, low: -Infinity, high: 0, isSaturated: false });
  });

  it.each([[buckets([1, 0], [Infinity, 0])], [buckets([Infinity, 5])], [[]]])('gives none for %j', (all) => {
    expect(quantile(0.5, all)).toBeUndefined();
  });

  it('holds the true quantile of any observations in its interval', () => {
    const observation = fc.double({ min: 0.001, max: 5, noNaN: true });
    fc.assert(fc.property(fc.array(observation, { minLength: 1, maxLength: 60 }), fc.constantFrom(0.5, 0.9, 0.95, 0.99), (values, q) => {
      const all = [...BOUNDS, Infinity].map((le) => ({ le, cumulative: values.filter((value) => value <= le).length }));
      const point = quantile(q, all)!;
      const exact = values.sort((a, b) => a - b)[Math.ceil(q * values.length) - 1]!;
      expect(exact > point.low && exact <= point.high).toBe(true);
      expect(point.value >= point.low && point.value <= point.high).toBe(true);
      expect(point.isSaturated).toBe(exact > BOUNDS.at(-1)!);
    }), { numRuns: 300 });
  });
});

describe('histogramMeasurements', () => {
  it('gives quantiles with their interval, the mean, and the number of observations', () => {
    expect(histogramMeasurements(of({ inside: [0, 50, 50, 0, 0], sum: 40 }), 'm', { unit: 's', labels: { a: 'b' } })).toEqual([
      { metric: 'm', value: 0.2, unit: 's', labels: { a: 'b', stat: 'p50' }, samples: 100, interval: { low: 0.05, high: 0.2 }, line: 2 },
      expect.objectContaining({ value: expect.closeTo(0.68, 12) as number, labels: { a: 'b', stat: 'p90' }, interval: { low: 0.2, high: 0.8 } }),
      expect.objectContaining({ value: expect.closeTo(0.74, 12) as number, labels: { a: 'b', stat: 'p95' } }),
      expect.objectContaining({ value: expect.closeTo(0.788, 12) as number, labels: { a: 'b', stat: 'p99' } }),
      { metric: 'm', value: 0.4, unit: 's', labels: { a: 'b', stat: 'mean' }, samples: 100, line: 2 },
    ]);
  });

  it('marks a quantile above the highest bound as a lower bound', () => {
    const found = histogramMeasurements(of({ inside: [0, 0, 10, 50, 40] }), 'm');
    expect(found.find(({ labels }) => labels?.['stat'] === 'p50')?.labels).toEqual({ stat: 'p50' });
    expect(found.find(({ labels }) => labels?.['stat'] === 'p90')).toMatchObject({ value: 3.2, labels: { stat: 'p90', bound: 'lower' }, interval: { low: 3.2 } });
  });

  it('scales values and intervals', () => {
    const [p50] = histogramMeasurements(of({ inside: [0, 10, 0, 0, 0] }), 'm', { scale: 0.001 });
    expect(p50).toMatchObject({ value: expect.closeTo(0.000_125, 12) as number, interval: { low: 0.000_05, high: 0.000_2 } });
  });

  it('gives nothing without observations, and no mean without a finite sum', () => {
    expect(histogramMeasurements(of({ inside: [0, 0, 0, 0, 0] }), 'm')).toEqual([]);
    expect(histogramMeasurements(of({ inside: [1, 0, 0, 0, 0], sum: 'NaN' }), 'm').map(({ labels }) => labels?.['stat'])).toEqual(['p50', 'p90', 'p95', 'p99']);
  });
});

describe('histogramProblem', () => {
  const lines = histogramLines('h', { inside: [1, 2, 3, 4, 5] });
  const problem = (change: (all: string[]) => string[]): string | undefined => histogramProblem(histogramsOf(change([...lines]))[0]!);
  const replace = (from: string, to: string) => (all: string[]): string[] => all.map((line) => line.replace(from, to));

  it('finds none in any order of the lines', () => {
    expect(problem((all) => all)).toBeUndefined();
    expect(problem((all) => all.reverse())).toBeUndefined();
    expect(problem((all) => [...all.slice(3), ...all.slice(0, 3)])).toBeUndefined();
  });

  it.each<[string, (all: string[]) => string[], RegExp]>([
    ['no +Inf bucket', (all) => all.filter((line) => !line.includes('+Inf')), /no \+Inf bucket/],
    ['no count', (all) => all.filter((line) => !line.includes('_count')), /no count/],
    ['a count of another number', replace('_count 15', '_count 16'), /counts 16 observations, but its \+Inf bucket 15/],
    ['buckets that go down', replace('le="0.8"} 6', 'le="0.8"} 2'), /do not grow/],
    ['a bucket that is NaN', replace('le="0.8"} 6', 'le="0.8"} NaN'), /no number/],
    ['a bucket below 0', replace('le="0.05"} 1', 'le="0.05"} -1'), /no number/],
    ['a bound that is no number', replace('le="0.8"', 'le="constructor"'), /no number/],
    ['a count that is infinite', replace('_count 15', '_count +Inf'), /counts Infinity/],
    ['only one bucket', (all) => all.filter((line) => !line.includes('_bucket') || line.includes('+Inf')), /only one bucket/],
  ])('finds %s', (_what, change, expected) => {
    expect(problem(change)).toMatch(expected);
  });
});

describe('HistogramCollector', () => {
  it('puts series together by their other labels, whatever their order', () => {
    const text = ['h_sum{a="1"} 3', 'h_bucket{le="1",a="1"} 2', 'h_bucket{a="2",le="1"} 5', 'h_bucket{a="1",le="+Inf"} 3', 'h_bucket{le="+Inf",a="2"} 6', 'h_count{a="2"} 6', 'h_count{a="1"} 3'];
    const found = histogramsOf(text).map(({ labels, buckets: { size }, count, sum, line }) => [Object.fromEntries(labels), size, count, sum, line]);
    expect(found).toEqual([[{ a: '1' }, 2, 3, 3, 1], [{ a: '2' }, 2, 6, undefined, 3]]);
  });

  it('reads gauge histograms of OpenMetrics', () => {
    expect(histogramsOf(['g_bucket{le="1"} 2', 'g_bucket{le="+Inf"} 3', 'g_gcount 3', 'g_gsum 2.5'])).toEqual([expect.objectContaining({ name: 'g', count: 3, sum: 2.5 })]);
  });

  it('reads buckets without the ending when there is a count, and takes them for gauges when there is none', () => {
    const text = ['t{le="100"} 4', 't{le="+Inf"} 5', 't_count 5', 't_sum 700'];
    expect(histogramsOf(text)).toEqual([expect.objectContaining({ name: 't', count: 5 })]);
    expect(histogramsOf(text.slice(0, 2))).toEqual([]);
  });

  it('takes no summary for a histogram', () => {
    expect(histogramsOf(['s{quantile="0.5"} 1', 's_sum 3', 's_count 2'])).toEqual([]);
  });
});
