import type { Context, LoadPoint } from '../../schemas';
import { convert, parseQuantity } from '../document/quantity';
import { contextValue, type Evidence, findMeasurements, type LocatedMeasurement, type ProbeRunResult, singleValue } from './evidence-query';

/** What the evidence says of the surroundings of one measurement; undefined: it says nothing. */
type Resolver = (located: LocatedMeasurement, evidence: Evidence) => string | undefined;

const text = (value: number | string | undefined): string | undefined => (value === undefined ? undefined : String(value));

const RESOLVERS: Record<Exclude<keyof Context, 'load'>, Resolver> = {
  ranks: ({ run }) => text(singleValue([run], 'nccl.ranks')) ?? contextValue(run, ['ranks', 'worldSize']),
  nodes: ({ run }) => text(singleValue([run], 'nccl.nodes')) ?? contextValue(run, ['nodes']),
  gpus: ({ run }) => text(singleValue([run], 'gpu.count')) ?? contextValue(run, ['gpus']) ?? text(singleValue([run], 'nccl.ranks')),
  collective: ({ run, measurement }) => measurement.labels?.['collective'] ?? contextValue(run, ['collective']),
  messageSize: ({ measurement }) => measurement.labels?.['sizeBytes'],
  fabric: resolveFabric,
  dcgmLevel: ({ run }) => contextValue(run, ['level', 'dcgmLevel', 'runLevel']),
  precision: ({ run }) => contextValue(run, ['precision', 'dtype']),
  gpuModel: ({ run }, evidence) => text(singleValue([run], 'gpu.name')) ?? text(singleValue(evidence.results, 'gpu.name')),
};

/**
 * The transport that NCCL really used, from its own log of the same output. `NVLink` needs two proofs: every channel went
 * peer to peer, and the topology matrix shows NVLink between all GPUs (peer to peer also exists over PCIe).
 */
function resolveFabric({ run }: LocatedMeasurement, evidence: Evidence): string | undefined {
  const log = evidence.results.find(({ probe, from, stage }) => probe === 'nccl-debug' && from === run.entry && stage === run.stage);
  if (!log?.result) return undefined;
  const kinds = new Set(findMeasurements([log], 'nccl.transport').map(({ measurement }) => measurement.labels?.['kind'] ?? ''));
  const network = [...kinds].filter((kind) => kind.startsWith('NET/'));
  if (network.length > 0) return text(singleValue([log], 'nccl.network'));
  const peerToPeer = [...kinds].filter((kind) => /^(P2P|NVLS)/.test(kind));
  if (peerToPeer.length === 0 || peerToPeer.length < kinds.size) return kinds.has('SHM') ? 'SHM' : undefined;
  return gpusLinkedByNvlink(evidence.results) ? 'NVLink' : undefined;
}

function gpusLinkedByNvlink(results: readonly ProbeRunResult[]): boolean {
  const links = findMeasurements(results, 'topology.link', { from: 'GPU*', to: 'GPU*' });
  return links.length > 0 && links.every(({ measurement }) => /^NV\d+$/.test(String(measurement.value)));
}

/** Undefined when the measurement was made in the context that the threshold was written for; otherwise one sentence. */
export function contextProblem(context: Context, located: LocatedMeasurement, evidence: Evidence): string | undefined {
  for (const [key, wanted] of Object.entries(context)) {
    if (key === 'load') continue;
    const have = RESOLVERS[key as keyof typeof RESOLVERS]?.(located, evidence);
    if (have === undefined) return `The evidence does not say which ${WORDS[key] ?? key} the value was measured with; the threshold is written for ${String(wanted)}.`;
    if (!sameContext(key, have, String(wanted))) return `Measured with ${WORDS[key] ?? key} ${have}; the threshold is written for ${String(wanted)}.`;
  }
  return context.load ? loadProblem(context.load, located.run) : undefined;
}

const WORDS: Record<string, string> = { messageSize: 'message size', dcgmLevel: 'DCGM level', gpuModel: 'GPU model' };

function sameContext(key: string, have: string, wanted: string): boolean {
  if (key === 'messageSize') {
    const quantity = parseQuantity(wanted);
    return quantity !== undefined && convert(quantity, 'B') === Number(have);
  }
  return key === 'gpuModel' ? namesModel(have, wanted) : normalised(have) === normalised(wanted);
}

/**
 * Whether a GPU's whole name holds the model in whole words: an L40S is no L4, a GB200 no B200, an A100 no A10. Words may be
 * written together (`RTX4090`), and the generation of the SXM socket may be left out.
 */
function namesModel(name: string, model: string): boolean {
  const words = name.toLowerCase().split(/[\s_-]+/);
  const wanted = normalised(model);
  return words.some((_, from) => words.some((_, to) => {
    const part = words.slice(from, to + 1).join('');
    return part !== '' && (part === wanted || part.replace(/sxm\d$/, 'sxm') === wanted);
  }));
}

const normalised = (value: string): string => value.toLowerCase().replace(/[\s_-]/g, '');

const LOAD_NAMES: Record<keyof LoadPoint, readonly string[]> = {
  concurrency: ['concurrency', 'maxConcurrency'],
  requestRate: ['requestRate', 'requestRatePerSecond'],
  inputTokens: ['inputTokens', 'meanInputTokens'],
  outputTokens: ['outputTokens', 'meanOutputTokens'],
  durationMs: ['durationMs'],
};

/** Loads are offered, not exact: a tenth off is still the same load point. */
const LOAD_TOLERANCE = 0.1;

function loadProblem(load: LoadPoint, run: ProbeRunResult): string | undefined {
  for (const [key, wanted] of Object.entries(load)) {
    const have = contextValue(run, LOAD_NAMES[key as keyof LoadPoint]);
    const wantedNumber = typeof wanted === 'number' ? wanted : Number.parseFloat(wanted);
    if (have === undefined) return `The evidence does not say at which ${key} the value was measured; the threshold is written for ${wanted}.`;
    if (!(Math.abs(Number.parseFloat(have) - wantedNumber) <= LOAD_TOLERANCE * wantedNumber)) {
      return `Measured at ${key} ${have}; the threshold is written for ${wanted}.`;
    }
  }
  return undefined;
}
