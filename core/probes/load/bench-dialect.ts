import type { ResultCollector } from '../text/result-collector';

/**
 * `vllm bench serve` and sglang.bench_serving write the same block and nearly the same keys, but not the same numbers: one counts
 * failures, the other divides the inter-token latency by the acceptance length.
 */
export type BenchDialect = 'vllm' | 'sglang';

/** Rows (lower case) and keys that sglang.bench_serving always writes and vLLM never. */
const SGLANG_ROW = /^(?:backend|total generated tokens \(retokenized\)|(?:mean|median|p\d+) e2e latency \(ms\))$/;
const SGLANG_KEY = /^(?:total_output_tokens_retokenized|mean_e2e_latency_ms)$/;

export const isSglangRow = (label: string): boolean => SGLANG_ROW.test(label);
export const dialectOfKeys = (keys: readonly string[]): BenchDialect => (keys.some((key) => SGLANG_KEY.test(key)) ? 'sglang' : 'vllm');

const TOOLS: Readonly<Record<BenchDialect, string>> = {
  vllm: 'vllm bench serve: import it with the probe vllm-bench',
  sglang: 'sglang.bench_serving: import it with the probe sglang-bench',
};

/** Numbers of the other tool are shown, but a card must not judge them under this tool's formulas. */
export function expectDialect(found: BenchDialect, expected: BenchDialect, collector: ResultCollector, line?: number): void {
  if (found !== expected) collector.doubt('load.other-tool', `This is a result of ${TOOLS[found]}.`, line);
}
