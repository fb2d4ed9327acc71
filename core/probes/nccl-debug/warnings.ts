interface KnownWarning {
  code: string;
  /** Follows from another failure somewhere else. */
  isConsequence?: boolean;
  isHarmless?: boolean;
}

/** Warning texts of NCCL 2.10 to 2.30; every other one counts as a cause. */
const WARNINGS: readonly [RegExp, KnownWarning][] = [
  [/shared memory segment|\/dev\/shm|No space left on device/i, { code: 'nccl.shm' }],
  [/Duplicate GPU detected|Multiple Ranks are using the same GPU/i, { code: 'nccl.shared-gpu' }],
  [/Mismatched NCCL version/i, { code: 'nccl.version-mismatch' }],
  [/P2P is disabled between NVLINK connected GPUs/i, { code: 'nccl.nvlink-unused' }],
  [/Got completion from peer/i, { code: 'nccl.ib-completion' }],
  [/network .* not found/i, { code: 'nccl.network-not-found' }],
  [/socketStartConnect|Connect to .* failed/i, { code: 'nccl.connect-failed' }],
  [/remote process exited|Connection closed by (remote|localRank)|Socket recv failed|\[Service thread\]|Net : Call to recv/i, { code: 'nccl.peer-gone', isConsequence: true }],
  [/Cuda failure/i, { code: 'nccl.cuda-failure' }],
  [/NET\/Plugin|libnccl-net|tuner|NCCL_\w+ set (by|to)|deprecated/i, { code: 'nccl.notice', isHarmless: true }],
];

export function warningOf(text: string): KnownWarning {
  return WARNINGS.find(([pattern]) => pattern.test(text))?.[1] ?? { code: 'nccl.warning' };
}
