import { DRIVER, GPU_NAME, type Gpu, type Machine, pause, print } from '../machine';
import { summaryTable, xmlReport } from './nvidia-smi-report';
import { show } from './output';

const MISMATCH = 'Failed to initialize NVML: Driver/library version mismatch\nNVML library version: 570.172\n';
const MISMATCH_EXIT = 18;

export async function nvidiaSmi(machine: Machine, args: readonly string[]): Promise<number> {
  await pause(machine, 250);
  if (args[0] === '--help-query-gpu') return show(helpQueryGpu());
  if (machine.scenario.driverMismatch) {
    await print(MISMATCH);
    return MISMATCH_EXIT;
  }
  const query = args.find((arg) => arg.startsWith('--query-gpu='))?.slice('--query-gpu='.length);
  if (query !== undefined) return show(queryGpu(machine, query.split(','), args.some((arg) => arg.startsWith('--format=') && arg.includes('noheader')), args.some((arg) => arg.includes('nounits'))));
  if (args.some((arg) => arg.startsWith('--query-compute-apps='))) return show(computeApps(machine));
  if (args[0] === '-L') return show(machine.gpus.map(({ uuid }, index) => `GPU ${index}: ${GPU_NAME} (UUID: ${uuid})\n`).join(''));
  if (args[0] === 'topo' && args[1] === '-m') return show(topology(machine));
  if (args[0] === 'nvlink' && args[1] === '-s') return show(nvlink(machine));
  if (args.length === 0) return show(summaryTable(machine));
  if (args.includes('-q') && args.includes('-x')) return show(xmlReport(machine));
  await print(`Invalid combination of input arguments. Please run 'nvidia-smi -h' for help.\n`);
  return 2;
}

const FIRST_PID = 48_112;

const computeApps = ({ scenario, gpus }: Machine): string =>
  gpus
    .filter(({ index }) => scenario.gpusInUse?.includes(index))
    .map(({ uuid, index }) => `${uuid}, ${FIRST_PID + index}\n`)
    .join('');

/** What each field gives, with its unit in the heading. */
const FIELDS: Record<string, { unit?: string; value: (gpu: Gpu, machine: Machine, index: number) => string }> = {
  index: { value: (_gpu, _machine, index) => String(index) },
  count: { value: (_gpu, { gpus }) => String(gpus.length) },
  uuid: { value: ({ uuid }) => uuid },
  name: { value: () => GPU_NAME },
  'pci.bus_id': { value: ({ busId }) => busId },
  driver_version: { value: () => DRIVER },
  vbios_version: { value: () => '96.00.A5.00.03' },
  persistence_mode: { value: () => 'Enabled' },
  pstate: { value: () => 'P0' },
  compute_mode: { value: () => 'Default' },
  'memory.total': { unit: 'MiB', value: () => '81559' },
  'memory.used': { unit: 'MiB', value: (_gpu, { random }) => random(60_000, 64_000).toFixed(0) },
  'memory.free': { unit: 'MiB', value: (_gpu, { random }) => random(16_000, 18_000).toFixed(0) },
  'utilization.gpu': { unit: '%', value: () => '0' },
  'utilization.memory': { unit: '%', value: () => '0' },
  'temperature.gpu': { value: ({ temperatureCel }) => temperatureCel.toFixed(0) },
  'temperature.memory': { value: ({ temperatureCel }) => (temperatureCel + 7).toFixed(0) },
  'power.draw': { unit: 'W', value: ({ powerW }) => powerW.toFixed(2) },
  'power.limit': { unit: 'W', value: () => '700.00' },
  'clocks.sm': { unit: 'MHz', value: () => '1980' },
  'clocks.mem': { unit: 'MHz', value: () => '2619' },
  'clocks.max.sm': { unit: 'MHz', value: () => '1980' },
  'clocks.max.mem': { unit: 'MHz', value: () => '2619' },
  'pcie.link.gen.current': { value: () => '5' },
  'pcie.link.gen.max': { value: () => '5' },
  'pcie.link.width.current': { value: () => '16' },
  'pcie.link.width.max': { value: () => '16' },
  'ecc.mode.current': { value: () => 'Enabled' },
  'ecc.errors.corrected.volatile.total': { value: () => '0' },
  'ecc.errors.uncorrected.volatile.total': { value: () => '0' },
  'ecc.errors.corrected.aggregate.total': { value: () => '0' },
  'ecc.errors.uncorrected.aggregate.total': { value: (_gpu, { scenario }, index) => (index === scenario.remapPendingGpu ? '2' : '0') },
  'retired_pages.pending': { value: () => '[N/A]' },
  'mig.mode.current': { value: () => 'Disabled' },
  'clocks_event_reasons.active': { value: () => '0x0000000000000000' },
  'remapped_rows.correctable': { value: () => '0' },
  'remapped_rows.uncorrectable': { value: (_gpu, { scenario }, index) => (index === scenario.remapPendingGpu ? '1' : '0') },
  'remapped_rows.pending': { value: (_gpu, { scenario }, index) => (index === scenario.remapPendingGpu ? 'Yes' : 'No') },
  'remapped_rows.failure': { value: () => 'No' },
};

function helpQueryGpu(): string {
  const sections = Object.keys(FIELDS).map((name) => `"${name}"\nValue of ${name} for the GPU.\n`);
  return `List of valid properties to query for the switch "--query-gpu=":\n\n${sections.join('\n')}`;
}

function queryGpu(machine: Machine, names: readonly string[], noHeader: boolean, noUnits: boolean): string {
  const unknown = names.find((name) => !(name in FIELDS));
  if (unknown !== undefined) return `Field "${unknown}" is not a valid field to query.\n\n`;
  const head = names.map((name) => (FIELDS[name]!.unit ? `${name} [${FIELDS[name]!.unit}]` : name)).join(', ');
  const rows = machine.gpus.map((gpu, index) =>
    names.map((name) => {
      const { value, unit } = FIELDS[name]!;
      const text = value(gpu, machine, index);
      return unit && !noUnits ? `${text} ${unit}` : text;
    }).join(', '),
  );
  return `${[...(noHeader ? [] : [head]), ...rows].join('\n')}\n`;
}

const NICS = 8;

function topology({ gpus, scenario }: Machine): string {
  const names = [...gpus.map((_, index) => `GPU${index}`), ...Array.from({ length: NICS }, (_, index) => `NIC${index}`)];
  const side = (position: number): number => Math.floor((position % gpus.length) / (gpus.length / 2));
  const link = (a: number, b: number): string => {
    if (a === b) return ' X ';
    const [isGpuA, isGpuB] = [a < gpus.length, b < gpus.length];
    if (isGpuA && isGpuB) return scenario.weakLink !== undefined && a + b === gpus.length - 1 ? scenario.weakLink : 'NV18';
    const [x, y] = [isGpuA ? a : a - gpus.length, isGpuB ? b : b - gpus.length];
    return x === y ? 'PIX' : side(x) === side(y) ? 'NODE' : 'SYS';
  };
  const affinity = (row: number): string => (row >= gpus.length ? '' : `\t${row < gpus.length / 2 ? '0-55,112-167' : '56-111,168-223'}\t${row < gpus.length / 2 ? 0 : 1}\t\tN/A`);
  const head = `\t\u001b[4m${names.join('\t')}\tCPU Affinity\tNUMA Affinity\tGPU NUMA ID\u001b[0m`;
  const rows = names.map((name, row) => `${name}\t${names.map((_, column) => link(row, column)).join('\t')}${affinity(row)}`);
  return `${[head, ...rows].join('\n')}\n\nLegend:\n\n  X    = Self\n  SYS  = Connection traversing PCIe as well as the SMP interconnect between NUMA nodes (e.g., QPI/UPI)\n  NODE = Connection traversing PCIe as well as the interconnect between PCIe Host Bridges within a NUMA node\n  PHB  = Connection traversing PCIe as well as a PCIe Host Bridge (typically the CPU)\n  PXB  = Connection traversing multiple PCIe bridges (without traversing the PCIe Host Bridge)\n  PIX  = Connection traversing at most a single PCIe bridge\n  NV#  = Connection traversing a bonded set of # NVLinks\n\nNIC Legend:\n\n${Array.from({ length: NICS }, (_, index) => `  NIC${index}: mlx5_${index}`).join('\n')}\n\n`;
}

function nvlink({ gpus }: Machine): string {
  const links = Array.from({ length: 18 }, (_, link) => `\t Link ${link}: 26.562 GB/s\n`).join('');
  return gpus.map(({ uuid }, index) => `GPU ${index}: ${GPU_NAME} (UUID: ${uuid})\n${links}`).join('');
}
