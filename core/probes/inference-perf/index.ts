import { loadProbe } from '../load/load-probe';
import { LOAD_METRICS } from '../load/report';
import { readLifecycleMetrics } from './lifecycle';

const { ttft, tpot, itl, e2e, requestThroughput, outputThroughput, completed, failed, failedShare } = LOAD_METRICS;

export const probe = loadProbe({
  id: 'inference-perf',
  tool: 'inference-perf',
  metrics: [ttft, tpot, itl, e2e, requestThroughput, outputThroughput, completed, failed, failedShare],
  format: {
    readJson: readLifecycleMetrics,
    requires: ['completed', 'failed'],
    expected: 'summary_lifecycle_metrics.json or stage_N_lifecycle_metrics.json of inference-perf',
    formulas: {
      'formula.tpot': 'TPOT: time_per_output_token, (e2e − TTFT) ÷ (output tokens − 1); its normalized_time_per_output_token divides the whole latency and is not used',
      'formula.itl': 'ITL: inter_token_latency, gap between two chunks',
    },
  },
});
