import type { ProbeDefinition } from '../contract';
import { LOAD_METRICS } from '../load/report';
import { MlperfParser } from './parser';

const ID = 'mlperf-log';
const PARSER = `${ID}/1`;

export const probe: ProbeDefinition = {
  id: ID,
  parser: PARSER,
  title: 'MLPerf Inference result (LoadGen summary)',
  proves: 'That a run of the MLPerf load generator met its own rules, with its latencies and throughput.',
  metrics: [
    { metric: 'mlperf.result', title: 'Result of the load generator: VALID or INVALID', valueType: 'text' },
    LOAD_METRICS.ttft,
    LOAD_METRICS.tpot,
    LOAD_METRICS.e2e,
    LOAD_METRICS.requestThroughput,
    LOAD_METRICS.outputThroughput,
  ],
  createParser: (options) => new MlperfParser({ id: ID, parser: PARSER }, options),
};
