/** What is wrong with the demo machine. Each field changes one thing that a real machine could have. */
export interface Scenario {
  title: string;
  /** Bus bandwidth of a large all-reduce. */
  busBandwidthGBps: number;
  transport: 'nvlink' | 'tcp';
  /** Link between the first GPU and the last one. */
  weakLink?: string;
  missingGpu?: number;
  driverMismatch?: boolean;
  remapPendingGpu?: number;
  /** Mean time to first token. */
  ttftSeconds: number;
  queueSeconds: number;
  preemptionsPerSecond: number;
  kvCacheUsage: number;
  corruptCheckpoint?: boolean;
  /** The collective starts and never prints a row. */
  collectiveHangs?: boolean;
  /** GPUs that somebody else computes on. */
  gpusInUse?: readonly number[];
}

const healthy: Scenario = { title: 'Everything is as ordered', busBandwidthGBps: 474, transport: 'nvlink', ttftSeconds: 0.17, queueSeconds: 0.03, preemptionsPerSecond: 0, kvCacheUsage: 0.42 };

export const SCENARIOS = {
  healthy,
  'slow-nvlink': { ...healthy, title: 'NVLink at a third of its speed', busBandwidthGBps: 158 },
  'tcp-fallback': { ...healthy, title: 'The collective goes over TCP', busBandwidthGBps: 3.9, transport: 'tcp' },
  'ecc-remap-pending': { ...healthy, title: 'A row remap waits for a reset', remapPendingGpu: 5 },
  'driver-mismatch': { ...healthy, title: 'Kernel module and library differ', driverMismatch: true },
  'gpu-missing': { ...healthy, title: 'Seven of eight GPUs', missingGpu: 6 },
  'vllm-overloaded': { ...healthy, title: 'More requests than the server can take', ttftSeconds: 3.4, queueSeconds: 2.6, preemptionsPerSecond: 1.7, kvCacheUsage: 0.99 },
  'restore-corrupt': { ...healthy, title: 'The storage gives back other bytes', corruptCheckpoint: true },
  'gpus-in-use': { ...healthy, title: 'Somebody else computes on two GPUs', busBandwidthGBps: 236, gpusInUse: [2, 3] },
  hangs: { ...healthy, title: 'The collective never ends', collectiveHangs: true },
} as const satisfies Record<string, Scenario>;

export type ScenarioName = keyof typeof SCENARIOS;
export const isScenario = (name: string): name is ScenarioName => name in SCENARIOS;
