import { isScenario, type Scenario, SCENARIOS } from './scenarios';

/** The machine as its tools see it, from the environment of the session. */
export interface Machine {
  scenario: Scenario;
  /** 1: believable timing; larger is faster. */
  speed: number;
  gpus: Gpu[];
  /** Where a GPU was that is gone. */
  missingBusId?: string;
  random: Random;
}

export interface Gpu {
  index: number;
  uuid: string;
  busId: string;
  temperatureCel: number;
  powerW: number;
}

export type Random = (low: number, high: number) => number;

/** mulberry32: small, and the same numbers for the same seed everywhere. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  return (low, high) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return low + (((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * (high - low);
  };
}

const BUS_IDS = ['1B', '43', '52', '61', '9D', 'C3', 'D1', 'DF'];
const busIdOf = (bus: string): string => `00000000:${bus}:00.0`;
const hex = (random: Random, length: number): string => Array.from({ length }, () => Math.floor(random(0, 16)).toString(16)).join('');

export function readMachine(environment: NodeJS.ProcessEnv): Machine {
  const name = environment['GPU_DEMO_SCENARIO'] ?? 'healthy';
  if (!isScenario(name)) throw new Error(`The demo host has no scenario "${name}". Scenarios: ${Object.keys(SCENARIOS).join(', ')}.`);
  const scenario: Scenario = SCENARIOS[name];
  const random = seededRandom(Number(environment['GPU_DEMO_SEED'] ?? 1));
  const gpus = BUS_IDS.map((bus, index) => ({
    index,
    uuid: `GPU-${hex(random, 8)}-${hex(random, 4)}-${hex(random, 4)}-${hex(random, 4)}-${hex(random, 12)}`,
    busId: busIdOf(bus),
    temperatureCel: random(29, 36),
    powerW: random(68, 79),
  })).filter(({ index }) => index !== scenario.missingGpu);
  const missing = scenario.missingGpu === undefined ? undefined : BUS_IDS[scenario.missingGpu];
  return { scenario, ...(missing === undefined ? {} : { missingBusId: busIdOf(missing) }), speed: Number(environment['GPU_DEMO_SPEED'] ?? 1), gpus, random };
}

export const GPU_NAME = 'NVIDIA H100 80GB HBM3';
export const DRIVER = '570.133.20';
export const CUDA = '12.8';
export const DCGM = '4.2.3';
export const HOST = 'gpu-demo-01';

export function pause(machine: Machine, ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms / machine.speed));
}

/** Waits until the pipe has room, as a tool's own write would. */
export function print(text: string): Promise<void> {
  return new Promise((resolve, reject) => process.stdout.write(text, (error) => (error ? reject(error) : resolve())));
}
