import { BenchBlockReader } from '../load/bench-block';
import { readBenchResults } from '../load/bench-json';
import { loadProbe } from '../load/load-probe';
import { LOAD_METRICS } from '../load/report';

export const probe = loadProbe({
  id: 'sglang-bench',
  tool: 'sglang.bench_serving',
  // The tool counts no failures.
  metrics: [LOAD_METRICS.ttft, LOAD_METRICS.tpot, LOAD_METRICS.itl, LOAD_METRICS.e2e, LOAD_METRICS.requestThroughput, LOAD_METRICS.outputThroughput, LOAD_METRICS.completed],
  format: {
    createConsole: () => new BenchBlockReader('sglang'),
    readJson: (documents, collector) => readBenchResults(documents, collector, 'sglang'),
    requires: ['completed', 'requestThroughput', 'durationS'],
    expected: 'the block "Serving Benchmark Result" or the JSON lines of sglang.bench_serving',
    formulas: {
      'formula.tpot': 'TPOT: (e2e − TTFT) ÷ (output tokens − 1) of a request',
      'formula.itl': 'ITL: gap between two chunks, divided by the acceptance length under speculative decoding',
    },
  },
});
