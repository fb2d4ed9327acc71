import { busBandwidthFactor } from '../nccl/collectives';
import { asArray, asObject, asText, type JsonObject } from '../text/json-documents';
import type { ResultCollector } from '../text/result-collector';
import { failureOn } from './failures';

/** Marks the one line of the smoke test's result; the JSON behind it is written by smoke.py. */
export const RESULT_MARK = 'gpu-acceptance-torch ';

/** Reads the JSON of smoke.py: `{torch, cuda, gpus, ranks, reports: [{rank, backend, contextMs, wrongValues, …}]}`. */
export function readSmokeResult(value: JsonObject, line: number, collector: ResultCollector): void {
  const ranks = value['ranks'];
  const version = asText(value['torch']);
  if (version !== undefined) collector.measure({ metric: 'torch.version', value: version, line });
  const error = asText(value['error']);
  if (error !== undefined) return refusal(error, line, collector);
  const reports = asArray(value['reports']).map(asObject);
  const named = new Set(reports.map((report) => report?.['rank']));
  if (typeof ranks !== 'number' || ranks < 1 || reports.length !== ranks || named.size !== ranks) {
    collector.doubt('torch.ranks-missing', `${String(ranks)} ranks were started, ${named.size} answered.`, line);
  }
  if (typeof ranks !== 'number') return;
  describeRun(value, ranks, line, collector);
  for (const report of reports) readRank(report, ranks, line, collector);
  sharedGpus(reports, line, collector);
}

function refusal(error: string, line: number, collector: ResultCollector): void {
  const known = failureOn(error);
  if (known?.isFault) collector.fault(known.code, known.message, line);
  else collector.doubt(known?.code ?? 'torch.not-started', known?.message ?? error, line);
}

function describeRun(value: JsonObject, ranks: number, line: number, collector: ResultCollector): void {
  const { context } = collector;
  collector.measure({ metric: 'torch.ranks', value: ranks, line });
  Object.assign(context, { ranks, gpus: ranks, nodes: 1, collective: 'all_reduce', precision: 'float32' });
  for (const [key, name] of [['cuda', 'cudaVersion'], ['hip', 'hipVersion'], ['torch', 'torchVersion'], ['nccl', 'ncclVersion']] as const) {
    const said = asText(value[key]);
    if (said !== undefined) context[name] = said;
  }
}

function readRank(report: JsonObject | undefined, ranks: number, line: number, collector: ResultCollector): void {
  const rank = asText(report?.['rank']) ?? 'unknown';
  const labels = { rank };
  const contextMs = report?.['contextMs'];
  if (typeof contextMs === 'number') collector.measure({ metric: 'torch.context', value: contextMs, unit: 'ms', labels, line });
  const error = asText(report?.['error']);
  if (error !== undefined) {
    const known = failureOn(error);
    if (known?.isFault) collector.fault(known.code, `Rank ${rank}: ${known.message}`, line);
    else collector.doubt(known?.code ?? 'torch.rank-failed', `Rank ${rank}: ${known?.message ?? error}`, line);
    return;
  }
  // Another backend (gloo) would move the data through the host and prove nothing of the GPUs' paths.
  if (report?.['backend'] !== 'nccl') return collector.doubt('torch.not-nccl', `Rank ${rank} did not use NCCL (backend ${asText(report?.['backend']) ?? 'unknown'}).`, line);
  const wrong = report['wrongValues'];
  if (typeof wrong !== 'number') return collector.doubt('torch.rank-incomplete', `Rank ${rank} did not check its data.`, line);
  collector.measure({ metric: 'torch.allreduce.wrong', value: wrong, labels, line });
  if (wrong > 0) collector.fault('torch.wrong-data', `Rank ${rank} got ${wrong} wrong values: the all-reduce gives wrong results.`, line);
  if (ranks > 1) measureBandwidth(report, ranks, rank, line, collector);
}

/** Bus bandwidth as nccl-tests has it: bytes over time, times 2(n−1)/n. With one rank there is none. */
function measureBandwidth(report: JsonObject, ranks: number, rank: string, line: number, collector: ResultCollector): void {
  const [seconds, sizeBytes, iterations] = [report['secondsPerAllReduce'], report['sizeBytes'], report['iterations']];
  const factor = busBandwidthFactor('all_reduce', ranks);
  if (typeof seconds !== 'number' || !(seconds > 0) || typeof sizeBytes !== 'number' || !(sizeBytes > 0) || factor === undefined) {
    return collector.doubt('torch.rank-incomplete', `Rank ${rank} gave no time of its all-reduce.`, line);
  }
  const samples = typeof iterations === 'number' ? { samples: iterations } : {};
  const labels = { rank, sizeBytes: String(sizeBytes) };
  collector.measure({ metric: 'torch.allreduce.time', value: round(seconds * 1e6), unit: 'us', labels, ...samples, line });
  collector.measure({ metric: 'torch.allreduce.busbw', value: round((sizeBytes / seconds / 1e9) * factor), unit: 'GB/s', labels, ...samples, line });
  return undefined;
}

const round = (value: number): number => Number(value.toFixed(3));

function sharedGpus(reports: readonly (JsonObject | undefined)[], line: number, collector: ResultCollector): void {
  const uuids = reports.map((report) => asText(report?.['uuid'])).filter((uuid) => uuid !== undefined);
  if (new Set(uuids).size < uuids.length) collector.doubt('torch.duplicate-gpu', 'Two ranks ran on the same GPU.', line);
}
