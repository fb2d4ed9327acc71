/** Outputs in the tools' formats with invented machines. */

const UUIDS = [
  'GPU-4be1c3a2-90d7-4c65-8f3e-0a1b2c3d4e50',
  'GPU-7712f0de-1a2b-4d3c-9e8f-5a6b7c8d9e01',
  'GPU-c0ffee12-3456-4789-8abc-def012345672',
  'GPU-1d2e3f40-5162-4738-9495-a6b7c8d9eaf3',
];

export const uuidOf = (gpu: number): string => UUIDS[gpu] ?? `GPU-aaaaaaaa-0000-4000-8000-00000000000${gpu}`;

export const listOf = (count: number, name = 'NVIDIA H200'): string =>
  Array.from({ length: count }, (_, gpu) => `GPU ${gpu}: ${name} (UUID: ${uuidOf(gpu)})\n`).join('');

export const MIG_LIST = [
  `GPU 0: NVIDIA A100-SXM4-40GB (UUID: ${uuidOf(0)})`,
  '  MIG 1g.5gb      Device  0: (UUID: MIG-0d9c6a1e-5b1f-5f3c-9a57-0f9e8d7c6b5a)',
  '  MIG 1c.2g.10gb  Device  1: (UUID: MIG-GPU-0d9c6a1e-5b1f-5f3c-9a57-0f9e8d7c6b5a/5/0)',
  `GPU 1: NVIDIA A100-SXM4-40GB (UUID: ${uuidOf(1)})`,
  '',
].join('\n');

export const linksOf = (gpu: number, links: number, state = '53.125 GB/s'): string =>
  `GPU ${gpu}: NVIDIA B200 (UUID: ${uuidOf(gpu)})\n${Array.from({ length: links }, (_, link) => `\t Link ${link}: ${state}\n`).join('')}`;

const QUERY_TITLES =
  'index, count, uuid, name, pci.bus_id, driver_version, memory.total [MiB], temperature.gpu, temperature.memory, power.draw [W], pcie.link.width.current, ' +
  'ecc.errors.uncorrected.volatile.total, remapped_rows.pending, remapped_rows.failure, mig.mode.current';

export interface QueryRow {
  index: number;
  count?: number;
  memory?: string;
  power?: string;
  width?: string;
  uncorrected?: string;
  pending?: string;
  failure?: string;
  mig?: string;
}

export const queryRow = ({ index, count = 4, memory = '97871 MiB', power = '81.20 W', width = '16', uncorrected = '0', pending = 'No', failure = 'No', mig = 'Disabled' }: QueryRow): string =>
  [index, count, uuidOf(index), 'NVIDIA GH200 96GB', `0000000${index}:01:00.0`, '570.86.15', memory, 34, '[N/A]', power, width, uncorrected, pending, failure, mig].join(', ');

export const queryOf = (rows: readonly QueryRow[]): string => `${[QUERY_TITLES, ...rows.map(queryRow)].join('\n')}\n`;

/** Four GPUs, two NICs, tabs, the double tab in front of the last column, and both legends. */
export const TOPOLOGY = [
  '\t\x1b[4mGPU0\tGPU1\tGPU2\tGPU3\tNIC0\tNIC1\tCPU Affinity\tNUMA Affinity\tGPU NUMA ID\x1b[0m',
  'GPU0\t X \tNV6\tNV6\tNV6\tPXB\tSYS\t0-23,48-71\t0\t\tN/A',
  'GPU1\tNV6\t X \tNV6\tNV6\tPXB\tSYS\t0-23,48-71\t0\t\tN/A',
  'GPU2\tNV6\tNV6\t X \tNV6\tSYS\tPHB\t24-47,72-95\t1\t\tN/A',
  'GPU3\tNV6\tNV6\tNV6\t X \tSYS\tNODE\t24-47,72-95\t1\t\tN/A',
  'NIC0\tPXB\tPXB\tSYS\tSYS\t X \tSYS\t\t\t\t',
  'NIC1\tSYS\tSYS\tPHB\tNODE\tSYS\t X \t\t\t\t',
  '',
  'Legend:',
  '',
  '  X    = Self',
  '  SYS  = Connection traversing PCIe as well as the SMP interconnect between NUMA nodes (e.g., QPI/UPI)',
  '  NV#  = Connection traversing a bonded set of # NVLinks',
  '',
  'NIC Legend:',
  '',
  '  NIC0: rocep23s0',
  '  NIC1: mlx5_bond_0',
  '',
].join('\n');

export const KERNEL_LOG = [
  '[    0.000000] Linux version 6.8.0-60-generic (buildd@host) #63-Ubuntu SMP',
  '[   11.482011] NVRM: loading NVIDIA UNIX Open Kernel Module for x86_64  570.86.15',
  '[   14.000102] mlx5_core 0000:1a:00.0: firmware version: 28.39.1002',
  '[ 9127.551002] NVRM: Xid (PCI:0000:4e:00): 31, pid=8123, name=python3, Ch 00000008, intr 00000000. MMU Fault',
  '[ 9301.000417] NVRM: Xid (PCI:0000:4e:00): 79, GPU has fallen off the bus.',
  '',
].join('\n');
