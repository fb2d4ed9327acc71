import type { LineParser, ParseResult, ParserOptions, ProbeDefinition, StreamEnd } from '../contract';
import { noteExit, noteRefusal, withDcgmi } from '../dcgm/session';
import { stripAnsi } from '../text/ansi';
import { JsonDocuments } from '../text/json-documents';
import { ResultCollector } from '../text/result-collector';
import { ErrorCountsReport } from './error-counts';
import { LinkStatusReport } from './link-status';

const ID = 'dcgmi-nvlink';
const PARSER = `${ID}/1`;

class DcgmiNvlinkParser implements LineParser {
  private readonly collector: ResultCollector;
  private readonly status: LinkStatusReport;
  private readonly errors: ErrorCountsReport;
  private readonly json = new JsonDocuments();

  constructor(options?: ParserOptions) {
    this.collector = new ResultCollector({ id: ID, parser: PARSER }, options);
    this.status = new LinkStatusReport(this.collector);
    this.errors = new ErrorCountsReport(this.collector);
  }

  line(raw: string, line: number): void {
    const text = stripAnsi(raw).trim();
    if (text === '' || this.status.line(text, line) || this.errors.line(text, line)) return;
    this.json.line(text, line);
    if (!this.json.isCut) noteRefusal(this.collector, text, line);
  }

  end(end: StreamEnd): ParseResult {
    const { collector, status, errors, json } = this;
    const isOther = json.documents.filter((document) => !errors.json(document)).length > 0;
    if (json.isCut || json.isDamaged || isOther) collector.doubt('nvlink.cut', 'A part of the output is no whole report in JSON.');
    if (status.isFound) status.end();
    if (errors.isFound) errors.end();
    if (!status.isFound && !errors.isFound && !collector.hasDoubt) collector.doubt('nvlink.unknown-format', 'This is no report of dcgmi nvlink that this version knows.');
    noteExit(collector, end);
    return collector.result();
  }
}

export const probe: ProbeDefinition = {
  id: ID,
  parser: PARSER,
  title: 'NVLink status (dcgmi nvlink -s)',
  proves: 'How many NVLinks of each GPU and of each NVSwitch are up, also where nvidia-smi cannot be asked.',
  metrics: [
    { metric: 'nvlink.active', title: 'NVLinks of a GPU that are up', valueType: 'number', labels: ['gpu'], better: 'higher' },
    { metric: 'nvlink.inactive', title: 'NVLinks of a GPU that are down or disabled', valueType: 'number', labels: ['gpu'], better: 'lower' },
    { metric: 'nvlink.errors', title: 'Errors that a link counted, in the report of `dcgmi nvlink -e`', valueType: 'number', labels: ['gpu', 'link', 'kind'], better: 'lower' },
    { metric: 'nvswitch.links.active', title: 'NVLinks of an NVSwitch that are up', valueType: 'number', labels: ['switch'], better: 'higher' },
    { metric: 'nvswitch.links.inactive', title: 'NVLinks of an NVSwitch that are down or disabled', valueType: 'number', labels: ['switch'], better: 'lower' },
  ],
  createParser: (options) => new DcgmiNvlinkParser(options),
  plan: (_parameters, host) => withDcgmi(host, (path) => ({ kind: 'command', argv: [path, 'nvlink', '-s'], timeoutMs: 60_000, expectedDurationMs: 1_000, invasive: false })),
};
