import type { ProbeDefinition } from '../contract';
import { createNvidiaParser } from '../load/nvidia-profile';
import { LOAD_METRICS } from '../load/report';

const ID = 'aiperf';
const PARSER = `${ID}/1`;

export const probe: ProbeDefinition = {
  id: ID,
  parser: PARSER,
  title: 'Load test (AIPerf)',
  proves: 'Latency and throughput that clients of the model server saw under a load.',
  metrics: Object.values(LOAD_METRICS).filter(({ metric }) => metric !== LOAD_METRICS.incomplete.metric),
  createParser: (options) => createNvidiaParser({ id: ID, parser: PARSER }, 'AIPerf', options),
};
