import { FirstCause } from '../nccl/first-cause';
import { parseNcclLine } from '../nccl/log-line';
import { knownCudaError } from '../nccl/machine-faults';
import type { ResultCollector } from '../text/result-collector';

interface Failure {
  code: string;
  message: string;
  line?: number;
  isFault: boolean;
  /** Only says that something failed somewhere else. */
  isConsequence: boolean;
}

const MOST_FAILURES = 40;
const NCCL_CONSEQUENCE = /remote process exited|network error/i;

/** Lines of launchers and shells that prove a bad end, whatever exit code the launcher gave in the end. */
const BAD_END: readonly RegExp[] = [
  /\bsrun: error: .*/,
  // A working directory that the node does not have: the step runs in /tmp instead.
  /\bslurmstepd: error: (?!couldn't chdir to).*/,
  /\b(?:mpirun|mpiexec|prterun|orterun)\b.* (?:noticed that|detected that|was unable).*/,
  /\bPrimary job\s+terminated normally, but .*/,
  /\bMPI_ABORT was invoked.*/,
  /\bExit code:\s+[1-9]\d*/,
  /\bexited on signal \d+.*/,
  /\bExited with exit code [1-9]\d*/,
  /\berror while loading shared libraries: .*/,
  /^\s*(?:\S*: )*(?:line \d+: +\d+ )?(?:Bus error|Killed|Aborted|Illegal instruction)\b.*/,
  /\bSegmentation fault\b.*|\(core dumped\).*/,
  /\*\*\* Process received signal \*\*\*/,
  /\bCaught signal \d+.*|==== backtrace\b.*/,
  /\bterminate called after throwing.*/,
  /\bcommand not found\b.*/,
  /\bcommand terminated with (?:non-zero )?exit code [1-9]\d*.*/,
  /\bssh: connect to host .*|\bHost key verification failed.*|\bPermission denied \(publickey.*/,
  /\bORTE was unable to reliably start .*|\bThere are not enough slots available .*|\bOMPI was not built with SLURM's PMI support.*/,
];

/** Failure lines of nccl-tests (src/common.h) and of what stood around it: the first cause is kept apart from what follows from it. */
export class TestFailures {
  private readonly found: Failure[] = [];
  private readonly warnings = new FirstCause();
  private callChainLine: number | undefined;
  private hasUsage = false;

  get isEmpty(): boolean {
    return this.found.length === 0 && this.callChainLine === undefined && !this.hasUsage;
  }

  /** A message of NCCL's own log, which names the cause behind `unhandled system error`. */
  ncclLog(raw: string, line: number): void {
    if (!raw.includes(' NCCL WARN ')) return;
    const parsed = parseNcclLine(raw);
    if (parsed) this.warnings.add(parsed, line);
  }

  /** True when the line reports a failure. */
  line(text: string, line: number | undefined): boolean {
    const failure = readFailure(text);
    if (failure) {
      if (this.found.length < MOST_FAILURES) this.found.push({ ...failure, ...(line === undefined ? {} : { line }) });
      return true;
    }
    if (/\.\. \S+.*: Test failure\b/.test(text)) {
      this.callChainLine ??= line ?? 0;
      return true;
    }
    if (/^USAGE: \S*_perf\b/.test(text)) this.hasUsage = true;
    return false;
  }

  /** Causes first. The call chain and the launcher's words are told only when they are all there is. */
  report(collector: ResultCollector): void {
    if (this.isEmpty) return;
    for (const { code, message, line } of this.warnings.causes.slice(0, 3)) collector.doubt(code, message, line);
    const causes = this.found.filter(({ isConsequence }) => !isConsequence);
    for (const failure of causes.length > 0 ? causes : this.found) this.tell(failure, collector);
    // After wrong data the program prints its call chain too; the rows have then told the cause.
    if (this.found.length === 0 && this.callChainLine !== undefined && !collector.hasFault) collector.doubt('nccl.test-failure', 'The test reports a failure without a cause.', this.callChainLine || undefined);
    if (this.hasUsage) collector.doubt('nccl.usage', 'The program printed its usage: it does not know an option it was given, and it measured nothing.');
  }

  private tell({ code, message, line, isFault }: Failure, collector: ResultCollector): void {
    if (isFault) collector.fault(code, message, line);
    else collector.doubt(code, message, line);
  }
}

function readFailure(text: string): Omit<Failure, 'line'> | undefined {
  const failed = /(?:([\w.-]+): )?Test (NCCL|CUDA) failure \S+ '?(.*?)'?\s*$/.exec(text);
  if (failed) return libraryFailure(failed as unknown as [string, string | undefined, string, string]);
  const plain = (code: string, message: string, isConsequence = false) => ({ code, message: message.trim().slice(0, 300), isFault: false, isConsequence });
  const timeout = /Test timeout \((\d+)s\)/.exec(text);
  if (timeout) return plain('nccl.timeout', `The test reached its own time limit of ${timeout[1]} s.`);
  const invalid = /Invalid number of GPUs: .*/.exec(text)?.[0];
  if (invalid) return plain('nccl.too-few-gpus', `${invalid} Fewer GPUs are visible than the test was started for.`);
  const error = /^\s*#\s*error:\s*(\S.*)/.exec(text)?.[1];
  if (error !== undefined) return plain('nccl.error', `The test reports an error: ${error}`);
  const bad = BAD_END.map((pattern) => pattern.exec(text)?.[0]).find((found) => found !== undefined);
  return bad === undefined ? undefined : plain('nccl.bad-end', `The run did not end well: ${bad}`, true);
}

function libraryFailure([, host, library, said]: [string, string | undefined, string, string]): Omit<Failure, 'line'> {
  const known = knownCudaError(said);
  const message = `${library} failure${host === undefined ? '' : ` on ${host}`}: ${said.slice(0, 300)}${known ? `. ${known.explanation}` : ''}`;
  if (known?.isFault) return { code: 'nccl.cuda-fault', message, isFault: true, isConsequence: false };
  return { code: library === 'CUDA' ? 'nccl.cuda-failure' : 'nccl.failure', message, isFault: false, isConsequence: NCCL_CONSEQUENCE.test(said) };
}
