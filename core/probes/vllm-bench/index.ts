import { BenchBlockReader } from '../load/bench-block';
import { readBenchResults } from '../load/bench-json';
import { loadProbe } from '../load/load-probe';
import { LOAD_METRICS } from '../load/report';
import { planVllmBench } from './plan';

export const probe = loadProbe({
  id: 'vllm-bench',
  tool: 'vllm bench serve',
  metrics: Object.values(LOAD_METRICS).filter((metric) => metric !== LOAD_METRICS.incomplete),
  format: {
    createConsole: () => new BenchBlockReader('vllm'),
    readJson: (documents, collector) => readBenchResults(documents, collector, 'vllm'),
    requires: ['completed', 'requestThroughput', 'durationS'],
    expected: 'the block "Serving Benchmark Result" or the result JSON of vllm bench serve',
    formulas: { 'formula.tpot': 'TPOT: (e2e − TTFT) ÷ (output tokens − 1) of a request', 'formula.itl': 'ITL: gap between two chunks of the stream' },
  },
  plan: planVllmBench,
});
