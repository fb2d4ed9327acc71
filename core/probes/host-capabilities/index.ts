import type { LineParser, ParserOptions, ParseResult, ProbeDefinition, StreamEnd } from '../contract';
import { stripAnsi } from '../text/ansi';
import { ResultCollector } from '../text/result-collector';
import { capabilityScript } from './script';
import { emptyFindings, type Findings, SECTION_READERS } from './sections';

export { describeProvability, type ProvabilityQuestion, toHostCapabilities } from './host';
export { occupancySentence } from './occupancy';

const ID = 'host-capabilities';
const PARSER = `${ID}/1`;

const FACT = /^@fact ([a-z-]+) (.+)$/;
const TOOL = /^@tool (\S+) (\/.+)$/;
const BEGIN = /^@begin ([a-z-]+)$/;
const END = /^@end ([a-z-]+) (timeout|\d{1,3})$/;
const MOST_TOOLS = 500;

class CapabilityParser implements LineParser {
  private readonly collector: ResultCollector;
  private readonly found: Findings = emptyFindings();
  private section: string | undefined;
  private hasBegun = false;
  private isDone = false;

  constructor(options?: ParserOptions) {
    this.collector = new ResultCollector({ id: ID, parser: PARSER }, options);
  }

  line(raw: string, line: number): void {
    const text = stripAnsi(raw);
    if (text === '@capabilities 1') this.hasBegun = true;
    else if (!this.hasBegun) return;
    else if (this.section !== undefined) this.sectionLine(this.section, text, line);
    else this.marker(text, line);
  }

  end({ exitCode }: StreamEnd): ParseResult {
    const { collector } = this;
    if (!this.hasBegun) collector.doubt('host.no-output', 'The machine did not answer to the capability script. Is its login shell a POSIX shell that prints what commands print?');
    else if (!this.isDone) collector.doubt('host.cut', 'The answer of the machine is not whole, so what it can do is only known in part.');
    if (exitCode === null || (exitCode !== undefined && exitCode !== 0)) collector.doubt('host.exit-code', `The capability script ended with ${exitCode === null ? 'a signal' : `exit code ${exitCode}`}.`);
    if (this.hasBegun) this.measure();
    return collector.result();
  }

  private marker(text: string, line: number): void {
    const begin = BEGIN.exec(text);
    if (begin) this.section = begin[1];
    else if (text === '@done') this.isDone = true;
    else {
      const [, fact, value] = FACT.exec(text) ?? [];
      const [, tool, path] = TOOL.exec(text) ?? [];
      if (fact !== undefined && value !== undefined) this.fact(fact, value.trim());
      else if (tool !== undefined && path !== undefined && this.found.tools.size < MOST_TOOLS) {
        this.found.tools.set(tool, path);
        this.collector.measure({ metric: 'host.tool', value: path, labels: { tool }, line });
      } else if (text.trim() !== '') this.damaged(text, line);
    }
  }

  private damaged(text: string, line: number): void {
    this.collector.doubt('host.damaged', `The answer of the machine is damaged at ${JSON.stringify(text.trim().slice(0, 80))}.`, line);
  }

  private fact(name: string, value: string): void {
    if (name === 'nccl-library') {
      if (this.found.ncclLibraries.length < 20) this.found.ncclLibraries.push(value);
    } else this.found.facts.set(name, value.slice(0, 200));
  }

  private sectionLine(section: string, text: string, line: number): void {
    const [, name, code] = END.exec(text) ?? [];
    if (name !== section) {
      // The command's own output never looks like this: the line that ended the section is lost.
      if (/^@(?:begin|end|done|tool|fact)\b/.test(text)) this.damaged(text, line);
      SECTION_READERS[section]?.(text, this.found, this.collector, line);
      return;
    }
    this.section = undefined;
    if (code === 'timeout') {
      const hint = section.startsWith('smi') ? ' The driver may be wedged.' : '';
      this.collector.doubt('host.timeout', `The command of "${section}" did not answer in time.${hint}`, line);
    } else if (section === 'smi-apps' && code === '0') this.found.appsKnown = true;
  }

  private measure(): void {
    const { facts, versions } = this.found;
    this.text('host.root', facts.get('root'));
    this.text('host.kernel', facts.get('kernel'));
    this.text('host.machine', facts.get('machine'));
    this.text('host.container', facts.get('container'));
    this.text('host.virtual_machine', facts.get('virtual-machine'));
    this.text('host.driver', versions.get('driver'));
    this.text('host.cuda', versions.get('cuda'));
    this.text('host.dcgm', versions.get('dcgm'));
    this.text('host.nccl', ncclVersion(this.found));
    for (const name of ['python', 'torch', 'vllm', 'sglang']) this.text(`host.${name}`, versions.get(name));
    this.text('host.kernel_log', this.found.kernelLog ?? 'not-readable');
    if (this.found.tools.has('nvidia-smi') && this.found.gpuCount > 0) this.collector.measure({ metric: 'gpu.count', value: this.found.gpuCount });
    // Drivers before 450 do not know the field; a listed MIG device proves the mode all the same.
    const isMig = this.found.migModes.has('enabled') || this.found.migDevices > 0;
    if (isMig || this.found.migModes.size > 0) this.text('host.mig', isMig ? 'enabled' : 'disabled');
    this.lists();
  }

  /** What is too long for a measurement, and needed to plan the other probes. */
  private lists(): void {
    const { context } = this.collector;
    const { queryFields, busyUuids, gpuUuids, appsKnown, engineAnswered, facts, migDevices } = this.found;
    if (queryFields.size > 0) context['queryGpuFields'] = [...queryFields];
    if (appsKnown) {
      const indices = [...busyUuids].map((uuid) => gpuUuids.get(uuid)).filter((index) => index !== undefined);
      context['busyGpus'] = [...new Set(indices)].map(String);
      if (indices.length < busyUuids.size) context['busyMigDevices'] = busyUuids.size - indices.length;
    }
    if (migDevices > 0) context['migDevices'] = migDevices;
    context['hostEngine'] = engineAnswered;
    context['insideSlurmJob'] = facts.get('slurm-job') === 'yes';
  }

  private text(metric: string, value: string | undefined): void {
    if (value !== undefined && value !== '') this.collector.measure({ metric, value });
  }
}

/** The system's library wins over a Python package, which only that environment uses. */
function ncclVersion({ ncclLibraries, versions }: Findings): string | undefined {
  const fromName = ncclLibraries.map((path) => /libnccl\.so\.(\d+\.\d+\.\d+)/.exec(path)?.[1]).find((version) => version !== undefined);
  return fromName ?? versions.get('nvidia-nccl-cu13') ?? versions.get('nvidia-nccl-cu12') ?? versions.get('nvidia-nccl-cu11');
}

const text = (metric: string, title: string): ProbeDefinition['metrics'][number] => ({ metric, title, valueType: 'text' });

export const probe: ProbeDefinition = {
  id: ID,
  parser: PARSER,
  title: 'What the host can prove',
  proves: 'Which tools, versions and permissions the machine offers, so that each other probe asks only what can be answered.',
  metrics: [
    text('host.root', 'Connected as root'),
    text('host.kernel', 'Kernel'),
    text('host.machine', 'Processor architecture'),
    text('host.container', 'Container'),
    text('host.virtual_machine', 'Virtual machine'),
    text('host.driver', 'NVIDIA driver version'),
    text('host.cuda', 'CUDA version of the driver'),
    text('host.dcgm', 'DCGM version'),
    text('host.nccl', 'NCCL version'),
    text('host.python', 'Python version'),
    text('host.torch', 'PyTorch version'),
    text('host.vllm', 'vLLM version'),
    text('host.sglang', 'SGLang version'),
    text('host.kernel_log', 'Source of the kernel log'),
    text('host.mig', 'MIG mode'),
    { metric: 'host.tool', title: 'Path of a tool', valueType: 'text', labels: ['tool'] },
    { metric: 'gpu.count', title: 'GPUs', valueType: 'number', better: 'higher' },
  ],
  createParser: (options) => new CapabilityParser(options),
  plan: () => ({
    kind: 'command',
    argv: ['sh', '-s'],
    stdin: capabilityScript(),
    timeoutMs: 180_000,
    expectedDurationMs: 15_000,
    invasive: false,
  }),
};
