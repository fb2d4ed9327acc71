import type { Rule } from '../../contract';
import { criteriaOf } from '../../criteria';

const PERFORMANCE = /^(vllm|sglang|load|nccl|torch|mlperf|checkpoint)\./;
const THROUGHPUT = /(throughput|tokens_per_second|generation_tokens)/;

export const rule: Rule = {
  id: 'card-throughput-alone',
  title: 'One throughput as the only performance criterion',
  severity: 'warning',
  appliesTo: ['card'],
  docs: { why: 'One aggregate "tokens per second" hides queueing, slow first tokens and a bad tail: it is no answer to whether users wait.' },
  check: ({ card, at }) => {
    const performance = criteriaOf(card).filter(({ criterion }) => PERFORMANCE.test(criterion.metric ?? ''));
    if (performance.length === 0 || !performance.every(({ criterion }) => THROUGHPUT.test(criterion.metric!))) return [];
    return [{ message: 'Throughput is the only performance that this card judges; add latency by phase with percentiles.', ...at([...performance[0]!.path, 'metric']) }];
  },
};
