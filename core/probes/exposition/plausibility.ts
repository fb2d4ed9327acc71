import type { GaugeFamily } from './families';
import { type Histogram, sortedBuckets } from './histogram';

/** Fewer observations than this may all be small by chance. */
const ENOUGH = 20;
const FIRST_BUCKET_SHARE = 0.95;
/** No model answers within a millisecond. */
const LOWEST_ANSWER_S = 0.001;
/** Sums and buckets of a busy server are read a moment apart. */
const SUM_SLACK = 0.02;

/**
 * Faults of released servers that look like very good numbers: every observation in the first bucket, times as long as the
 * server runs, negative times. Undefined for a histogram that may be right; otherwise one sentence.
 *
 * @param isAnswer the histogram measures whole answers or first tokens, which take at least a millisecond.
 * @param uptimeS seconds that the server has run, when that is known.
 */
export function implausibility(histogram: Histogram, isAnswer: boolean, uptimeS: number | undefined): string | undefined {
  const { name, sum } = histogram;
  const count = histogram.count ?? 0;
  if (count <= 0) return undefined;
  const first = sortedBuckets(histogram)[0]!;
  if (isAnswer && count >= ENOUGH && first.le <= LOWEST_ANSWER_S && first.cumulative > FIRST_BUCKET_SHARE * count) {
    return `${first.cumulative} of ${count} observations of ${name} lie in the first bucket (at most ${first.le} s), which is a fault of the server and not a latency.`;
  }
  if (sum === undefined) return undefined;
  const mean = sum / count;
  if (sum < 0) return `The sum of ${name} is negative (${sum} s).`;
  if (isAnswer && mean < LOWEST_ANSWER_S) return `The mean of ${name} is ${mean} s, which no model reaches.`;
  if (uptimeS !== undefined && mean > uptimeS) return `The mean of ${name} is ${mean.toFixed(0)} s, longer than the server runs.`;
  return outsideBuckets(histogram, sum);
}

/** A share above 1 or a negative number of requests. Undefined for a gauge that may be right; otherwise one sentence. */
export function gaugeProblem({ title, combine }: GaugeFamily, value: number): string | undefined {
  if (value < 0) return `${title}: the server gives ${value}, which is less than nothing.`;
  return combine === 'max' && value > 1 ? `${title}: the server gives ${value}, which is no share.` : undefined;
}

/** The sum must lie between the lower and the upper bounds of the observations' buckets. */
function outsideBuckets(histogram: Histogram, sum: number): string | undefined {
  let [least, most, below, previous] = [0, 0, 0, 0];
  for (const { le, cumulative } of sortedBuckets(histogram)) {
    const inside = cumulative - previous;
    least += inside * below;
    most += inside === 0 ? 0 : inside * le;
    [below, previous] = [le, cumulative];
  }
  if (sum >= least * (1 - SUM_SLACK) && sum <= most * (1 + SUM_SLACK)) return undefined;
  return `The sum of ${histogram.name} (${sum} s) does not fit its buckets (${least.toPrecision(4)} to ${most.toPrecision(4)} s).`;
}
