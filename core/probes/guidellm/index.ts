import { loadProbe } from '../load/load-probe';
import { LOAD_METRICS } from '../load/report';
import { GuidellmCsv } from './csv-report';
import { readGuidellmReport } from './report';

const { ttft, tpot, e2e, requestThroughput, outputThroughput, completed, failed, failedShare, incomplete } = LOAD_METRICS;

export const probe = loadProbe({
  id: 'guidellm',
  tool: 'guidellm',
  version: 1,
  // No ITL: what guidellm calls inter-token latency is the TPOT of a request.
  metrics: [ttft, tpot, e2e, requestThroughput, outputThroughput, completed, failed, failedShare, incomplete],
  format: {
    createConsole: () => new GuidellmCsv(),
    readJson: readGuidellmReport,
    requires: ['completed', 'failed'],
    expected: 'the JSON report or the CSV of guidellm',
    formulas: { 'formula.tpot': 'TPOT: inter_token_latency_ms of guidellm, (last − first token) ÷ (output tokens − 1); its time_per_output_token_ms holds the first token and is not used' },
  },
});
