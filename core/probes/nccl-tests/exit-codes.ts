import type { StreamEnd } from '../contract';
import type { ResultCollector } from '../text/result-collector';

/** testResult_t of nccl-tests v2.17.3 and newer (src/common.h); older versions give 1 to 4. */
const EXIT_WORDS: Readonly<Record<number, string>> = {
  1: ' (internal error, or wrong data in older versions)',
  2: ' (CUDA error)',
  3: ' (NCCL error)',
  4: ' (timeout)',
  5: ' (not implemented, or too few GPUs)',
  6: ' (invalid usage, or wrong data in older versions)',
  7: ' (wrong data, or below the NCCL_TESTS_MIN_BW that was set)',
  124: ' (ended by its time limit)',
  126: ' (could not be executed)',
  127: ' (not found)',
  137: ' (killed)',
  255: ' (a bad number among its options, or the connection was lost)',
};

/** Nothing but an exit code of 0 lets a whole table count; a usage error gives 0 too, so 0 alone proves nothing. */
export function judgeExit(exitCode: StreamEnd['exitCode'], signal: string | undefined, collector: ResultCollector): void {
  if (exitCode === undefined || exitCode === 0) return;
  if (exitCode === null) collector.doubt('nccl.no-exit-code', `The test ended without an exit code${signal === undefined ? '' : ` (${signal})`}: it was killed, or the connection was lost.`);
  else collector.doubt('nccl.exit-code', `The test ended with exit code ${exitCode}${EXIT_WORDS[exitCode] ?? ''}.`);
}
