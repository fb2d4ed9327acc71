import { asArray, asObject, asText, type JsonDocument } from '../text/json-documents';
import type { ResultCollector } from '../text/result-collector';

const TITLE = /^NVLINK Error Counts$/i;
const GPU = /^GPU (\d{1,4})$/;
const LINK = /^Link (\d{1,3})$/;
const KIND = /^(?:-> )?(CRC FLIT|CRC Data|Replay|Recovery) Error$/;
const COUNT = /^\d{1,18}$/;
/** For example `Warning: Unable to retrieve nvlink Replay Error count for link 11 for gpuId 0 - ...`. */
const MISSING = /^Warning: Unable to retrieve nvlink .* count for link \d+ for gpuId \d+/;

/** The report of `dcgmi nvlink -e -g <gpu>` as a table or, with `-j`, as JSON (dcgmi/Nvlink.cpp). It covers one GPU. */
export class ErrorCountsReport {
  private hasTitle = false;
  private gpu: string | undefined;
  private link: string | undefined;
  private isOpen = false;
  private readonly counted = new Map<string, Set<string>>();

  constructor(private readonly collector: ResultCollector) {}

  get isFound(): boolean {
    return this.hasTitle;
  }

  /** False when the line is no line of this report. */
  line(text: string, line: number): boolean {
    if (MISSING.test(text)) {
      this.collector.doubt('nvlink.no-count', text.slice('Warning: '.length), line);
      return true;
    }
    if (/^\+[-=]{3,}\+/.test(text)) return this.border(text);
    const [, name, value] = /^\|\s*([^|]*?)\s*\|(?:\s*([^|]*?)\s*\|)?$/.exec(text) ?? [];
    if (name === undefined) return false;
    if (value === undefined) return this.heading(name, line);
    return this.hasTitle && this.row(name, value, line);
  }

  /** `+---` above the title, `+===` below it, `+---` at the end. */
  private border(text: string): boolean {
    if (this.hasTitle) this.isOpen = text.startsWith('+=');
    return this.hasTitle;
  }

  private heading(name: string, line: number): boolean {
    const gpu = GPU.exec(name)?.[1];
    if (TITLE.test(name)) return this.start(line);
    if (gpu !== undefined && this.hasTitle) this.gpu = gpu;
    return gpu !== undefined;
  }

  private start(line: number): true {
    if (this.isOpen) this.collector.doubt('nvlink.cut', 'A report begins before the one before it ended.', line);
    this.hasTitle = this.isOpen = true;
    this.gpu = this.link = undefined;
    return true;
  }

  private row(name: string, value: string, line: number): true {
    const link = LINK.exec(name)?.[1];
    if (link !== undefined) this.link = link;
    else this.count(name, value, line);
    return true;
  }

  private count(name: string, value: string, line: number): void {
    const { collector, gpu, link } = this;
    const kind = KIND.exec(name)?.[1];
    if (kind === undefined || gpu === undefined || link === undefined) return collector.doubt('nvlink.unknown-row', `The row "${name.slice(0, 60)}" is not known, or belongs to no link.`, line);
    const key = `${gpu} ${link}`;
    const kinds = this.counted.get(key) ?? new Set();
    this.counted.set(key, kinds);
    if (kinds.has(kind)) collector.doubt('nvlink.duplicate', `${kind} errors of link ${link} of GPU ${gpu} are listed twice.`, line);
    kinds.add(kind);
    // DCGM's blank values are numbers above 9.2e18.
    if (!COUNT.test(value)) return collector.doubt('nvlink.no-count', `There is no number of ${kind} errors of link ${link} of GPU ${gpu}: "${value.slice(0, 40)}".`, line);
    collector.measure({ metric: 'nvlink.errors', value: Number(value), labels: { gpu, link, kind: kind.toLowerCase().replace(' ', '_') }, line });
    if (Number(value) > 0) collector.remark('warning', 'nvlink.errors', `Link ${link} of GPU ${gpu} counted ${value} ${kind} errors.`, line);
    return undefined;
  }

  /** False when the document is no report of this kind. */
  json({ value, line, lineOf }: JsonDocument): boolean {
    const headers = asArray(asObject(value)?.['header']).flatMap((header) => asText(header) ?? []);
    if (!headers.some((header) => TITLE.test(header))) return false;
    this.start(line);
    this.gpu = headers.flatMap((header) => GPU.exec(header)?.[1] ?? [])[0];
    for (const [name, entry] of Object.entries(asObject(asObject(value)?.['body']) ?? {})) {
      this.row(name, '', lineOf(entry));
      for (const [kind, count] of Object.entries(asObject(asObject(entry)?.['children']) ?? {})) this.row(kind, asText(asObject(count)?.['value']) ?? '', lineOf(count));
    }
    this.isOpen = false;
    return true;
  }

  end(): void {
    if (this.isOpen) this.collector.doubt('nvlink.cut', 'The table is not whole: its last line is missing.');
    const most = Math.max(0, ...[...this.counted.values()].map(({ size }) => size));
    const short = [...this.counted].filter(([, kinds]) => kinds.size < most).map(([key]) => key.replace(' ', ' link '));
    if (short.length > 0) this.collector.doubt('nvlink.cut', `Counters are missing of GPU ${short.join(', ')}.`);
  }
}
