import type { LineParser, ParseResult, ParserOptions, ProbeDefinition, StreamEnd } from '../contract';
import { asObject, asText, type JsonDocument, JsonDocuments } from '../text/json-documents';
import { noteExit, noteRefusal, withDcgmi } from '../dcgm/session';
import { stripAnsi } from '../text/ansi';
import { ResultCollector } from '../text/result-collector';

const ID = 'dcgmi-health';
const PARSER = `${ID}/3`;

const STATES: Readonly<Record<string, 'healthy' | 'warning' | 'failure'>> = { healthy: 'healthy', warning: 'warning', warn: 'warning', failure: 'failure', fail: 'failure' };

/** `| Overall Health            | Healthy |`; DCGM 1 wrote `| Overall Health: Healthy |` and `| Group 1 | Overall Health: Warning |`. */
const OVERALL = /^(?:\|(?:[^|:]*\|)?)?\s*Overall Health(?:\s*\||:)\s*:?\s*([^|]*?)\s*\|?$/i;

class HealthParser implements LineParser {
  private readonly collector: ResultCollector;
  private readonly json = new JsonDocuments();
  private overall: { text: string; line: number } | undefined;
  /** `GPU`, above `-> 0`. */
  private group = '';
  private borders = 0;
  private isTable = false;

  constructor(options?: ParserOptions) {
    this.collector = new ResultCollector({ id: ID, parser: PARSER }, options);
  }

  line(raw: string, line: number): void {
    const text = stripAnsi(raw).trim();
    if (/^[+|][-=]/.test(text)) {
      this.isTable = true;
      this.borders++;
      return;
    }
    const overall = OVERALL.exec(text);
    if (overall) {
      this.overall = { text: overall[1]!.trim(), line };
      return;
    }
    const row = /^\|([^|]*)\|(.*?)\|?$/.exec(text);
    if (row) return this.row(row[1]!.trim(), row[2]!.trim(), line);
    this.json.line(text, line);
    if (!this.json.isCut && this.json.documents.length === 0) noteRefusal(this.collector, text, line);
  }

  /** What a component says stands beside its name or, wrapped, in the rows below it. */
  private row(name: string, value: string, line: number): void {
    const part = name.replace(/^->\s*/, '');
    if (value === '' && part === name) this.group = name;
    if (/\b(Warning|Failure)\b/.test(value)) {
      const subject = /^\d+$/.test(part) ? `${this.group} ${part}` : part;
      this.collector.remark('warning', 'dcgm.health.incident', `${subject === '' ? '' : `${subject}: `}${value}`, line);
    } else if (name === '' && value !== '') this.collector.remark('info', 'dcgm.health.detail', value, line);
  }

  end(end: StreamEnd): ParseResult {
    const { collector } = this;
    for (const document of this.json.documents) this.readJson(document);
    if (this.json.isCut) collector.doubt('dcgm.health.cut', 'The JSON report is not whole.');
    if (this.isTable && this.borders < 2) collector.doubt('dcgm.health.cut', 'The table is not whole.');
    this.judge();
    noteExit(collector, end);
    return collector.result();
  }

  private readJson({ value, lineOf }: JsonDocument): void {
    const body = asObject(asObject(value)?.['body']);
    for (const [name, entry] of Object.entries(body ?? {})) {
      const text = asText(asObject(entry)?.['value']);
      if (/^Overall Health$/i.test(name) && text !== undefined) this.overall = { text, line: lineOf(entry) };
      else if (JSON.stringify(entry).match(/"(Warning|Failure)"/)) collectIncident(this.collector, name, entry, lineOf(entry));
    }
  }

  private judge(): void {
    const { collector, overall } = this;
    if (!overall) {
      if (!collector.hasDoubt) collector.doubt('dcgm.health.unknown-format', 'There is no overall health in this output.');
      return;
    }
    const state = STATES[overall.text.trim().toLowerCase()];
    if (!state) return collector.doubt('dcgm.health.unknown-state', `The overall health is "${overall.text.slice(0, 40)}", which is not known.`, overall.line);
    collector.measure({ metric: 'dcgm.health', value: state, line: overall.line });
    if (state === 'failure') collector.fault('dcgm.health.failure', 'DCGM reports a health failure.', overall.line);
  }
}

function collectIncident(collector: ResultCollector, name: string, entry: unknown, line: number): void {
  collector.remark('warning', 'dcgm.health.incident', `${name}: ${JSON.stringify(entry).slice(0, 300)}`, line);
}

export const probe: ProbeDefinition = {
  id: ID,
  parser: PARSER,
  title: 'DCGM health',
  proves: "DCGM's passive health state. Advisory: it has been healthy while a GPU needed a reset.",
  metrics: [{ metric: 'dcgm.health', title: 'Overall health: healthy, warning or failure', valueType: 'text' }],
  createParser: (options) => new HealthParser(options),
  // Without watches set by whoever runs the machine the answer is "not enabled": setting them would change the host.
  plan: (_parameters, host) => withDcgmi(host, (path) => ({ kind: 'command', argv: [path, 'health', '-g', '0', '-c', '-j'], timeoutMs: 60_000, expectedDurationMs: 2_000, invasive: false })),
};
