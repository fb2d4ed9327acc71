import type { ProbeDefinition } from '../contract';
import { LoadParser } from '../load/load-parser';
import { LOAD_METRICS } from '../load/report';
import { readLifecycleMetrics } from './lifecycle';

const ID = 'inference-perf';
const PARSER = `${ID}/1`;

export const probe: ProbeDefinition = {
  id: ID,
  parser: PARSER,
  title: 'Load test (inference-perf)',
  proves: 'Latency and throughput that clients of the model server saw under a load.',
  metrics: [LOAD_METRICS.ttft, LOAD_METRICS.tpot, LOAD_METRICS.itl, LOAD_METRICS.e2e, LOAD_METRICS.requestThroughput, LOAD_METRICS.outputThroughput, LOAD_METRICS.completed, LOAD_METRICS.failed, LOAD_METRICS.failedShare],
  createParser: (options) =>
    new LoadParser(
      { id: ID, parser: PARSER },
      {
        readJson: readLifecycleMetrics,
        expected: 'summary_lifecycle_metrics.json or stage_N_lifecycle_metrics.json of inference-perf',
        formulas: {
          'formula.tpot': 'TPOT: time_per_output_token, (e2e − TTFT) ÷ (output tokens − 1); its normalized_time_per_output_token divides the whole latency and is not used',
          'formula.itl': 'ITL: inter_token_latency, gap between two chunks',
        },
      },
      options,
    ),
};
