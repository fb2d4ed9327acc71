import type { LineParser, ParseResult, ParserOptions, ProbeDefinition, StreamEnd } from '../contract';
import { type NcclLogLine, parseNcclLine } from '../nccl/log-line';
import { stripAnsi } from '../text/ansi';
import { ResultCollector } from '../text/result-collector';
import { TransportProof } from './transport-proof';
import { warningOf } from './warnings';

const ID = 'nccl-debug';
const PARSER = `${ID}/1`;

class NcclDebugParser implements LineParser {
  private readonly collector: ResultCollector;
  private readonly proof: TransportProof;
  private hasLines = false;
  private firstCause: string | undefined;
  private consequences = 0;
  /** The program came to its end: what was cut off could only have been a failure. */
  private sawEnd = false;

  constructor(options?: ParserOptions) {
    this.collector = new ResultCollector({ id: ID, parser: PARSER }, options);
    this.proof = new TransportProof(this.collector);
  }

  line(raw: string, line: number): void {
    const parsed = parseNcclLine(raw.includes('\x1b') ? stripAnsi(raw) : raw);
    if (!parsed) {
      if (raw.includes('Avg bus bandwidth')) this.sawEnd = true;
      return;
    }
    if (parsed.text.includes('Destroy COMPLETE')) this.sawEnd = true;
    this.hasLines = true;
    if (parsed.level === 'INFO') this.proof.info(parsed, line);
    else this.warn(parsed, line);
  }

  /** The first warning is the cause; a connection that then breaks is a consequence. */
  private warn({ host, text }: NcclLogLine, line: number): void {
    const { code, isConsequence, isHarmless } = warningOf(text);
    const message = `${host === '' ? '' : `${host}: `}${text.trim().slice(0, 400)}`;
    if (isHarmless) return this.collector.remark('warning', code, message, line);
    if (isConsequence && this.firstCause !== undefined) {
      this.consequences++;
      return undefined;
    }
    if (this.firstCause === undefined) this.firstCause = message;
    return this.collector.doubt(code, message, line);
  }

  end({ exitCode }: StreamEnd): ParseResult {
    const { collector } = this;
    if (!this.hasLines) collector.doubt('nccl.no-log', 'There is no line of the NCCL log. Run with NCCL_DEBUG=INFO.');
    else if (!this.proof.isEmpty) this.proof.end();
    if (this.hasLines && exitCode !== 0 && !this.sawEnd) collector.doubt('nccl.no-end', 'The log does not show the end of the program, so a failure may be missing from it.');
    if (this.consequences > 0) collector.context['consequences'] = this.consequences;
    if (exitCode === null || (exitCode !== undefined && exitCode !== 0)) collector.doubt('nccl.exit-code', 'The program did not end well, so its log may not show all of its connections.');
    return collector.result();
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
