import type { ProbeDefinition } from '../contract';
import { BenchBlockReader } from '../load/bench-block';
import { readBenchResults } from '../load/bench-json';
import { LoadParser } from '../load/load-parser';
import { LOAD_METRICS } from '../load/report';

const ID = 'sglang-bench';
const PARSER = `${ID}/1`;

export const probe: ProbeDefinition = {
  id: ID,
  parser: PARSER,
  title: 'Load test (sglang.bench_serving)',
  proves: 'Latency and throughput that clients of the model server saw under a load.',
  // The tool counts no failures.
  metrics: [LOAD_METRICS.ttft, LOAD_METRICS.tpot, LOAD_METRICS.itl, LOAD_METRICS.e2e, LOAD_METRICS.requestThroughput, LOAD_METRICS.outputThroughput, LOAD_METRICS.completed],
  createParser: (options) =>
    new LoadParser(
      { id: ID, parser: PARSER },
      {
        createConsole: () => new BenchBlockReader(),
        readJson: readBenchResults,
        expected: 'the block "Serving Benchmark Result" or the JSON lines of sglang.bench_serving',
        formulas: { 'formula.tpot': 'TPOT: (e2e − TTFT) ÷ (output tokens − 1) of a request', 'formula.itl': 'ITL: gap between two chunks, divided by the acceptance length under speculative decoding' },
      },
      options,
    ),
};
