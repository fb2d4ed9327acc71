interface KnownFault {
  pattern: RegExp;
  explanation: string;
  /** The text alone proves a broken machine; otherwise it may be the way in which the test was started. */
  isFault: boolean;
}

/** CUDA error texts (cudaGetErrorString of the CUDA runtime) that nccl-tests, NCCL and PyTorch pass on. */
const KNOWN: readonly KnownFault[] = [
  { pattern: /driver version is insufficient|NVIDIA driver on your system is too old/i, explanation: 'The driver is older than the CUDA runtime needs.', isFault: true },
  { pattern: /forward compatibility was attempted|Error 804\b/i, explanation: 'The CUDA compatibility libraries do not fit the driver or the GPU.', isFault: true },
  { pattern: /uncorrectable|ECC error/i, explanation: 'A GPU reports an uncorrectable memory error.', isFault: true },
  { pattern: /fallen off the bus|GPU is lost/i, explanation: 'A GPU is lost.', isFault: true },
  { pattern: /system not yet initialized|Error 802\b/i, explanation: 'The NVSwitch fabric is not initialised: the fabric manager does not run or does not fit the driver.', isFault: true },
  { pattern: /hardware stack error|NVLink error|Error 717\b|error 220\b/i, explanation: 'A GPU reports a hardware error.', isFault: true },
  { pattern: /no CUDA-capable device/i, explanation: 'No GPU is visible.', isFault: false },
  { pattern: /busy or unavailable/i, explanation: 'A GPU is in use, or its compute mode is EXCLUSIVE_PROCESS and two processes opened it.', isFault: false },
  { pattern: /invalid device ordinal/i, explanation: 'More GPUs were asked for than are visible.', isFault: false },
  { pattern: /no kernel image is available/i, explanation: 'The program was not built for this GPU.', isFault: false },
  { pattern: /out of memory/i, explanation: 'There was not enough GPU memory.', isFault: false },
];

/** Undefined when the text is none of the known CUDA errors. */
export function knownCudaError(text: string): Pick<KnownFault, 'explanation' | 'isFault'> | undefined {
  return KNOWN.find(({ pattern }) => pattern.test(text));
}
