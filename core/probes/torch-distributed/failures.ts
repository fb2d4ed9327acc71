interface KnownFailure {
  pattern: RegExp;
  code: string;
  /** 2: names the cause itself; 1: says how something ended; 0: only that it did. */
  weight: 0 | 1 | 2;
  isFault?: boolean;
}

/** Failure texts of PyTorch distributed by generation (ProcessGroupNCCL.cpp, elastic, c10d socket.cpp). Causes first. */
const FAILURES: readonly KnownFailure[] = [
  { pattern: /Duplicate GPU detected.*|Multiple Ranks are using the same GPU.*/i, code: 'torch.duplicate-gpu', weight: 2 },
  { pattern: /Error 804: forward compatibility.*/i, code: 'torch.driver-mismatch', weight: 2, isFault: true },
  { pattern: /CUDA driver version is insufficient.*|NVIDIA driver on your system is too old.*/i, code: 'torch.driver-too-old', weight: 2, isFault: true },
  { pattern: /no kernel image is available.*/i, code: 'torch.no-kernel-image', weight: 2 },
  { pattern: /uncorrectable ECC error.*/i, code: 'torch.ecc', weight: 2, isFault: true },
  { pattern: /CUDA error: .*/i, code: 'torch.cuda-error', weight: 2 },
  { pattern: /socketStartConnect: .*|The client socket has timed out.*|The client socket has failed to connect.*/i, code: 'torch.connect-failed', weight: 2 },
  { pattern: /RendezvousConnectionError.*|RendezvousTimeoutError.*/i, code: 'torch.rendezvous', weight: 2 },
  { pattern: /Watchdog caught collective operation timeout.*/i, code: 'torch.watchdog-timeout', weight: 2 },
  { pattern: /DistBackendError.*|NCCL error in.*/i, code: 'torch.nccl-error', weight: 0 },
  { pattern: /NCCL WARN .*/i, code: 'torch.nccl-warning', weight: 1 },
  { pattern: /Some NCCL operations have failed or timed out.*/i, code: 'torch.watchdog-timeout', weight: 0 },
  { pattern: /ChildFailedError.*|ChildFailedException.*/i, code: 'torch.child-failed', weight: 0 },
  { pattern: /exitcode\s*:\s*-?\d+.*/i, code: 'torch.exit', weight: 1 },
  { pattern: /Signal \d+ \(SIG\w+\).*/i, code: 'torch.signal', weight: 1 },
  { pattern: /ModuleNotFoundError: No module named 'torch'/i, code: 'torch.not-installed', weight: 2 },
];

export interface FoundFailure extends Omit<KnownFailure, 'pattern'> {
  message: string;
}

export function failureOn(text: string): FoundFailure | undefined {
  for (const { pattern, ...known } of FAILURES) {
    const match = pattern.exec(text);
    if (match) return { ...known, message: match[0].trim().slice(0, 400) };
  }
  return undefined;
}
