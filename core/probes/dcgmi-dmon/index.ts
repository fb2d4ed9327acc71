import type { LineParser, Measurement, ParseResult, ParserOptions, ProbeDefinition, StreamEnd } from '../contract';
import { noteExit, noteRefusal, withDcgmi } from '../dcgm/session';
import { stripAnsi } from '../text/ansi';
import { parseDecimal } from '../text/numbers';
import { ResultCollector } from '../text/result-collector';
import { DEFAULT_FIELD_IDS, FIELDS } from './fields';
import { SampleSeries } from './series';

const ID = 'dcgmi-dmon';
const PARSER = `${ID}/1`;

const ENTITY = /^(GPU|GPU-I|GPU-CI|CPU|CORE|NvSwitch|SWITCH|LINK|GPU \d+ LINK)\b/i;

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
    } else if (this.columns && ENTITY.test(text)) this.sample(text, line);
    else if (!/^\s*(ID|Id)?\s*$/.test(text) && !/^dmon was stopped/.test(text)) {
      if (!noteRefusal(this.collector, text, line)) this.collector.remark('info', 'dcgm.dmon.other-line', `A line is no sample: ${text.trim().slice(0, 120)}`, line);
    }
  }

  /** Cells by the columns of the header: entities hold blanks, and newer versions leave cells empty. */
  private sample(text: string, line: number): void {
    const columns = this.columns!;
    const entity = text.slice(0, columns[0]?.start ?? text.length).trim();
    const number = (this.samples.get(entity) ?? 0) + 1;
    this.samples.set(entity, number);
    for (const [index, { tag, start }] of columns.entries()) {
      const cell = text.slice(start, columns[index + 1]?.start).trim();
      if (cell === '' || cell === 'N/A') continue;
      this.value(entity, tag, cell, number, line);
    }
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
