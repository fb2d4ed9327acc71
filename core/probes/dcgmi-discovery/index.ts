import type { LineParser, ParseResult, ParserOptions, ProbeDefinition, StreamEnd } from '../contract';
import { noteExit, noteRefusal, withDcgmi } from '../dcgm/session';
import { stripAnsi } from '../text/ansi';
import { ResultCollector } from '../text/result-collector';

const ID = 'dcgmi-discovery';
const PARSER = `${ID}/2`;

const METRICS: Readonly<Record<string, string>> = { gpu: 'gpu.count', nvswitch: 'nvswitch.count', cpu: 'cpu.count', connectx: 'connectx.count' };

/** `2 GPUs found.`; from DCGM 4.5 on `2 GPUs found (Active).` */
const FOUND = /^\s*(\d+) (GPU|NvSwitch|CPU|ConnectX)(?:s|es)? found(?: \([A-Za-z ]+\))?\.?\s*$/i;
/** DCGM's blank text (DCGM_STR_BLANK of dcgm_structs.h), in place of a name that it could not read. */
const BLANK = /^<<<.*>>>$/;

class DiscoveryParser implements LineParser {
  private readonly collector: ResultCollector;
  private kind: string | undefined;
  private gpu: string | undefined;
  private announced: number | undefined;
  private readonly listed = new Set<string>();
  private openTables = 0;
  private borders = 0;

  constructor(options?: ParserOptions) {
    this.collector = new ResultCollector({ id: ID, parser: PARSER }, options);
  }

  line(raw: string, line: number): void {
    const text = stripAnsi(raw).trim();
    const found = FOUND.exec(text);
    if (found) return this.section(found[2]!.toLowerCase(), Number(found[1]), line);
    if (/^\+[-=+]+\+$/.test(text)) {
      this.borders++;
      return undefined;
    }
    if (text.startsWith('|')) return this.row(text, line);
    noteRefusal(this.collector, text, line);
    return undefined;
  }

  private section(kind: string, count: number, line: number): void {
    this.closeTable();
    this.kind = kind;
    this.openTables++;
    this.borders = 0;
    this.collector.measure({ metric: METRICS[kind]!, value: count, line });
    if (kind === 'gpu') this.announced = count;
  }

  private row(text: string, line: number): void {
    const [, id = '', value = ''] = /^\|([^|]*)\|(.*?)\|?\s*$/.exec(text) ?? [];
    if (this.kind !== 'gpu') return;
    if (/^\d+$/.test(id.trim())) this.gpu = id.trim();
    const [, key = '', detail = ''] = /^\s*(Name|PCI Bus ID|Device UUID|Error|Return|Status): (.*?)\s*$/.exec(value) ?? [];
    if (this.gpu === undefined || key === '') return;
    if (key === 'Error' || key === 'Return' || key === 'Status') return this.trouble(this.gpu, key, detail, line);
    if (key === 'Name') this.listed.add(this.gpu);
    if (BLANK.test(detail)) {
      this.collector.doubt('dcgm.discovery.blank', `DCGM could not read the ${key} of GPU ${this.gpu}.`, line);
      return;
    }
    const metric = { Name: 'gpu.name', 'PCI Bus ID': 'gpu.pci.bus_id', 'Device UUID': 'gpu.uuid' }[key]!;
    this.collector.measure({ metric, value: detail, labels: { gpu: this.gpu }, line });
  }

  /** `Error: Cannot get device attributes for GPU.` and `Return: GPU is lost`, or a state such as `Status: DETACHED`. */
  private trouble(gpu: string, key: string, detail: string, line: number): void {
    if (key === 'Status' && /^ok$/i.test(detail)) return;
    const isLost = /\blost\b|fallen off/i.test(detail);
    const message = `DCGM says of GPU ${gpu}: ${detail.slice(0, 120)}`;
    if (isLost) this.collector.fault('dcgm.discovery.gpu-lost', message, line);
    else this.collector.doubt('dcgm.discovery.gpu-error', message, line);
  }

  /** A table has a border above and below its head, and one at its end. */
  private closeTable(): void {
    if (this.openTables > 0 && this.borders < 3) this.collector.doubt('dcgm.discovery.cut', 'A table is not whole.');
  }

  end(end: StreamEnd): ParseResult {
    const { collector } = this;
    this.closeTable();
    if (this.announced !== undefined && this.announced !== this.listed.size) {
      collector.doubt('dcgm.discovery.count', `DCGM says that it found ${this.announced} GPUs, but lists ${this.listed.size}.`);
    }
    if (this.announced === 0) collector.fault('dcgm.discovery.no-gpus', 'DCGM finds no GPU.');
    if (this.announced === undefined && !collector.hasDoubt) collector.doubt('dcgm.discovery.unknown-format', 'This is no output of dcgmi discovery that this version knows.');
    noteExit(collector, end);
    return collector.result();
  }
}

export const probe: ProbeDefinition = {
  id: ID,
  parser: PARSER,
  title: 'DCGM discovery',
  proves: 'Which GPUs and NVSwitches DCGM manages.',
  metrics: [
    { metric: 'gpu.count', title: 'GPUs', valueType: 'number', better: 'higher' },
    { metric: 'gpu.name', title: 'GPU model', valueType: 'text', labels: ['gpu'] },
    { metric: 'gpu.uuid', title: 'GPU UUID', valueType: 'text', labels: ['gpu'] },
    { metric: 'gpu.pci.bus_id', title: 'PCI bus id', valueType: 'text', labels: ['gpu'] },
    { metric: 'nvswitch.count', title: 'NVSwitches', valueType: 'number' },
    { metric: 'cpu.count', title: 'CPUs', valueType: 'number' },
    { metric: 'connectx.count', title: 'ConnectX adapters', valueType: 'number' },
  ],
  createParser: (options) => new DiscoveryParser(options),
  plan: (_parameters, host) => withDcgmi(host, (path) => ({ kind: 'command', argv: [path, 'discovery', '-l'], timeoutMs: 60_000, expectedDurationMs: 2_000, invasive: false })),
};
