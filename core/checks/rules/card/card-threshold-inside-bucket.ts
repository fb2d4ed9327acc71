import type { Rule } from '../../contract';
import { criteriaOf } from '../../criteria';
import { numberIn } from '../../threshold-number';

/** Upper bounds of vLLM's histograms in seconds, unchanged since 0.8.5 (vllm/v1/metrics/loggers.py). */
const REQUEST = [0.3, 0.5, 0.8, 1, 1.5, 2, 2.5, 5, 10, 15, 20, 30, 40, 50, 60, 120, 240, 480, 960, 1920, 7680];
const BOUNDS: Readonly<Record<string, readonly number[]>> = {
  'vllm.ttft': [0.001, 0.005, 0.01, 0.02, 0.04, 0.06, 0.08, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10, 20, 40, 80, 160, 640, 2560],
  'vllm.itl': [0.01, 0.025, 0.05, 0.075, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.75, 1, 2.5, 5, 7.5, 10, 20, 40, 80],
  'vllm.e2e': REQUEST,
  'vllm.queue': REQUEST,
  'vllm.inference': REQUEST,
  'vllm.prefill': REQUEST,
  'vllm.decode': REQUEST,
};

const show = (seconds: number | undefined): string => (seconds === undefined ? 'none' : seconds < 1 ? `${Number((seconds * 1000).toPrecision(6))} ms` : `${seconds} s`);

export const rule: Rule = {
  id: 'card-threshold-inside-bucket',
  title: 'Latency threshold inside a histogram bucket',
  severity: 'information',
  appliesTo: ['card'],
  docs: { why: 'The server counts latencies in buckets. A threshold between two bounds cannot be decided when the quantile falls into that bucket; on a bound it always can.', source: 'vLLM, vllm/v1/metrics/loggers.py' },
  check: ({ card, at }) =>
    criteriaOf(card).flatMap(({ criterion, path }) => {
      const bounds = BOUNDS[criterion.metric ?? ''];
      const value = numberIn(criterion, 's');
      if (!bounds || value === undefined || criterion.labels?.['stat'] === 'mean' || bounds.includes(value)) return [];
      const [below, above] = [bounds.findLast((bound) => bound < value), bounds.find((bound) => bound > value)];
      return [{ message: `${String(criterion.value)} lies inside a bucket of ${criterion.metric}; the nearest bounds are ${show(below)} and ${show(above)}.`, ...at([...path, 'value']) }];
    }),
};
