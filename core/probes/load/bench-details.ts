import type { ResultCollector } from '../text/result-collector';
import type { LoadRun } from './load-run';
import type { JsonRecord } from './tolerant-json';

const isNotPositive = (entry: unknown): boolean => typeof entry !== 'number' || !(entry > 0);
const TOKEN_CHECKS = [
  { key: 'ttfts', isBad: isNotPositive, what: 'never had a first token' },
  { key: 'output_lens', isBad: isNotPositive, what: 'gave no token' },
];

/**
 * The arrays that `--save-detailed` adds hold one entry a request, also of failed ones. They tell when the client took an answer
 * for a success that had no token or ended in an error (vllm/benchmarks/serve.py, backend_request_func.py).
 */
export function guardDetails(record: JsonRecord, { failed }: LoadRun, collector: ResultCollector): void {
  const checks = [
    { key: 'errors', isBad: (entry: unknown) => entry !== '' && entry !== null, what: 'ended in an error' },
    // Pooling models answer without tokens.
    ...(record.has('total_output_tokens') ? TOKEN_CHECKS : []),
  ];
  for (const { key, isBad, what } of checks) {
    const entries = record.get(key);
    const bad = Array.isArray(entries) ? entries.filter(isBad).length : 0;
    if (bad <= (failed?.value ?? 0)) continue;
    collector.doubt('load.hidden-failures', `${bad} requests ${what} ("${key}"), but ${failed?.value ?? 0} count as failed.`, record.line(key));
  }
}
