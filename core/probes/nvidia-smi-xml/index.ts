import type { LineParser, ParserOptions, ParseResult, ProbeDefinition, StreamEnd } from '../contract';
import { describeFields, GPU_FIELDS, type GpuField } from '../nvidia-smi/fields';
import { GpuCensus } from '../nvidia-smi/gpu-identity';
import { planNvidiaSmi } from '../nvidia-smi/plan';
import { recordGpuValue } from '../nvidia-smi/record';
import { SmiSession } from '../nvidia-smi/session';
import { parseInteger } from '../text/numbers';
import { type XmlHandler, XmlReader } from './xml-reader';

const ID = 'nvidia-smi-xml';
const PARSER = `${ID}/1`;

const ROOT = 'nvidia_smi_log';
const XML_FIELDS = GPU_FIELDS.filter(({ xml }) => xml !== undefined);
const FIELD_BY_PATH = new Map<string, GpuField>(XML_FIELDS.flatMap((field) => (field.xml ?? []).map((path) => [path, field] as const)));
const DRIVER_FIELD = GPU_FIELDS.find(({ metric }) => metric === 'gpu.driver');

interface Gpu {
  index: number;
  line: number;
  uuid?: string;
  pci?: string;
  migDevices: number;
  processes: number;
  /** Old and new paths of one property can both be there: the first value counts. */
  measured: Set<string>;
  /** Paths of fields that were read: no path stands twice in a GPU. */
  paths: Set<string>;
}

class SmiXmlParser implements LineParser, XmlHandler {
  private readonly session: SmiSession;
  private readonly census: GpuCensus;
  private readonly reader = new XmlReader(this);
  private gpu: Gpu | undefined;
  private gpus = 0;
  private migDevices = 0;
  private attached: number | undefined;
  private driver: { text: string; line: number } | undefined;
  private isClosed = false;

  constructor(options?: ParserOptions) {
    this.session = new SmiSession({ id: ID, parser: PARSER }, options);
    this.census = new GpuCensus(this.session.collector);
  }

  line(raw: string, line: number): void {
    const text = this.session.clean(raw);
    // Outside of the document every line without a tag may be an error text, brackets included.
    if (!this.reader.isInside && !text.trimStart().startsWith('<')) this.session.other(text, line);
    else this.reader.line(text, line);
  }

  end(end: StreamEnd): ParseResult {
    const { collector } = this.session;
    if (this.gpus > 0) {
      collector.measure({ metric: 'gpu.count', value: this.gpus });
      collector.measure({ metric: 'mig.count', value: this.migDevices });
    }
    if (this.reader.isInside) collector.doubt('nvidia-smi.xml-cut', 'The document is not closed: it is cut.');
    else if (!this.isClosed && !collector.hasFault && !collector.hasDoubt) collector.doubt('nvidia-smi.no-xml', 'There is no nvidia-smi document in the output.');
    if (this.isClosed && this.attached !== this.gpus) {
      collector.doubt('nvidia-smi.row-count', `The document counts ${this.attached ?? 'no'} attached GPUs and describes ${this.gpus}: it is damaged, or a GPU is missing.`);
    }
    return this.session.end(end);
  }

  open(path: readonly string[], _attributes: string, line: number): void {
    if (path.length === 1 && path[0] !== ROOT) this.broken(`the root element is <${path[0]}>`, line);
    if (path.length === 2 && path[1] === 'gpu') {
      this.gpu = { index: this.gpus, line, migDevices: 0, processes: 0, measured: new Set(), paths: new Set() };
      this.gpus++;
      this.driverOf(this.gpu);
    }
  }

  leaf(path: readonly string[], text: string, line: number): void {
    if (path.length === 2) this.top(path[1] ?? '', text, line);
    const { gpu } = this;
    if (!gpu || path[1] !== 'gpu') return;
    const name = path.slice(2).join('/');
    if (name === 'uuid') gpu.uuid = text;
    if (name === 'pci/pci_bus_id') gpu.pci = text;
    const field = FIELD_BY_PATH.get(name);
    if (!field) return;
    if (gpu.paths.has(name)) this.broken(`<${name}> stands twice in GPU ${gpu.index}`, line);
    gpu.paths.add(name);
    if (gpu.measured.has(field.metric)) return;
    const value = recordGpuValue(field, text, { gpu: String(gpu.index), line, name }, this.session.collector);
    if (value !== undefined) gpu.measured.add(field.metric);
  }

  close(path: readonly string[], line: number): void {
    const [, top, group, item] = path;
    if (path.length === 1) {
      if (this.isClosed) this.broken('there are two documents', line);
      this.isClosed = true;
    } else if (this.gpu && top === 'gpu') {
      if (path.length === 2) this.finishGpu(this.gpu);
      else if (path.length === 4 && group === 'mig_devices' && item === 'mig_device') this.gpu.migDevices++;
      else if (path.length === 4 && group === 'processes' && item === 'process_info') this.gpu.processes++;
    }
  }

  declaration(text: string): void {
    const schema = /nvsmi_device_v(\d+)\.dtd/.exec(text)?.[1];
    if (schema !== undefined) this.session.collector.context['schema'] = `v${schema}`;
  }

  stray(text: string, line: number): void {
    this.session.other(text, line);
  }

  broken(problem: string, line: number): void {
    this.session.collector.doubt('nvidia-smi.xml-broken', `The document is damaged: ${problem}.`, line);
  }

  private top(name: string, text: string, line: number): void {
    if (name === 'driver_version') this.driver = { text, line };
    else if (name === 'cuda_version') this.session.collector.context['cudaVersion'] = text.slice(0, 40);
    else if (name === 'attached_gpus') this.attached = parseInteger(text);
  }

  private driverOf(gpu: Gpu): void {
    if (!this.driver || !DRIVER_FIELD) return;
    recordGpuValue(DRIVER_FIELD, this.driver.text, { gpu: String(gpu.index), line: this.driver.line, name: 'driver_version' }, this.session.collector);
  }

  private finishGpu({ index, line, uuid, pci, migDevices, processes }: Gpu): void {
    const { collector } = this.session;
    this.gpu = undefined;
    this.migDevices += migDevices;
    this.census.add(index, line, [uuid, pci]);
    if (uuid === undefined) collector.doubt('nvidia-smi.no-uuid', `GPU ${index} has no UUID.`, line);
    collector.measure({ metric: 'gpu.processes', value: processes, labels: { gpu: String(index) }, line });
  }
}

export const probe: ProbeDefinition = {
  id: ID,
  parser: PARSER,
  title: 'Full GPU report (nvidia-smi -q -x)',
  proves: 'Everything that nvidia-smi knows of each GPU: memory errors, repairs, throttling, PCIe, power, MIG, processes.',
  metrics: [
    { metric: 'gpu.count', title: 'GPUs', valueType: 'number', better: 'higher' },
    { metric: 'mig.count', title: 'MIG devices', valueType: 'number' },
    { metric: 'gpu.processes', title: 'Processes on the GPU', valueType: 'number', labels: ['gpu'] },
    ...describeFields(DRIVER_FIELD ? [DRIVER_FIELD, ...XML_FIELDS] : XML_FIELDS),
  ],
  createParser: (options) => new SmiXmlParser(options),
  plan: (_parameters, host) => planNvidiaSmi(host, ['-q', '-x']),
};
