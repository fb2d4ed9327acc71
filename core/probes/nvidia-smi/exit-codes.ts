import type { StreamEnd } from '../contract';
import type { ResultCollector } from '../text/result-collector';

/**
 * nvidia-smi ends with the NVML return value of what went wrong (RETURN VALUE of its manual page; nvml.h `nvmlReturn_t`).
 * Zero proves nothing: it was seen while one of several GPUs was dead.
 */
const FAULTS: Readonly<Record<number, [code: string, message: string]>> = {
  8: ['nvidia-smi.power-cables', 'External power cables of a GPU are not attached properly (exit code 8).'],
  9: ['nvidia-smi.driver-not-loaded', 'The NVIDIA driver is not loaded (exit code 9).'],
  15: ['nvidia-smi.gpu-lost', 'A GPU is lost: it has fallen off the bus (exit code 15).'],
  16: ['nvidia-smi.reset-required', 'A GPU requires a reset before it can be used (exit code 16).'],
  18: ['nvidia-smi.driver-mismatch', 'Driver/library version mismatch (exit code 18).'],
};

const DOUBTS: Readonly<Record<number, string>> = {
  2: 'nvidia-smi was given an argument or field that it does not know (exit code 2).',
  3: 'The query is not supported on this GPU (exit code 3).',
  4: 'No permission to read the GPUs (exit code 4).',
  6: 'nvidia-smi did not find what was asked for (exit code 6).',
  10: 'The driver reported an interrupt problem with a GPU (exit code 10).',
  12: 'The NVML library was not found (exit code 12).',
  17: 'The operating system blocks access to the GPU (exit code 17).',
  124: 'nvidia-smi did not answer in time and was stopped (exit code 124).',
  126: 'nvidia-smi could not be executed (exit code 126).',
  127: 'nvidia-smi was not found on this machine (exit code 127).',
  137: 'nvidia-smi was killed (exit code 137).',
  255: 'nvidia-smi ended with exit code 255: an unknown NVML error, or the connection to the machine was lost.',
};

/** The exit code that only says that an infoROM is corrupted: the output is whole. */
const CORRUPTED_INFOROM = 14;

export function judgeExit({ exitCode, signal }: StreamEnd, collector: ResultCollector): void {
  if (exitCode === undefined || exitCode === 0) return;
  if (exitCode === null) {
    collector.doubt('nvidia-smi.killed', `nvidia-smi did not end by itself${signal === undefined ? '' : ` (${signal})`}.`);
    return;
  }
  collector.context['exitCode'] = exitCode;
  const fault = FAULTS[exitCode];
  if (fault) collector.fault(...fault);
  else if (exitCode === CORRUPTED_INFOROM) {
    collector.remark('warning', 'nvidia-smi.inforom-corrupted', 'The infoROM of a GPU is corrupted (exit code 14). The other data is whole.');
  } else collector.doubt('nvidia-smi.exit-code', DOUBTS[exitCode] ?? `nvidia-smi ended with exit code ${exitCode}.`);
}
