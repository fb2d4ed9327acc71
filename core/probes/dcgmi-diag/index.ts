import type { LineParser, ParseResult, ParserOptions, ProbeDefinition, StreamEnd } from '../contract';
import { JsonDocuments } from '../text/json-documents';
import { isDcgmAtLeast, noteExit, noteRefusal, withDcgmi } from '../dcgm/session';
import { stripAnsi } from '../text/ansi';
import { ResultCollector } from '../text/result-collector';
import { readJsonReports } from './json-report';
import { judgeReport } from './judge-report';
import { TextTable } from './text-table';

const ID = 'dcgmi-diag';
const PARSER = `${ID}/3`;

/** Tests that reported errors, and an error that asks to isolate: the report itself says which. */
const TESTS_REPORTED_ERRORS = [226, 205];

class DiagParser implements LineParser {
  private readonly collector: ResultCollector;
  private readonly json = new JsonDocuments();
  private readonly table = new TextTable();

  constructor(options?: ParserOptions) {
    this.collector = new ResultCollector({ id: ID, parser: PARSER }, options);
  }

  line(raw: string, line: number): void {
    const text = stripAnsi(raw);
    if (this.table.line(text.trim(), line)) return;
    this.json.line(text, line);
    if (!this.json.isCut) noteRefusal(this.collector, text, line);
  }

  end(end: StreamEnd): ParseResult {
    const { collector } = this;
    if (this.json.documents.length > 0 || this.json.isCut || this.json.isDamaged) this.endJson();
    else if (this.table.rows > 0) this.endTable();
    noteExit(collector, end, [0, ...TESTS_REPORTED_ERRORS]);
    const result = collector.result();
    if (TESTS_REPORTED_ERRORS.includes(end.exitCode ?? 0) && !this.explains(result)) {
      collector.doubt('dcgm.exit-code', `dcgmi ended with exit code ${end.exitCode}, but its report shows no error.`);
      return collector.result();
    }
    return result;
  }

  private explains({ reasons, outcome }: ParseResult): boolean {
    return outcome !== 'measured' || reasons.some(({ code }) => code === 'dcgm.diag.config');
  }

  private endJson(): void {
    const reports = this.json.documents.flatMap(readJsonReports);
    for (const report of reports) judgeReport(report, this.collector);
    if (this.json.isCut) this.collector.doubt('dcgm.diag.cut', 'The JSON report is not whole.');
    else if (reports.length === 0) this.collector.doubt('dcgm.diag.unknown-format', 'This is no report of dcgmi diag that this version knows.');
    else if (this.json.isDamaged) this.collector.doubt('dcgm.diag.cut', 'A part of the report is no valid JSON.');
    if (reports.length > 0 && reports.every(({ tests }) => tests.length === 0)) this.collector.doubt('dcgm.diag.no-tests', 'The report holds no test.');
  }

  private endTable(): void {
    judgeReport(this.table.report, this.collector);
    if (!this.table.isClosed || !this.table.hasHeader) this.collector.doubt('dcgm.diag.cut', 'The table is not whole: its first or its last line is missing.');
  }
}

const LEVELS = {
  1: { timeoutMs: 300_000, expectedDurationMs: 20_000 },
  2: { timeoutMs: 900_000, expectedDurationMs: 150_000 },
  3: { timeoutMs: 2_700_000, expectedDurationMs: 900_000 },
  4: { timeoutMs: 10_800_000, expectedDurationMs: 5_400_000 },
} as const;

export const probe: ProbeDefinition = {
  id: ID,
  parser: PARSER,
  title: 'DCGM diagnostic',
  proves: "What DCGM's own tests of software, memory, PCIe and load find. A pass is evidence of that run, not a promise.",
  metrics: [
    { metric: 'dcgm.diag.status', title: 'Result of a test: pass, fail, skip, not-run or config', valueType: 'text', labels: ['test', 'gpu', 'entity'] },
    { metric: 'dcgm.diag.value', title: 'Number from an info line (bandwidth, latency, compute rate)', valueType: 'number', labels: ['test', 'name', 'gpu'], needsIdleGpus: true },
    { metric: 'dcgm.version', title: 'DCGM version', valueType: 'text' },
  ],
  createParser: (options) => new DiagParser(options),
  plan: (parameters, host) =>
    withDcgmi(host, (path) => {
      const level = (parameters['level'] ?? 1) as keyof typeof LEVELS;
      const entities = (parameters['entities'] as string[] | undefined) ?? [];
      // Before DCGM 4, -i takes plain GPU indices; both forms name the same GPUs.
      const names = isDcgmAtLeast(host.dcgmVersion, [4]) ? entities : entities.map((entity) => entity.replace(/^gpu:/, ''));
      return {
        kind: 'command',
        argv: [path, 'diag', '-r', String(level), '-j', ...(names.length > 0 ? ['-i', names.join(',')] : [])],
        ...LEVELS[level],
        invasive: level > 1,
      };
    }),
};
