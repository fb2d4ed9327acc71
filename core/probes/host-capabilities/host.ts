import type { HostCapabilities, ParseResult, ProbeDefinition, ProbeParameters } from '../contract';
import type { Provability } from '../../run/events';

/**
 * The facts that other probes plan with, from the result of the `host-capabilities` probe. Also works with an answer that is
 * not whole: what is missing is then unknown, and unknown never allows more than known.
 */
export function toHostCapabilities({ measurements, context }: ParseResult): HostCapabilities {
  const textOf = (metric: string): string | undefined => {
    const value = measurements.find((measurement) => measurement.metric === metric)?.value;
    return value === undefined ? undefined : String(value);
  };
  const tools = toolsOf(measurements, textOf);
  const kernelLog = textOf('host.kernel_log');
  const gpuCount = measurements.find(({ metric }) => metric === 'gpu.count')?.value;
  const fields = context['queryGpuFields'];
  const busy = context['busyGpus'];
  const busyMigDevices = Number(context['busyMigDevices'] ?? 0);
  return {
    tools,
    isRoot: textOf('host.root') === 'yes',
    ...optional('container', textOf('host.container')),
    ...optional('virtualMachine', textOf('host.virtual_machine')),
    ...optional('driverVersion', textOf('host.driver')),
    ...optional('cudaVersion', textOf('host.cuda')),
    ...optional('dcgmVersion', textOf('host.dcgm')),
    ...optional('ncclVersion', textOf('host.nccl')),
    ...optional('gpuCount', typeof gpuCount === 'number' ? gpuCount : undefined),
    ...optional('migEnabled', textOf('host.mig') === undefined ? undefined : textOf('host.mig') === 'enabled'),
    ...optional('queryGpuFields', Array.isArray(fields) ? fields : undefined),
    ...optional('busyGpus', Array.isArray(busy) ? busy.map(Number) : undefined),
    ...optional('busyMigDevices', busyMigDevices > 0 ? busyMigDevices : undefined),
    ...optional('kernelLogReadable', kernelLog === undefined ? undefined : kernelLog !== 'not-readable'),
    ...optional('kernelLogSource', kernelLog === 'dmesg' || kernelLog === 'journal' ? kernelLog : undefined),
    slurm: tools['srun'] !== undefined,
  };
}

/** Which probe metric holds the version of which tool. */
const VERSION_METRICS: Readonly<Record<string, string>> = {
  'nvidia-smi': 'host.driver',
  dcgmi: 'host.dcgm',
  'nv-hostengine': 'host.dcgm',
  python3: 'host.python',
  torchrun: 'host.torch',
  vllm: 'host.vllm',
};

function toolsOf(measurements: ParseResult['measurements'], textOf: (metric: string) => string | undefined): HostCapabilities['tools'] {
  const tools: Record<string, { path: string; version?: string }> = {};
  for (const { metric, value, labels } of measurements) {
    const name = labels?.['tool'];
    if (metric !== 'host.tool' || name === undefined) continue;
    const version = textOf(VERSION_METRICS[name] ?? '');
    tools[name] = { path: String(value), ...(version === undefined ? {} : { version }) };
  }
  return tools;
}

function optional<Key extends string, const Value>(key: Key, value: Value | undefined): Partial<Record<Key, Value>> {
  return value === undefined ? {} : ({ [key]: value } as Record<Key, Value>);
}

/** One probe entry of a card. */
export interface ProvabilityQuestion {
  entry: string;
  probe: ProbeDefinition;
  parameters?: ProbeParameters;
}

/** What can be proved on this host, what cannot, and why: each probe's own plan is asked. Nothing is sent to the host. */
export function describeProvability(host: HostCapabilities, questions: readonly ProvabilityQuestion[]): Provability[] {
  return questions.map(({ entry, probe, parameters }) => {
    const plan = probe.plan?.(parameters ?? {}, host);
    if (plan?.kind === 'command' || plan?.kind === 'scrape') return { entry, probe: probe.id, provable: true };
    const reason = plan?.reason ?? {
      code: 'probe.saved-output-only',
      severity: 'error' as const,
      message: `The probe ${probe.id} only reads saved output or the output of another probe; it has no command of its own.`,
    };
    return { entry, probe: probe.id, provable: false, reason };
  });
}
