import type { LineParser, ParseResult, ParserOptions, ProbeDefinition, StreamEnd } from '../contract';
import { FirstCause } from '../nccl/first-cause';
import { gluedMessages, holdsAnother, type NcclLogLine, parseNcclLine } from '../nccl/log-line';
import { knownCudaError } from '../nccl/machine-faults';
import { stripAnsi } from '../text/ansi';
import { ResultCollector } from '../text/result-collector';
import { Life } from './life';
import { TransportProof } from './transport-proof';

const ID = 'nccl-debug';
const PARSER = `${ID}/2`;
const LIBRARY_VERSION = /\b[NR]CCL version(?: :)? (\d\S*)/;

/**
 * Reads the log that NCCL writes with NCCL_DEBUG=INFO, alone or mixed into anything: the output of `nccl-tests`, of a training
 * job, of an inference server. The same bytes may be given to the parser of the program's own output.
 */
class NcclDebugParser implements LineParser {
  private readonly collector: ResultCollector;
  private readonly proof: TransportProof;
  private readonly causes = new FirstCause();
  private readonly life = new Life();
  private hasLines = false;
  private sawFooter = false;

  constructor(options?: ParserOptions) {
    this.collector = new ResultCollector({ id: ID, parser: PARSER }, options);
    this.proof = new TransportProof(this.collector);
  }

  line(raw: string, line: number): void {
    const parsed = parseNcclLine(raw);
    if (!parsed) this.otherLine(raw);
    else if (!holdsAnother(parsed)) this.message(parsed, line);
    else for (const message of gluedMessages(raw).map(parseNcclLine)) if (message) this.message(message, line);
  }

  private message(parsed: NcclLogLine, line: number): void {
    this.hasLines = true;
    if (parsed.text.includes('\x1b')) parsed.text = stripAnsi(parsed.text);
    if (parsed.level === 'WARN') this.warn(parsed, line);
    else {
      this.proof.info(parsed, line);
      this.life.info(parsed, line);
      if (/^[NR]CCL version\b/.test(parsed.text)) this.version(parsed.text);
    }
  }

  /** nccl-tests prints its average after every communicator has done its work. */
  private otherLine(raw: string): void {
    if (raw.includes('Avg bus bandwidth')) this.sawFooter = true;
    else if (raw.includes('CCL version ')) this.version(raw);
  }

  private version(text: string): void {
    const version = LIBRARY_VERSION.exec(text)?.[1];
    if (version !== undefined) this.collector.context['ncclVersion'] = version;
  }

  private warn(parsed: NcclLogLine, line: number): void {
    const harmless = this.causes.add(parsed, line);
    if (harmless) this.collector.remark('warning', harmless.code, harmless.message, line);
  }

  end({ exitCode }: StreamEnd): ParseResult {
    const { collector, causes } = this;
    for (const { code, message, line } of causes.causes) {
      if (knownCudaError(message)?.isFault) collector.fault(code, message, line);
      else collector.doubt(code, message, line);
    }
    if (causes.consequences > 0) collector.context['consequences'] = causes.consequences;
    if (this.hasLines) this.proof.end();
    else collector.doubt('nccl.no-log', 'There is no line of the NCCL log. Run with NCCL_DEBUG=INFO.');
    this.judgeEnd(exitCode);
    return collector.result();
  }

  /** A log whose end is not shown may have lost its failure. */
  private judgeEnd(exitCode: StreamEnd['exitCode']): void {
    const { collector, life, causes } = this;
    const hasEnded = exitCode === 0 || this.sawFooter || life.hasEnded;
    const { stuck, firstFailedCall } = life;
    if (exitCode === null || (exitCode !== undefined && exitCode !== 0)) {
      collector.doubt('nccl.exit-code', `The program did not end well (${exitCode === null ? 'no exit code' : `exit code ${exitCode}`}), so its log may not show all of its connections.`);
    }
    if (stuck) collector.doubt('nccl.init-incomplete', `${stuck.count} ranks began to connect (Init START) and did not get through (Init COMPLETE): they hang, or the log is cut.`, stuck.line);
    if (firstFailedCall && !hasEnded && causes.causes.length === 0) collector.doubt('nccl.call-failed', `A call of NCCL failed, and the warning that says why is missing: ${firstFailedCall.text}`, firstFailedCall.line);
    if (this.hasLines && !hasEnded) collector.doubt('nccl.no-end', 'The log does not show the end of the program, so a failure may be missing from it.');
  }
}

export const probe: ProbeDefinition = {
  id: ID,
  parser: PARSER,
  title: 'NCCL transport',
  proves: 'Which path the traffic between GPUs really took: NVLink peers, shared memory, InfiniBand with or without GPUDirect, or TCP.',
  metrics: [
    { metric: 'nccl.network', title: 'Network that NCCL chose', valueType: 'text' },
    { metric: 'nccl.transport', title: 'Channel lines by kind of path', valueType: 'number', labels: ['kind'] },
    { metric: 'nccl.gdrdma', title: 'Share of network channels with GPUDirect RDMA', valueType: 'number', better: 'higher' },
    { metric: 'nccl.nvls_channels', title: 'NVLink SHARP channels', valueType: 'number', better: 'higher' },
  ],
  createParser: (options) => new NcclDebugParser(options),
};
