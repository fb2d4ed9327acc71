export interface Point {
  x: number;
  y: number;
}

/** Smallest and largest value of each of `buckets` groups, in order of x: a short spike stays visible. */
export function downSample(points: readonly Point[], buckets: number): Point[] {
  if (points.length <= buckets * 2) return [...points];
  const size = points.length / buckets;
  const kept: Point[] = [];
  for (let bucket = 0; bucket < buckets; bucket++) {
    const group = points.slice(Math.floor(bucket * size), Math.floor((bucket + 1) * size));
    if (group.length === 0) continue;
    const low = group.reduce((a, b) => (b.y < a.y ? b : a));
    const high = group.reduce((a, b) => (b.y > a.y ? b : a));
    kept.push(...(low === high ? [low] : low.x <= high.x ? [low, high] : [high, low]));
  }
  return kept;
}

export interface Statistics {
  min: number;
  median: number;
  max: number;
  last: number;
}

/** Undefined without a point. `last` is the value at the largest x of points that are in order. */
export function statisticsOf(points: readonly Point[]): Statistics | undefined {
  const last = points.at(-1);
  if (!last) return undefined;
  const sorted = points.map(({ y }) => y).sort((a, b) => a - b);
  const middle = sorted.length / 2;
  const median = sorted.length % 2 === 1 ? sorted[Math.floor(middle)]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
  return { min: sorted[0]!, median, max: sorted.at(-1)!, last: last.y };
}

/** The point nearest to `x` in points that are in order; undefined without one. */
export function nearest(points: readonly Point[], x: number): Point | undefined {
  let low = 0;
  let high = points.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (points[middle]!.x < x) low = middle + 1;
    else high = middle;
  }
  const [before, after] = [points[low - 1], points[low]];
  return before && after && x - before.x < after.x - x ? before : after;
}

/** A pause longer than this many usual steps is a hole, not a slope. */
const HOLE_STEPS = 5;

/** Puts a break (`y` is NaN) into each hole, so that no line is drawn over time in which nothing was measured. */
export function withBreaks(points: readonly Point[]): Point[] {
  const steps = points.slice(1).map(({ x }, index) => x - points[index]!.x).filter((step) => step > 0).sort((a, b) => a - b);
  const hole = (steps[Math.floor(steps.length / 2)] ?? Infinity) * HOLE_STEPS;
  return points.flatMap((point, index) => {
    const before = points[index - 1];
    return before && point.x - before.x > hole ? [{ x: (before.x + point.x) / 2, y: NaN }, point] : [point];
  });
}
