import type { HostCapabilities } from '../contract';

/** One sentence when other processes compute on the GPUs. Undefined: none does, or the machine did not say. */
export function occupancySentence({ busyGpus = [], busyMigDevices = 0 }: Pick<HostCapabilities, 'busyGpus' | 'busyMigDevices'>): string | undefined {
  const gpus = busyGpus.length === 0 ? [] : [`${busyGpus.length === 1 ? 'GPU' : 'GPUs'} ${[...busyGpus].sort((a, b) => a - b).join(', ')}`];
  const devices = busyMigDevices === 0 ? [] : [`${busyMigDevices} MIG ${busyMigDevices === 1 ? 'device' : 'devices'}`];
  if (gpus.length + devices.length === 0) return undefined;
  const isOne = busyGpus.length + busyMigDevices === 1;
  return `${[...gpus, ...devices].join(' and ')} ${isOne ? 'was' : 'were'} in use by other processes when the run began.`;
}
