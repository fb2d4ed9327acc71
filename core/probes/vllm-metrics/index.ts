import type { ProbeDefinition } from '../contract';
import { VLLM } from '../exposition/families';
import { planScrapes } from '../exposition/scrape-plan';
import { ServerParser } from '../exposition/server-parser';
import { serverMetrics } from '../exposition/server-report';

const ID = 'vllm-metrics';
const PARSER = `${ID}/3`;

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
