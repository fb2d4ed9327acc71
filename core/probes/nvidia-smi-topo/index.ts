import type { LineParser, ParserOptions, ParseResult, ProbeDefinition, StreamEnd } from '../contract';
import { planNvidiaSmi } from '../nvidia-smi/plan';
import { SmiSession } from '../nvidia-smi/session';
import { isGpu, type MatrixHeader, type MatrixRow, parseHeader, parseRow } from './matrix';

const ID = 'nvidia-smi-topo';
const PARSER = `${ID}/2`;

/** What is left of the escape codes around the header when a copy lost or replaced the escape character itself. */
const BARE_ESCAPES = /[\ufffd\u241b]?\[\d{0,2}m/g;
/** A title above the matrix, as reports of the environment set it (`GPU Topology:`), and lines that only decorate. */
const HEADING = /^\s*(?:(?:NVIDIA |GPU |System )?topology(?: matrix| info(?:rmation)?| analysis)?:?|[-=_*#~+]{3,})\s*$/i;

const LEGEND_TITLE = /^\s*(?:NIC )?Legend:\s*$/;
/** `  NV#  = Connection traversing …` */
const LEGEND_LINE = /^\s*(X|SYS|NODE|PHB|PXB|PIX|SOC|NV#)\s+= \S/;
/** `  NIC0: mlx5_0` */
const NIC_LEGEND_LINE = /^\s*(NIC\d+): (\S+)\s*$/;

class TopologyParser implements LineParser {
  private readonly session: SmiSession;
  private header: MatrixHeader | undefined;
  private readonly rows = new Map<string, MatrixRow & { line: number }>();
  private isBroken = false;
  private readonly nicNames = new Map<string, string>();

  constructor(options?: ParserOptions) {
    this.session = new SmiSession({ id: ID, parser: PARSER }, options);
  }

  line(raw: string, line: number): void {
    const text = this.session.clean(raw).replace(BARE_ESCAPES, '');
    if (text.trim() === '' || LEGEND_TITLE.test(text) || LEGEND_LINE.test(text)) return;
    if (this.header === undefined) this.header = parseHeader(text);
    else if (this.row(this.header, text, line) || this.nicLegend(text, line)) return;
    else {
      this.session.other(text, line);
      return;
    }
    if (this.header === undefined && !HEADING.test(text)) this.session.other(text, line);
  }

  end(end: StreamEnd): ParseResult {
    const { collector } = this.session;
    if (this.header) this.judge(this.header);
    else if (!collector.hasFault && !collector.hasDoubt) collector.doubt('topology.no-matrix', 'There is no topology matrix in the output.');
    return this.session.end(end);
  }

  private row(header: MatrixHeader, text: string, line: number): boolean {
    const reading = parseRow(text, header);
    if (!reading) return false;
    const { collector } = this.session;
    if ('problem' in reading) {
      this.isBroken = true;
      collector.doubt('topology.bad-row', `The matrix is damaged: ${reading.problem}.`, line);
      return true;
    }
    const { row } = reading;
    if (this.rows.has(row.device)) {
      this.isBroken = true;
      collector.doubt('topology.duplicate-row', `${row.device} has two rows.`, line);
      return true;
    }
    this.rows.set(row.device, { ...row, line });
    this.measureLinks(header, row, line);
    if (isGpu(row.device)) this.measureTail(row, line);
    return true;
  }

  /** Each unordered pair once, from the row of the device that stands first. */
  private measureLinks(header: MatrixHeader, { device, links }: MatrixRow, line: number): void {
    const self = header.devices.indexOf(device);
    links.forEach((value, index) => {
      const to = header.devices[index];
      if (index <= self || to === undefined) return;
      this.session.collector.measure({ metric: 'topology.link', value, labels: { from: device, to }, line });
    });
  }

  private measureTail(row: MatrixRow, line: number): void {
    const { collector } = this.session;
    const labels = { gpu: row.device.slice('GPU'.length) };
    if (row.isTailUnclear) collector.doubt('topology.unclear-affinity', `The cells behind the links of ${row.device} do not fit the header.`, line);
    if (row.cpuAffinity !== undefined) collector.measure({ metric: 'topology.cpu_affinity', value: row.cpuAffinity, labels, line });
    else collector.remark('info', 'topology.no-affinity', 'No CPU affinity is given for a GPU: hidden in a container or virtual machine.', line);
    if (row.numaAffinity !== undefined) collector.measure({ metric: 'topology.numa_affinity', value: row.numaAffinity, labels, line });
    if (row.gpuNumaId !== undefined) collector.measure({ metric: 'topology.gpu_numa_id', value: row.gpuNumaId, labels, line });
  }

  private nicLegend(text: string, line: number): boolean {
    const match = NIC_LEGEND_LINE.exec(text);
    if (!match) return false;
    const [, nic, name] = match as unknown as [string, string, string];
    if (this.nicNames.has(nic) || !this.header?.devices.includes(nic)) {
      this.session.collector.doubt('topology.nic-legend', `The NIC legend names ${nic}, which is not a column of the matrix or was named before.`, line);
      return true;
    }
    this.nicNames.set(nic, name);
    this.session.collector.measure({ metric: 'nic.name', value: name, labels: { nic }, line });
    return true;
  }

  private judge(header: MatrixHeader): void {
    const { collector } = this.session;
    const missing = header.devices.filter((device) => !this.rows.has(device));
    if (missing.length > 0) {
      if (!this.isBroken) collector.doubt('topology.missing-rows', `The matrix has no row for ${missing.slice(0, 8).join(', ')}: it is cut.`);
      return;
    }
    const gpus = header.devices.filter(isGpu);
    collector.measure({ metric: 'gpu.count', value: gpus.length });
    collector.measure({ metric: 'nic.count', value: header.devices.length - gpus.length });
    this.judgeSymmetry(header);
    this.judgeNicLegend(header);
    this.tellHiddenTopology(gpus);
  }

  private judgeSymmetry(header: MatrixHeader): void {
    for (const [at, a] of header.devices.entries()) {
      for (const [bt, b] of header.devices.entries()) {
        if (bt <= at) continue;
        const there = this.rows.get(a)?.links[bt];
        const back = this.rows.get(b)?.links[at];
        if (there === back) continue;
        this.session.collector.doubt('topology.asymmetric', `${a}–${b} is ${there} in one row and ${back} in the other.`, this.rows.get(b)?.line);
      }
    }
  }

  private judgeNicLegend(header: MatrixHeader): void {
    const nics = header.devices.filter((device) => /^NIC\d+$/.test(device));
    const unnamed = nics.filter((nic) => !this.nicNames.has(nic));
    if (this.nicNames.size === 0 || unnamed.length === 0) return;
    this.session.collector.doubt('topology.nic-legend', `The NIC legend does not name ${unnamed.slice(0, 8).join(', ')}: the output is cut.`);
  }

  /** A hypervisor that shows no PCIe tree makes every path look like one through the host bridge. */
  private tellHiddenTopology(gpus: readonly string[]): void {
    if (gpus.length < 2) return;
    const links = gpus.flatMap((gpu) => this.rows.get(gpu)?.links ?? []).filter((link) => link !== 'X');
    const overPcie = links.filter((link) => !/^NV\d/.test(link));
    if (overPcie.length === 0 || overPcie.some((link) => link !== 'PHB')) return;
    const message =
      overPcie.length === links.length
        ? 'Every path is PHB: one host bridge joins all devices, or a virtual machine hides the topology, so distances are not proven.'
        : 'Every path without NVLink is PHB: one host bridge joins all devices, or a virtual machine hides the PCIe topology.';
    this.session.collector.remark('warning', 'topology.hidden', message);
  }
}

export const probe: ProbeDefinition = {
  id: ID,
  parser: PARSER,
  title: 'Topology (nvidia-smi topo -m)',
  proves: 'How GPUs and network interfaces are connected, and which CPUs are near each GPU.',
  metrics: [
    { metric: 'gpu.count', title: 'GPUs', valueType: 'number', better: 'higher' },
    { metric: 'nic.count', title: 'Network interfaces in the matrix', valueType: 'number', better: 'higher' },
    { metric: 'topology.link', title: 'Link between two devices', valueType: 'text', labels: ['from', 'to'] },
    { metric: 'topology.cpu_affinity', title: 'CPUs near the GPU', valueType: 'text', labels: ['gpu'] },
    { metric: 'topology.numa_affinity', title: 'NUMA node near the GPU', valueType: 'text', labels: ['gpu'] },
    { metric: 'topology.gpu_numa_id', title: 'NUMA node of the GPU memory', valueType: 'text', labels: ['gpu'] },
    { metric: 'nic.name', title: 'Network device', valueType: 'text', labels: ['nic'] },
  ],
  createParser: (options) => new TopologyParser(options),
  plan: (_parameters, host) => planNvidiaSmi(host, ['topo', '-m']),
};
