import { DRIVER, type Machine } from '../machine';
import { show } from './output';

const BOOT = [`[    0.000000] Linux version 6.8.0-60-generic (gcc 13.3.0)`, `[   12.204110] NVRM: loading NVIDIA UNIX x86_64 Kernel Module  ${DRIVER}`, '[   14.880031] nvidia-nvswitch0: open (major=511)'];

/** The kernel log of the demo machine: quiet, but for what its fault would have written. */
export function dmesg({ scenario, missingBusId, gpus }: Machine): Promise<number> {
  const faults: string[] = [];
  const remapped = scenario.remapPendingGpu === undefined ? undefined : gpus[scenario.remapPendingGpu];
  if (remapped) faults.push(`[ 8123.554018] NVRM: Xid (${pci(remapped.busId)}): 63, pid='<unknown>', name=<unknown>, Row Remapper: New row (0x0000000011c0a2f4) marked for remapping, reset gpu to activate.`);
  if (missingBusId !== undefined) faults.push(`[ 9341.107722] NVRM: Xid (${pci(missingBusId)}): 79, pid='<unknown>', name=<unknown>, GPU has fallen off the bus.`);
  if (scenario.driverMismatch) faults.push(`[ 9801.400012] NVRM: API mismatch: the client has the version 570.172.08, but\n[ 9801.400012] NVRM: this kernel module has the version ${DRIVER}.`);
  return show(`${[...BOOT, ...faults].join('\n')}\n`);
}

/** `00000000:C3:00.0` as the kernel writes it. */
const pci = (busId: string): string => `PCI:${busId.slice(4).replace(/\.0$/, '').toLowerCase()}`;
