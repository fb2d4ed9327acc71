import type { LineParser, ParserOptions, ParseResult, ProbeDefinition, StreamEnd } from '../contract';
import { type GpuLine, GpuCensus, parseGpuLine } from '../nvidia-smi/gpu-identity';
import { planNvidiaSmi } from '../nvidia-smi/plan';
import { SmiSession } from '../nvidia-smi/session';
import { parseDecimal } from '../text/numbers';

const ID = 'nvidia-smi-nvlink';
const PARSER = `${ID}/2`;

const LINK_LINE = /^\s*Link (\d{1,3}): (.+?)\s*$/;
/** `Replay Errors: 0`, as `nvlink -e` prints a line for each link and kind. */
const ERROR_COUNTER = /^([A-Z][A-Za-z ]*?) Errors?: (\d+)$/;
/** Lines of the reports of `nvlink -c`, `-gt`, `-R`, `-p` and of newer counters. */
const OTHER_REPORT = /^\s*Link \d{1,3}(?:, [^:]+|: [A-Z][^:]*): \S/;
const SPEED = /^(\S+) GB\/s$/;
const INACTIVE = /^<?inactive>?$/i;
/** Printed instead of links; the first one also spelled `NVLink … inactive`. */
const ALL_INACTIVE = /unable to retrieve nvlink information as all links are inactive/i;
const REFUSED = /nvlink queries are not supported|does not (?:have or )?support nvlink|unable to retrieve nvlink information/i;

interface GpuLinks extends GpuLine {
  line: number;
  speeds: { value: number; line: number }[];
  inactive: number;
  seen: Set<number>;
  /** Links and kinds of error counters. */
  counters: Set<string>;
  /** The tool gave a sentence instead of links. */
  isExplained: boolean;
}

class NvlinkParser implements LineParser {
  private readonly session: SmiSession;
  private readonly census: GpuCensus;
  private current: GpuLinks | undefined;
  /** Links and counters per GPU in order, to see whether the last one was cut off. */
  private readonly linkCounts: { index: number; name: string; values: number; line: number }[] = [];

  constructor(options?: ParserOptions) {
    this.session = new SmiSession({ id: ID, parser: PARSER }, options);
    this.census = new GpuCensus(this.session.collector);
  }

  line(raw: string, line: number): void {
    const text = this.session.clean(raw);
    const gpu = this.gpuHeader(text);
    if (gpu) this.startGpu(gpu, line);
    else if (!this.linkLine(text, line) && !this.sentence(text, line)) this.session.other(text, line);
  }

  end(end: StreamEnd): ParseResult {
    this.finishGpu();
    this.judgeLastGpu();
    return this.session.end(end);
  }

  /** Some versions of this output name a GPU without its UUID. */
  private gpuHeader(text: string): GpuLine | undefined {
    const known = parseGpuLine(text);
    if (known) return known;
    const bare = /^GPU (\d{1,3}): ([^:]+?)(?: \(UUID: [^()]*\))?$/.exec(text);
    return bare ? { index: Number(bare[1]), name: bare[2] ?? '' } : undefined;
  }

  private startGpu(gpu: GpuLine, line: number): void {
    this.finishGpu();
    this.census.add(gpu.index, line, [gpu.uuid]);
    this.current = { ...gpu, line, speeds: [], inactive: 0, seen: new Set(), counters: new Set(), isExplained: false };
  }

  private linkLine(text: string, line: number): boolean {
    const match = LINK_LINE.exec(text);
    if (!this.current) return false;
    if (!match) return OTHER_REPORT.test(text) && this.otherReport(this.current, line);
    const [, link, state] = match as unknown as [string, string, string];
    const index = Number(link);
    const { collector } = this.session;
    const [, kind, count] = ERROR_COUNTER.exec(state) ?? [];
    if (kind !== undefined && count !== undefined) return this.errorCounter(this.current, link, kind, Number(count), line);
    if (OTHER_REPORT.test(text)) return this.otherReport(this.current, line);
    if (this.current.seen.has(index)) {
      collector.doubt('nvlink.duplicate-link', `Link ${link} of GPU ${this.current.index} is listed twice.`, line);
      return true;
    }
    const speed = parseDecimal(SPEED.exec(state)?.[1] ?? '');
    if (speed !== undefined && speed > 0) this.current.speeds.push({ value: speed, line });
    else if (INACTIVE.test(state)) this.current.inactive++;
    else collector.doubt('nvlink.unknown-state', `Link ${link} of GPU ${this.current.index} has the unknown state ${JSON.stringify(state.slice(0, 60))}.`, line);
    this.current.seen.add(index);
    return true;
  }

  private errorCounter(gpu: GpuLinks, link: string, kind: string, value: number, line: number): true {
    const { collector } = this.session;
    const key = `${link} ${kind}`;
    if (gpu.counters.has(key)) collector.doubt('nvlink.duplicate-link', `${kind} errors of link ${link} of GPU ${gpu.index} are listed twice.`, line);
    gpu.counters.add(key);
    collector.measure({ metric: 'nvlink.errors', value, labels: { gpu: String(gpu.index), link, kind: kind.toLowerCase().replace(/\s+/g, '_') }, line });
    if (value > 0) collector.remark('warning', 'nvlink.errors', `Link ${link} of GPU ${gpu.index} counted ${value} ${kind.toLowerCase()} errors.`, line);
    return true;
  }

  private otherReport(gpu: GpuLinks, line: number): true {
    gpu.isExplained = true;
    this.session.collector.doubt('nvlink.other-report', 'This is another report of nvidia-smi nvlink. Its status report is printed by `nvidia-smi nvlink -s`.', line);
    return true;
  }

  private sentence(text: string, line: number): boolean {
    if (!REFUSED.test(text)) return false;
    const who = this.current ? `GPU ${this.current.index}` : 'A GPU';
    if (this.current) this.current.isExplained = true;
    if (ALL_INACTIVE.test(text)) {
      if (this.current) this.session.collector.measure({ metric: 'nvlink.active', value: 0, labels: { gpu: String(this.current.index) }, line });
      this.session.collector.doubt('nvlink.all-inactive', `${who}: all NVLinks are inactive. A GPU without a bridge looks the same as one whose links are all down.`, line);
    } else if (/mig mode/i.test(text)) {
      this.session.collector.doubt('nvlink.mig', `${who} is in MIG mode: NVLink cannot be queried, so it is not proven.`, line);
    } else {
      this.session.collector.doubt('nvlink.not-supported', `${who} does not have or support NVLink.`, line);
    }
    return true;
  }

  private finishGpu(): void {
    const gpu = this.current;
    this.current = undefined;
    if (!gpu) return;
    const { collector } = this.session;
    const values = gpu.seen.size + gpu.counters.size;
    if (values > 0) this.linkCounts.push({ index: gpu.index, name: gpu.name, values, line: gpu.line });
    if (gpu.seen.size === 0) {
      if (!gpu.isExplained && gpu.counters.size === 0) collector.doubt('nvlink.no-links', `GPU ${gpu.index} lists no links.`, gpu.line);
      return;
    }
    const labels = { gpu: String(gpu.index) };
    collector.measure({ metric: 'nvlink.active', value: gpu.speeds.length, labels, line: gpu.line });
    collector.measure({ metric: 'nvlink.inactive', value: gpu.inactive, labels, line: gpu.line });
    this.speeds(gpu, labels);
    if (gpu.inactive > 0) collector.remark('warning', 'nvlink.inactive', `${gpu.inactive} of ${gpu.seen.size} links of GPU ${gpu.index} are inactive.`, gpu.line);
    const highest = Math.max(...gpu.seen);
    if (highest + 1 !== gpu.seen.size) {
      collector.remark('warning', 'nvlink.gap', `GPU ${gpu.index} lists ${gpu.seen.size} links, but link numbers up to ${highest}.`, gpu.line);
    }
  }

  /** The slowest link stands for the GPU: an average would hide one that trained down. */
  private speeds(gpu: GpuLinks, labels: { gpu: string }): void {
    const [first] = gpu.speeds;
    if (!first) return;
    const slowest = gpu.speeds.reduce((low, speed) => (speed.value < low.value ? speed : low), first);
    const fastest = Math.max(...gpu.speeds.map(({ value }) => value));
    this.session.collector.measure({ metric: 'nvlink.speed', value: slowest.value, unit: 'GB/s', labels, line: slowest.line });
    if (fastest > slowest.value) {
      this.session.collector.remark('warning', 'nvlink.uneven-speed', `The links of GPU ${gpu.index} run at ${slowest.value} to ${fastest} GB/s.`, slowest.line);
    }
  }

  private judgeLastGpu(): void {
    const last = this.linkCounts.at(-1);
    const peers = this.linkCounts.slice(0, -1).filter(({ name }) => name === last?.name);
    const most = Math.max(0, ...peers.map(({ values }) => values));
    if (!last || last.values >= most) return;
    this.session.collector.doubt('nvlink.cut', `GPU ${last.index} lists ${last.values} values, others of its model ${most}: the output looks cut off.`, last.line);
  }
}

export const probe: ProbeDefinition = {
  id: ID,
  parser: PARSER,
  title: 'NVLink status (nvidia-smi nvlink -s)',
  proves: 'How many NVLinks of each GPU are up and how fast each one runs.',
  metrics: [
    { metric: 'nvlink.active', title: 'Active NVLinks', valueType: 'number', labels: ['gpu'], better: 'higher' },
    { metric: 'nvlink.inactive', title: 'Inactive NVLinks', valueType: 'number', labels: ['gpu'], better: 'lower' },
    { metric: 'nvlink.errors', title: 'Errors that a link counted, in the report of `nvlink -e`', valueType: 'number', labels: ['gpu', 'link', 'kind'], better: 'lower' },
    { metric: 'nvlink.speed', title: 'Speed of the slowest active NVLink', unit: 'GB/s', valueType: 'number', labels: ['gpu'], better: 'higher' },
  ],
  createParser: (options) => new NvlinkParser(options),
  plan: (_parameters, host) => {
    if (host.migEnabled === true) {
      const message = 'A GPU is in MIG mode: nvidia-smi refuses NVLink queries there. Turn MIG off, or leave this probe out.';
      return { kind: 'unprovable', reason: { code: 'nvlink.mig', severity: 'error', message } };
    }
    return planNvidiaSmi(host, ['nvlink', '-s']);
  },
};
