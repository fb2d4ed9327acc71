import type { ProbeDefinition } from '../contract';
import { SGLANG } from '../exposition/families';
import { planScrapes } from '../exposition/scrape-plan';
import { ServerParser } from '../exposition/server-parser';
import { serverMetrics } from '../exposition/server-report';

const ID = 'sglang-metrics';
const PARSER = `${ID}/3`;
const SGLANG_PORT = 30_000;

export const probe: ProbeDefinition = {
  id: ID,
  parser: PARSER,
  title: 'SGLang production metrics',
  proves: 'Latency by phase and cache use of a running SGLang server, in the window of the scrapes.',
  metrics: serverMetrics(SGLANG),
  isMonitor: true,
  createParser: (options) => new ServerParser({ id: ID, parser: PARSER }, SGLANG, options),
  plan: (parameters) => planScrapes(parameters, SGLANG_PORT),
};
