import type { LineParser, ParserOptions, ParseResult, ProbeDefinition, StreamEnd } from '../contract';
import { GpuCensus, parseGpuLine } from '../nvidia-smi/gpu-identity';
import { planNvidiaSmi } from '../nvidia-smi/plan';
import { SmiSession } from '../nvidia-smi/session';

const ID = 'nvidia-smi-list';
const PARSER = `${ID}/2`;

/** `  MIG 3g.40gb     Device  0: (UUID: MIG-…)`, also `MIG 1c.3g.71gb`; older drivers print `(UUID: MIG-GPU-…/7/0)`. */
const MIG_LINE = /^\s*MIG (\S+)\s+Device\s+(\d+): \(UUID: (MIG-[^()]+)\)\s*$/;

class ListParser implements LineParser {
  private readonly session: SmiSession;
  private readonly census: GpuCensus;
  private gpu: number | undefined;
  private readonly migDevices = new Set<string>();
  private migCount = 0;

  constructor(options?: ParserOptions) {
    this.session = new SmiSession({ id: ID, parser: PARSER }, options);
    this.census = new GpuCensus(this.session.collector);
  }

  line(raw: string, line: number): void {
    const text = this.session.clean(raw);
    if (!this.gpuLine(text, line) && !this.migLine(text, line)) this.session.other(text, line);
  }

  end(end: StreamEnd): ParseResult {
    const { collector } = this.session;
    if (this.census.count > 0) {
      collector.measure({ metric: 'gpu.count', value: this.census.count });
      collector.measure({ metric: 'mig.count', value: this.migCount });
      this.census.judgeGaps();
    }
    return this.session.end(end);
  }

  private gpuLine(text: string, line: number): boolean {
    const found = parseGpuLine(text);
    if (!found) return false;
    const labels = { gpu: String(found.index) };
    this.gpu = found.index;
    this.census.add(found.index, line, [found.uuid]);
    this.session.collector.measure({ metric: 'gpu.name', value: found.name, labels, line });
    if (found.isMasked) this.session.collector.remark('warning', 'nvidia-smi.masked-uuid', `The UUID of GPU ${found.index} is masked, so nobody can tell which GPU it was.`, line);
    else if (found.uuid === undefined) this.session.collector.doubt('nvidia-smi.no-uuid', `GPU ${found.index} has no UUID.`, line);
    else this.session.collector.measure({ metric: 'gpu.uuid', value: found.uuid, labels, line });
    return true;
  }

  private migLine(text: string, line: number): boolean {
    const match = MIG_LINE.exec(text);
    if (!match || this.gpu === undefined) return false;
    const [, profile, device, uuid] = match as unknown as [string, string, string, string];
    const key = `${this.gpu}/${device}`;
    if (this.migDevices.has(key)) {
      this.session.collector.doubt('nvidia-smi.duplicate-mig', `MIG device ${device} of GPU ${this.gpu} is listed twice.`, line);
      return true;
    }
    this.migDevices.add(key);
    this.migCount++;
    const labels = { gpu: String(this.gpu), device };
    this.session.collector.measure({ metric: 'mig.profile', value: profile, labels, line });
    this.session.collector.measure({ metric: 'mig.uuid', value: uuid, labels, line });
    return true;
  }
}

export const probe: ProbeDefinition = {
  id: ID,
  parser: PARSER,
  title: 'GPU list (nvidia-smi -L)',
  proves: 'Which GPUs and MIG devices the driver sees.',
  metrics: [
    { metric: 'gpu.count', title: 'GPUs, without MIG devices', valueType: 'number', better: 'higher' },
    { metric: 'gpu.name', title: 'GPU model', valueType: 'text', labels: ['gpu'] },
    { metric: 'gpu.uuid', title: 'GPU UUID', valueType: 'text', labels: ['gpu'] },
    { metric: 'mig.count', title: 'MIG devices', valueType: 'number' },
    { metric: 'mig.profile', title: 'MIG profile', valueType: 'text', labels: ['gpu', 'device'] },
    { metric: 'mig.uuid', title: 'MIG device UUID', valueType: 'text', labels: ['gpu', 'device'] },
  ],
  createParser: (options) => new ListParser(options),
  plan: (_parameters, host) => planNvidiaSmi(host, ['-L']),
};
