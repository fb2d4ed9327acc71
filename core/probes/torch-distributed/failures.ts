import { knownCudaError } from '../nccl/machine-faults';
import { warningOf } from '../nccl/warnings';

/** 4: names the cause; 3: says what broke; 2: says that a peer was gone; 1: how a process ended; 0: only that something did. */
export type Weight = 0 | 1 | 2 | 3 | 4;

export interface FoundFailure {
  code: string;
  weight: Weight;
  message: string;
  isFault?: boolean;
}

interface KnownFailure extends Omit<FoundFailure, 'message'> {
  pattern: RegExp;
  advice?: string;
}

/** Failure texts of PyTorch distributed by generation (ProcessGroupNCCL.cpp, torch/distributed/elastic, c10d socket.cpp). */
const FAILURES: readonly KnownFailure[] = [
  { pattern: /Duplicate GPU detected\s*:.*|Multiple Ranks are using the same GPU.*/i, code: 'torch.duplicate-gpu', weight: 4, advice: 'Give each rank a GPU of its own (the device number is the PCI bus id in hexadecimal).' },
  { pattern: /ModuleNotFoundError: No module named '?torch.*/, code: 'torch.not-installed', weight: 4 },
  { pattern: /ProcessGroupNCCL is only supported with GPUs.*/, code: 'torch.no-gpu', weight: 4, advice: 'PyTorch sees no GPU: check the driver, the container runtime, CUDA_VISIBLE_DEVICES, and that this build of PyTorch is one for GPUs.' },
  { pattern: /no kernel image is available.*/i, code: 'torch.no-kernel-image', weight: 4, advice: 'This PyTorch was not built for this GPU.' },
  { pattern: /(?:Error 804: |)forward compatibility was attempted.*|CUDA driver version is insufficient.*|NVIDIA driver on your system is too old.*|uncorrectable ECC error.*|Error 802: system not yet initialized.*/i, code: 'torch.cuda-fault', weight: 4 },
  { pattern: /(?:\w+\.)*OutOfMemoryError: .*|CUDA out of memory.*/, code: 'torch.out-of-memory', weight: 4 },
  { pattern: /CUDA error(?::| \S+:\d+) .*/i, code: 'torch.cuda-error', weight: 4 },
  { pattern: /socketStartConnect: .*|The client socket has (?:timed out|failed to connect).*|\[c10d\] The (?:server|client) socket .*fail.*|\bconnect\(\) timed out\..*|Address already in use.*/i, code: 'torch.connect-failed', weight: 4, advice: 'Check that MASTER_ADDR, port and network interface are right and that no firewall is in between.' },
  { pattern: /Rendezvous(?:Connection|Timeout|Closed|State)Error.*|The connection to the C10d store has failed.*|DistStoreError.*/, code: 'torch.rendezvous', weight: 3 },
  { pattern: /Ranks? [\d, ]+ failed to pass monitoredBarrier.*/, code: 'torch.barrier-timeout', weight: 4, advice: 'Look at those ranks first.' },
  { pattern: /Watchdog caught collective operation timeout.*/, code: 'torch.watchdog-timeout', weight: 3 },
  { pattern: /heartbeat monitor timed out.*|watchdog got stuck for .*|Received a dump signal.*|Observed flight recorder dump signal.*/i, code: 'torch.watchdog-timeout', weight: 1 },
  { pattern: /Exception \(either an error or timeout\) detected by watchdog.*|Some NCCL operations have failed or timed out.*|To avoid data inconsistency.*/, code: 'torch.watchdog-timeout', weight: 0 },
  { pattern: /Signal 9 \(SIGKILL\).*|\bexitcode\s*:\s*-9\b.*/, code: 'torch.killed', weight: 1, advice: 'Signal 9: most often the kernel ended the process for lack of host memory.' },
  { pattern: /Signal \d+ \(SIG\w+\).*/, code: 'torch.signal', weight: 1, advice: 'An abort is what follows; its cause stands earlier, in the output of that rank.' },
  { pattern: /\bexitcode\s*:\s*-?[1-9]\d*.*/, code: 'torch.exit', weight: 1 },
  { pattern: /(?:DistBackendError|NCCL error in:|NCCL [Ee]rror ?\d*:).*/, code: 'torch.nccl-error', weight: 1 },
  { pattern: /ChildFailedError.*|ProcessExitedException.*/, code: 'torch.child-failed', weight: 0 },
];

/** Last line of a traceback: `ValueError: …`, `torch.foo.BarException: …`. */
const PYTHON_ERROR = /(?:^|\]:\s*|:\s)((?:[A-Za-z_]\w*\.)*[A-Z]\w*(?:Error|Exception)): (\S.*)/;
const MOST_CHARACTERS = 400;

export function failureOn(text: string): FoundFailure | undefined {
  const warning = / NCCL WARN (\S.*)/.exec(text)?.[1];
  if (warning !== undefined) return ncclWarning(warning);
  for (const { pattern, advice, ...known } of FAILURES) {
    const match = pattern.exec(text)?.[0];
    if (match !== undefined) return located(known, match, advice);
  }
  const python = PYTHON_ERROR.exec(text)?.[0];
  return python === undefined ? undefined : located({ code: 'torch.python-error', weight: 3 }, python.replace(/^\]?:\s*/, ''));
}

/** torchrun's mark of the process that wrote a line. */
const RANK_MARK = /^(?:\[(?:rank|default)\d+\]:\s*)+/;

/** The line behind `Last error:` of an NCCL exception: the library's own words. */
export function lastError(line: string): FoundFailure {
  const text = line.replace(RANK_MARK, '');
  const known = failureOn(text);
  if (known) return known;
  const { code, isConsequence } = warningOf(text);
  return located({ code: code.replace('nccl.', 'torch.nccl-'), weight: isConsequence ? 2 : 4 }, text);
}

function ncclWarning(text: string): FoundFailure | undefined {
  const { code, isHarmless, isConsequence, advice } = warningOf(text);
  return isHarmless ? undefined : located({ code: code.replace('nccl.', 'torch.nccl-'), weight: isConsequence ? 2 : 4 }, `NCCL: ${text}`, advice);
}

function located(known: Omit<FoundFailure, 'message'>, said: string, advice?: string): FoundFailure {
  const cuda = knownCudaError(said);
  const words = said.trim().slice(0, MOST_CHARACTERS);
  const explanation = advice ?? cuda?.explanation;
  return { ...known, ...(cuda?.isFault ? { isFault: true } : {}), message: explanation === undefined ? words : `${words.replace(/[.:;,]?$/, '.')} ${explanation}` };
}
