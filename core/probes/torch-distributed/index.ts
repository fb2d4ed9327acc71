import type { HostCapabilities, LineParser, ParseResult, ParserOptions, ProbeDefinition, ProbeParameters, ProbePlan, StreamEnd, UnprovablePlan } from '../contract';
import { stripAnsi } from '../text/ansi';
import { asObject, type JsonObject } from '../text/json-documents';
import { ResultCollector } from '../text/result-collector';
import { failureOn, type FoundFailure, lastError, type Weight } from './failures';
import { RootCause } from './root-cause';
import script from './smoke.py';
import { readSmokeResult, RESULT_MARK } from './smoke-result';
import { Watchdog } from './watchdog';

const ID = 'torch-distributed';
const PARSER = `${ID}/2`;

/** Failures that tell only how a process ended. */
const ENDS: ReadonlySet<string> = new Set(['torch.exit', 'torch.killed', 'torch.signal']);

/** `[W socket.cpp:697] …`: PyTorch itself calls this a warning. */
const WARNING_LINE = /(?:^|\]:\s*)\[W[\d ]/;

interface LocatedFailure extends FoundFailure {
  line?: number;
}

/** Reads the bundled smoke test's result, and the failures of any torchrun, watchdog, elastic or rendezvous output. */
class TorchParser implements LineParser {
  private readonly collector: ResultCollector;
  private readonly watchdog = new Watchdog();
  private readonly rootCause = new RootCause();
  /** The weightiest text so far; of equal ones the first. */
  private first: LocatedFailure | undefined;
  private results = 0;
  private expectsLastError = false;

  constructor(options?: ParserOptions) {
    this.collector = new ResultCollector({ id: ID, parser: PARSER }, options);
  }

  line(raw: string, line: number): void {
    const text = stripAnsi(raw);
    const at = text.indexOf(RESULT_MARK);
    if (at !== -1) this.result(text.slice(at + RESULT_MARK.length), line);
    else this.failure(text, line);
  }

  private failure(text: string, line?: number): void {
    this.watchdog.line(text);
    const endedFirst = this.rootCause.line(text);
    const follows = this.expectsLastError && text.trim() !== '';
    if (text.trim() !== '') this.expectsLastError = /\bLast error:\s*$/.test(text);
    const found = follows ? lastError(text.trim()) : failureOn(text);
    if (!found) return;
    const weight = WARNING_LINE.test(text) ? Math.min(found.weight, 1) : found.weight;
    const message = endedFirst === undefined ? found.message : `${endedFirst}: ${found.message}`;
    const isBetter = !this.first || weight > this.first.weight || (endedFirst !== undefined && ENDS.has(this.first.code));
    if (isBetter) this.first = { ...found, message, weight: weight as Weight, ...(line === undefined ? {} : { line }) };
  }

  private result(json: string, line: number): void {
    this.results++;
    if (this.results > 1) return this.collector.doubt('torch.several-results', 'There is more than one result of the smoke test.', line);
    const value = parseObject(json);
    if (!value) return this.collector.doubt('torch.cut', 'The result of the smoke test is not whole.', line);
    return readSmokeResult(value, line, this.collector);
  }

  end({ exitCode, signal, stderr }: StreamEnd): ParseResult {
    const { collector } = this;
    for (const text of (stderr ?? '').split('\n')) this.failure(stripAnsi(text));
    const allAnswered = this.results === 1 && collector.measurementCount > 0 && !collector.hasDoubt && !collector.hasFault;
    if (this.first) this.tell(this.first, allAnswered && !exitCode && exitCode !== null);
    if (exitCode === null) collector.doubt('torch.exit-code', `The program ended without an exit code${signal === undefined ? '' : ` (${signal})`}.`);
    else if (exitCode !== undefined && exitCode !== 0) collector.doubt('torch.exit-code', `The program ended with exit code ${exitCode}.`);
    return collector.result();
  }

  /** When every rank answered with right values, a retried connection or an old setting in the text was no failure. */
  private tell({ code, message, isFault, line }: LocatedFailure, wasOvercome: boolean): void {
    const suspicion = code === 'torch.watchdog-timeout' ? this.watchdog.suspicion : undefined;
    const whole = suspicion === undefined ? message : `${message} ${suspicion}`;
    if (isFault) this.collector.fault(code, whole, line);
    else if (wasOvercome) this.collector.remark('warning', code, whole, line);
    else this.collector.doubt(code, whole, line);
  }
}

function parseObject(json: string): JsonObject | undefined {
  try {
    return asObject(JSON.parse(json));
  } catch {
    return undefined;
  }
}

const TIMEOUT_MS = 600_000;
/** Imports and contexts take some seconds a process; the timing itself takes less than one. */
const EXPECTED_DURATION_MS = 60_000;

/** The script goes over standard input, so nothing is written on the machine. It takes all its GPUs, so it is invasive. */
function plan(parameters: ProbeParameters, host: HostCapabilities): ProbePlan {
  const python = host.tools['python3'];
  if (!python) return unprovable('torch.no-python', 'There is no python3 on the machine, so the PyTorch smoke test cannot run.');
  const gpus = parameters['gpus'] as number | undefined;
  if (gpus !== undefined && host.gpuCount !== undefined && gpus > host.gpuCount) return unprovable('torch.too-few-gpus', `The card asks for ${gpus} GPUs, but the machine has ${host.gpuCount}.`);
  return { kind: 'command', argv: [python.path, '-', String(gpus ?? 0)], stdin: script, timeoutMs: TIMEOUT_MS, expectedDurationMs: EXPECTED_DURATION_MS, invasive: true };
}

const unprovable = (code: string, message: string): UnprovablePlan => ({ kind: 'unprovable', reason: { code, severity: 'error', message } });

export const probe: ProbeDefinition = {
  id: ID,
  parser: PARSER,
  title: 'PyTorch distributed smoke test',
  proves: 'That the framework creates a context on each GPU and that NCCL adds right values through PyTorch.',
  metrics: [
    { metric: 'torch.version', title: 'PyTorch version', valueType: 'text' },
    { metric: 'torch.ranks', title: 'Ranks', valueType: 'number' },
    { metric: 'torch.context', title: 'Time to create a CUDA context', unit: 'ms', valueType: 'number', labels: ['rank'], better: 'lower', needsIdleGpus: true },
    { metric: 'torch.allreduce.wrong', title: 'Wrong values of an all-reduce', valueType: 'number', labels: ['rank'], better: 'lower' },
    { metric: 'torch.allreduce.time', title: 'Time of a large all-reduce', unit: 'us', valueType: 'number', labels: ['rank', 'sizeBytes'], better: 'lower', needsIdleGpus: true },
    { metric: 'torch.allreduce.busbw', title: 'Bus bandwidth of a large all-reduce', unit: 'GB/s', valueType: 'number', labels: ['rank', 'sizeBytes'], better: 'higher', needsIdleGpus: true },
  ],
  createParser: (options) => new TorchParser(options),
  plan,
};
