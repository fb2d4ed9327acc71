import { describe, expect, it } from 'vitest';
import { downSample, nearest, type Point, statisticsOf, withBreaks } from './series';

const line = (...ys: number[]): Point[] => ys.map((y, x) => ({ x, y }));

describe('down-sampling', () => {
  it('keeps a spike of one sample, and the order of x', () => {
    const points = Array.from({ length: 10_000 }, (_, x) => ({ x, y: x === 7_321 ? 900 : 10 }));
    const kept = downSample(points, 100);
    expect(kept.length).toBeLessThanOrEqual(200);
    expect(kept.find(({ y }) => y === 900)).toEqual({ x: 7_321, y: 900 });
    expect(kept.map(({ x }) => x)).toEqual(kept.map(({ x }) => x).sort((a, b) => a - b));
  });
  it('leaves a short series as it is', () => {
    expect(downSample(line(1, 2, 3), 10)).toEqual(line(1, 2, 3));
  });
});

describe('statistics', () => {
  it('takes the middle of an even number of values, and the last in order', () => {
    expect(statisticsOf(line(4, 1, 3, 2))).toEqual({ min: 1, median: 2.5, max: 4, last: 2 });
    expect(statisticsOf(line(5, 1, 9))).toEqual({ min: 1, median: 5, max: 9, last: 9 });
  });
  it('has none without a value: nothing is never 0', () => {
    expect(statisticsOf([])).toBeUndefined();
  });
});

describe('the nearest point', () => {
  it('is found from both sides and beyond the ends', () => {
    const points = [{ x: 0, y: 0 }, { x: 10, y: 1 }, { x: 20, y: 2 }];
    expect([-5, 4, 6, 14.9, 15.1, 99].map((x) => nearest(points, x)?.y)).toEqual([0, 0, 1, 1, 2, 2]);
    expect(nearest([], 3)).toBeUndefined();
  });
});

describe('holes', () => {
  it('break the line where nothing was measured, and only there', () => {
    const points = [0, 1, 2, 30, 31].map((x) => ({ x, y: 1 }));
    const broken = withBreaks(points);
    expect(broken.filter(({ y }) => Number.isNaN(y)).map(({ x }) => x)).toEqual([16]);
    expect(withBreaks(line(1, 2, 3))).toEqual(line(1, 2, 3));
    expect(withBreaks([])).toEqual([]);
  });
});
