import type { ProbeDefinition } from '../contract';
import { LoadParser } from '../load/load-parser';
import { LOAD_METRICS } from '../load/report';
import { readGuidellmReport } from './report';

const ID = 'guidellm';
const PARSER = `${ID}/1`;

export const probe: ProbeDefinition = {
  id: ID,
  parser: PARSER,
  title: 'Load test (guidellm)',
  proves: 'Latency and throughput that clients of the model server saw under a load.',
  // Its gap between chunks is not reported: what it calls inter-token latency is the TPOT of a request.
  metrics: [LOAD_METRICS.ttft, LOAD_METRICS.tpot, LOAD_METRICS.e2e, LOAD_METRICS.requestThroughput, LOAD_METRICS.outputThroughput, LOAD_METRICS.completed, LOAD_METRICS.failed, LOAD_METRICS.failedShare, LOAD_METRICS.incomplete],
  createParser: (options) =>
    new LoadParser(
      { id: ID, parser: PARSER },
      {
        readJson: readGuidellmReport,
        expected: 'the JSON report of guidellm',
        formulas: { 'formula.tpot': 'TPOT: inter_token_latency_ms of guidellm, (last − first token) ÷ (output tokens − 1); its time_per_output_token_ms holds the first token and is not used' },
      },
      options,
    ),
};
