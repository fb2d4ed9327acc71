import type { ResultCollector } from '../text/result-collector';

/** Failures that prove a broken machine, whatever the test was started with. */
const MACHINE_FAULTS = /driver version is insufficient|uncorrectable|ECC error|no CUDA-capable device|fallen off|hardware|unspecified launch failure|device-side|GPU is lost|system not yet initialized/i;

/** Failure lines of nccl-tests (src/common.h) on standard output. True when the line is one; only the first cause counts. */
export function noteFailure(collector: ResultCollector, text: string, line: number): boolean {
  const failure = /Test (NCCL|CUDA) failure \S+ '?(.*?)'?\s*$/.exec(text);
  if (failure) {
    const message = `${failure[1]} failure: ${failure[2]!.slice(0, 300)}`;
    if (MACHINE_FAULTS.test(failure[2]!)) collector.fault('nccl.cuda-fault', message, line);
    else collector.doubt(failure[1] === 'CUDA' ? 'nccl.cuda-failure' : 'nccl.failure', message, line);
    return true;
  }
  if (/Test timeout \(\d+s\)/.test(text)) {
    collector.doubt('nccl.timeout', 'The test reached its own time limit.', line);
    return true;
  }
  const invalid = /Invalid number of GPUs: .*/.exec(text)?.[0];
  if (invalid) {
    collector.fault('nccl.too-few-gpus', invalid, line);
    return true;
  }
  if (/ \.\. \S+.*: Test failure/.test(text)) {
    collector.doubt('nccl.test-failure', 'The test reports a failure.', line);
    return true;
  }
  if (/^#\s*error:\s*\S/.test(text)) {
    collector.doubt('nccl.error', text.replace(/^#\s*/, '').trim().slice(0, 300), line);
    return true;
  }
  return false;
}
