import type { ProbeDefinition } from '../contract';
import { VLLM } from '../exposition/families';
import { planScrapes, serverMetrics, ServerParser } from '../exposition/server-parser';

const ID = 'vllm-metrics';
const PARSER = `${ID}/1`;

export const probe: ProbeDefinition = {
  id: ID,
  parser: PARSER,
  title: 'vLLM production metrics',
  proves: 'Latency by phase, preemptions and cache use of a running vLLM server, in the window of the scrapes.',
  metrics: serverMetrics(VLLM),
  isMonitor: true,
  createParser: (options) => new ServerParser({ id: ID, parser: PARSER }, VLLM, options),
  plan: (parameters) => planScrapes(parameters),
};
