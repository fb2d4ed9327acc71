import { loadProbe } from '../load/load-probe';
import { LOAD_METRICS } from '../load/report';
import { readLlmperf } from './results';

const { ttft, e2e, requestThroughput, outputThroughput, completed, failed, failedShare } = LOAD_METRICS;

export const probe = loadProbe({
  id: 'llmperf',
  tool: 'llmperf',
  metrics: [ttft, e2e, requestThroughput, outputThroughput, completed, failed, failedShare],
  format: {
    readJson: readLlmperf,
    requires: ['completed', 'failed'],
    expected: 'the summary JSON of llmperf or its array of individual responses',
    formulas: { 'formula.itl': 'The inter-token latency of llmperf is the whole latency ÷ tokens and holds the first token: neither ITL nor TPOT, so it is not used' },
  },
});
