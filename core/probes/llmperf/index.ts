import type { ProbeDefinition } from '../contract';
import { LoadParser } from '../load/load-parser';
import { LOAD_METRICS } from '../load/report';
import { readLlmperf } from './results';

const ID = 'llmperf';
const PARSER = `${ID}/1`;

export const probe: ProbeDefinition = {
  id: ID,
  parser: PARSER,
  title: 'Load test (llmperf)',
  proves: 'Latency and throughput that clients of the model server saw under a load.',
  metrics: [LOAD_METRICS.ttft, LOAD_METRICS.e2e, LOAD_METRICS.requestThroughput, LOAD_METRICS.outputThroughput, LOAD_METRICS.completed, LOAD_METRICS.failed, LOAD_METRICS.failedShare],
  createParser: (options) =>
    new LoadParser(
      { id: ID, parser: PARSER },
      {
        readJson: readLlmperf,
        expected: 'the summary JSON of llmperf or its array of individual responses',
        formulas: { 'formula.itl': 'The inter-token latency of llmperf is the whole latency ÷ tokens and holds the first token: neither ITL nor TPOT, so it is not used' },
      },
      options,
    ),
};
