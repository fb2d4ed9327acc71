import type { ProbeDefinition } from '../contract';
import { BenchBlockReader } from '../load/bench-block';
import { readBenchResults } from '../load/bench-json';
import { LoadParser } from '../load/load-parser';
import { LOAD_METRICS } from '../load/report';
import { planVllmBench } from './plan';

const ID = 'vllm-bench';
const PARSER = `${ID}/1`;

export const probe: ProbeDefinition = {
  id: ID,
  parser: PARSER,
  title: 'Load test (vllm bench serve)',
  proves: 'Latency and throughput that clients of the model server see under a load.',
  metrics: [
    LOAD_METRICS.ttft,
    LOAD_METRICS.tpot,
    LOAD_METRICS.itl,
    LOAD_METRICS.e2e,
    LOAD_METRICS.requestThroughput,
    LOAD_METRICS.outputThroughput,
    LOAD_METRICS.goodput,
    LOAD_METRICS.goodputShare,
    LOAD_METRICS.completed,
    LOAD_METRICS.failed,
    LOAD_METRICS.failedShare,
  ],
  createParser: (options) =>
    new LoadParser(
      { id: ID, parser: PARSER },
      {
        createConsole: () => new BenchBlockReader(),
        readJson: readBenchResults,
        expected: 'the block "Serving Benchmark Result" or the result JSON of vllm bench serve',
        formulas: { 'formula.tpot': 'TPOT: (e2e − TTFT) ÷ (output tokens − 1) of a request', 'formula.itl': 'ITL: gap between two chunks of the stream' },
      },
      options,
    ),
  plan: planVllmBench,
};
