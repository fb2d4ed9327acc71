import type { ProbeDefinition } from '../contract';
import { OTHER_SERVERS } from '../exposition/families';
import { planScrapes } from '../exposition/scrape-plan';
import { PrometheusParser } from './parser';

const ID = 'prometheus';
const PARSER = `${ID}/3`;
const DEFAULT_PORT = 9090;

export const probe: ProbeDefinition = {
  id: ID,
  parser: PARSER,
  title: 'Prometheus metrics',
  proves: 'Whatever a metrics address gives, series by series.',
  metrics: [
    { metric: 'prom.*', title: 'A series, or a statistic of a histogram', valueType: 'number' },
    ...OTHER_SERVERS.map(({ server, title }) => ({ metric: `${server}.*`, title: `Latencies and load of ${title}`, valueType: 'number' as const })),
  ],
  isMonitor: true,
  createParser: (options) => new PrometheusParser({ id: ID, parser: PARSER }, options),
  plan: (parameters) => planScrapes(parameters, DEFAULT_PORT),
};
