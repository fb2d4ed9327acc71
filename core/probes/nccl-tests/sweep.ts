/**
 * The line `# nThread … minBytes … maxBytes … step: …` of a test (nccl-tests src/util.cu writeDeviceReport); up to 2023 rccl-tests
 * wrote colons (`# nThreads: 1 nGpus: 2 …`), and a page that takes `#` for a heading loses it. Sizes in bytes.
 */
export interface TestParameters {
  threads?: number;
  gpus?: number;
  minBytes?: number;
  maxBytes?: number;
  stepFactor?: number;
  stepBytes?: number;
  warmupIterations?: number;
  iterations?: number;
  validation?: number;
}

const PARAMETERS: readonly [keyof TestParameters, RegExp][] = [
  ['threads', /\bnThreads?:? +(\d+)/],
  ['gpus', /\bnGpus:? +(\d+)/],
  ['minBytes', /\bminBytes:? +(\d+)/],
  ['maxBytes', /\bmaxBytes:? +(\d+)/],
  ['stepFactor', /\bstep: *(\d+(?:\.\d+)?)\(factor\)/],
  ['stepBytes', /\bstep: *(\d+)\(bytes\)/],
  ['warmupIterations', /\bwarmup ?iters: *(\d+)/i],
  ['iterations', /(?<!warmup |agg )\biters: *(\d+)/],
  ['validation', /\bvalidation: *(\d+)/],
];

/** Undefined when the line is another one. */
export function readParameters(text: string): TestParameters | undefined {
  if (!/\bnThreads?:? +\d+ +nGpus\b/.test(text)) return undefined;
  const found: TestParameters = {};
  for (const [key, pattern] of PARAMETERS) {
    const value = pattern.exec(text)?.[1];
    if (value !== undefined) found[key] = Number(value);
  }
  return found;
}

/** A sweep of more steps than this was never printed. */
const MOST_STEPS = 1_000_000;

/** How many sizes the test goes through; undefined when its parameters do not say. */
export function sweepLength({ minBytes, maxBytes, stepFactor, stepBytes }: TestParameters): number | undefined {
  if (minBytes === undefined || maxBytes === undefined || minBytes < 1 || maxBytes < minBytes) return undefined;
  if (stepFactor !== undefined && stepFactor > 1) {
    let steps = 0;
    for (let size = minBytes; size <= maxBytes && steps < MOST_STEPS; size *= stepFactor) steps++;
    return steps;
  }
  return stepBytes !== undefined && stepBytes > 0 ? Math.floor((maxBytes - minBytes) / stepBytes) + 1 : undefined;
}
