import type { LineParser, Measurement, ParseResult, ParserOptions, ProbeDefinition, StreamEnd } from '../contract';
import { noteExit, noteRefusal, withDcgmi } from '../dcgm/session';
import { stripAnsi } from '../text/ansi';
import { parseDecimal } from '../text/numbers';
import { ResultCollector } from '../text/result-collector';
import { DEFAULT_FIELD_IDS, FIELDS } from './fields';
import { SampleSeries } from './series';

const ID = 'dcgmi-dmon';
const PARSER = `${ID}/2`;

/** Entities hold a blank: `GPU 0`, `GPU-I 3`, `GPU 0 LINK 3`. DCGM 2 sets them to the right. */
const ENTITY = /^\s*((?:GPU(?:-C?I)?|vGPU|CPU|Core|(?:Nv)?Switch|Link|ConnectX|CX)\s+\d+(?:\s+LINK\s+\d+)?)(?=\s|$)/i;
/** The second line of a header; DCGM 2 puts units into it. */
const UNITS = /^\s*Id(?:\s+\S{1,8})*\s*$/i;
const COMMAND = /(?:^|[\s/])dcgmi\s+dmon\b/;
/** `N/A`; DCGM 1 also wrote `N/W` (not watched) and the like. */
const NO_VALUE = /^(?:N\/[A-Z])?$/;

interface Column {
  tag: string;
  start: number;
}

class DmonParser implements LineParser {
  private readonly collector: ResultCollector;
  private readonly series = new SampleSeries();
  private readonly samples = new Map<string, number>();
  private columns: Column[] | undefined;
  private rejected = 0;

  constructor(private readonly options?: ParserOptions) {
    this.collector = new ResultCollector({ id: ID, parser: PARSER });
  }

  line(raw: string, line: number): void {
    const text = stripAnsi(raw);
    if (/^\s*#\s*Entity/.test(text)) {
      this.columns = [...text.matchAll(/\S+/g)].map((match) => ({ tag: match[0], start: match.index })).filter(({ tag }) => !/^#|^Entity$/.test(tag));
      return;
    }
    const entity = this.columns && ENTITY.exec(text);
    if (entity) this.sample(entity, text, line);
    else if (text.trim() !== '' && !UNITS.test(text) && !/^dmon was stopped/.test(text) && !COMMAND.test(text)) {
      if (!noteRefusal(this.collector, text, line)) this.collector.remark('info', 'dcgm.dmon.other-line', `A line is no sample: ${text.trim().slice(0, 120)}`, line);
    }
  }

  private sample([before, name = '']: RegExpExecArray, text: string, line: number): void {
    const columns = this.columns!;
    const entity = name.replace(/\s+/g, ' ');
    const number = (this.samples.get(entity) ?? 0) + 1;
    this.samples.set(entity, number);
    const cells = this.cells(text, before.length);
    for (const [index, { tag }] of columns.entries()) {
      const cell = cells[index] ?? '';
      if (!NO_VALUE.test(cell)) this.value(entity, tag, cell, number, line);
    }
  }

  /** One word a column; otherwise by the columns of the header, because newer versions leave cells empty. */
  private cells(text: string, start: number): string[] {
    const columns = this.columns!;
    const words = text.slice(start).trim().split(/\s+/);
    if (words.length === columns.length) return words;
    return columns.map((column, index) => text.slice(Math.max(start, column.start), columns[index + 1]?.start).trim());
  }

  private value(entity: string, tag: string, cell: string, sample: number, line: number): void {
    const value = parseDecimal(cell);
    const { unit, maximum } = FIELDS[tag] ?? {};
    if (value === undefined || value < 0 || (maximum !== undefined && value > maximum)) {
      this.rejected++;
      this.collector.remark('warning', 'dcgm.dmon.implausible', `${entity} gave the value "${cell.slice(0, 40)}" for ${tag}, which cannot be right; it is left out.`, line);
      return;
    }
    const measurement: Measurement = { metric: 'dcgm.field', value, ...(unit === undefined ? {} : { unit }), labels: { entity, tag, sample: String(sample) }, line };
    this.series.add(`${entity}|${tag}`, measurement);
    this.options?.onMeasurement?.(measurement);
  }

  end(end: StreamEnd): ParseResult {
    const { collector } = this;
    for (const measurement of this.series.all()) collector.measure(measurement);
    if (this.series.isThinned) collector.remark('info', 'dcgm.dmon.thinned', 'The stream is long: samples were thinned, their smallest and largest values kept.');
    if (!this.columns && !collector.hasDoubt) collector.doubt('dcgm.dmon.unknown-format', 'There is no header line, so nothing is known of the columns.');
    if (this.rejected > 0) collector.context['rejectedValues'] = this.rejected;
    collector.context['entities'] = this.samples.size;
    noteExit(collector, end);
    return collector.result();
  }
}

export const probe: ProbeDefinition = {
  id: ID,
  parser: PARSER,
  title: 'DCGM live fields',
  proves: 'Utilisation, temperature, power and clocks while the other probes of the stage run.',
  isMonitor: true,
  metrics: [{ metric: 'dcgm.field', title: 'One sample of a DCGM field', valueType: 'number', labels: ['entity', 'tag', 'sample'] }],
  createParser: (options) => new DmonParser(options),
  plan: (parameters, host) =>
    withDcgmi(host, (path) => {
      const fieldIds = (parameters['fieldIds'] as number[] | undefined) ?? DEFAULT_FIELD_IDS;
      const intervalMs = (parameters['intervalMs'] as number | undefined) ?? 1_000;
      return { kind: 'command', argv: [path, 'dmon', '-e', fieldIds.join(','), '-d', String(intervalMs)], timeoutMs: 4 * 3_600_000, expectedDurationMs: 10_000, invasive: false };
    }),
};
