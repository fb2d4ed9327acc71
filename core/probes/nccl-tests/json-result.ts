import { collectiveOf } from '../nccl/collectives';
import { parseDecimal } from '../text/numbers';
import { asArray, asObject, asText, type JsonObject } from '../text/json-documents';
import type { ResultCollector } from '../text/result-collector';
import type { RankList } from './rank-list';
import type { Printed, RowHalf } from './row';
import type { TestParameters } from './sweep';
import { TestTable } from './table';

/** The file that `-J` writes (nccl-tests v2.17.3 and newer, src/util.cu). Its `env` may hold secrets and is never read. */
export function readJsonResult(value: unknown, line: number, collector: ResultCollector): void {
  const root = asObject(value);
  const config = asObject(root?.['config']);
  if (!root || !config) return collector.doubt('nccl.unknown-format', 'This JSON is no result of nccl-tests.', line);
  const collective = collectiveOf(asText(asArray(root['args'])[0]) ?? '');
  collector.context['collective'] = collective ?? 'unknown';
  const version = parseDecimal(asText(root['nccl_version']) ?? '');
  if (version !== undefined) collector.context['ncclVersion'] = ncclVersionName(version);
  const startTime = asText(root['start_time']);
  if (startTime !== undefined) collector.context['startTime'] = startTime;
  const table = new TestTable(collector, collective);
  table.checkColumn = 'wrong';
  table.parameters = readConfig(config);
  for (const result of asArray(root['results'])) readRow(asObject(result), table, line);
  readFooter(root, table, line);
  readRanks(config, table.ranks);
  for (const error of asArray(root['errors']).filter((item) => item !== '')) collector.doubt('nccl.error', `The test reports an error: ${JSON.stringify(error).slice(0, 300)}`, line);
  if (root['end_time'] === undefined) collector.doubt('nccl.no-end', 'The file has no end time, so the test did not come to its end.', line);
  table.end(true);
}

/** 22903 → `2.29.3` (NCCL_VERSION_CODE of nccl.h, 2.9 and newer). */
export function ncclVersionName(code: number): string {
  return `${Math.floor(code / 10_000)}.${Math.floor((code % 10_000) / 100)}.${code % 100}`;
}

function readConfig(config: JsonObject): TestParameters {
  const number = (key: string): number | undefined => parseDecimal(asText(config[key]) ?? '');
  const entries = { threads: number('nthreads'), gpus: number('ngpus'), minBytes: number('minimum_bytes'), maxBytes: number('maximum_bytes'), stepFactor: number('step_factor'), stepBytes: number('step_bytes') };
  return Object.fromEntries(Object.entries(entries).filter(([, value]) => value !== undefined));
}

function readRow(result: JsonObject | undefined, table: TestTable, line: number): void {
  const sizeBytes = parseDecimal(asText(result?.['size']) ?? '');
  const count = parseDecimal(asText(result?.['count']) ?? '');
  if (!result || sizeBytes === undefined || count === undefined) {
    table.unfinishedRow = { line, sizeBytes: String(sizeBytes ?? 'unknown') };
    return;
  }
  const reduction = asText(result['redop'])?.trim();
  const root = parseDecimal(asText(result['root']) ?? '');
  table.row(
    {
      sizeBytes,
      count,
      type: asText(result['type'])?.trim() ?? '',
      ...(reduction === undefined || reduction === '' || reduction === 'none' ? {} : { redop: reduction }),
      isRooted: root !== undefined && root >= 0,
      isFullLayout: true,
      out: readHalf(asObject(result['out_of_place'])),
      in: readHalf(asObject(result['in_place'])),
    },
    line,
  );
}

function readHalf(half: JsonObject | undefined): RowHalf {
  const number = (key: string): Printed | undefined => {
    const value = parseDecimal(asText(half?.[key]) ?? '');
    return value === undefined ? undefined : { value, error: Math.abs(value) * 1e-5 + 1e-6 };
  };
  const [timeUs, algBandwidth, busBandwidth] = [number('time') ?? number('cpu_time'), number('alg_bw'), number('bus_bw')];
  return {
    ...(timeUs ? { timeUs } : {}),
    ...(algBandwidth ? { algBandwidth } : {}),
    ...(busBandwidth ? { busBandwidth } : {}),
    check: asText(half?.['nwrong']) ?? 'N/A',
  };
}

/** Booleans are strings; releases before v2.17.9 misspelt the average's keys. */
function readFooter(root: JsonObject, table: TestTable, line: number): void {
  const bounds = asObject(root['out_of_bounds']);
  const isOk = String(bounds?.['okay']) === 'true';
  if (bounds) table.line(`# Out of bounds values : ${asText(bounds['count']) ?? ''} ${isOk ? 'OK' : 'FAILED'}`, line);
  const average = asObject(root['average_bus_bandwidth'] ?? root['average_bus_bandwidith']);
  const bandwidth = asText(average?.['bandwidth'] ?? average?.['bandwidith']);
  if (bandwidth === undefined) return;
  const isBelowMinimum = String(average?.['okay']) === 'false';
  table.line(`# Avg bus bandwidth    : ${bandwidth} ${isBelowMinimum ? 'FAILED' : ''}`, line);
}

/** `devices` lists the first GPU of each process, so its ranks go up in steps of the GPUs of a process (threads × GPUs). */
function readRanks(config: JsonObject, ranks: RankList): void {
  const devices = asArray(config['devices']).map(asObject);
  const perProcess = (parseDecimal(asText(config['nthreads']) ?? '') ?? 1) * (parseDecimal(asText(config['ngpus']) ?? '') ?? 1);
  const numbers = devices.map((device) => device?.['rank']);
  const goesUpBy = (step: number): boolean => numbers.length > 0 && numbers.every((rank, index) => rank === index * step);
  const hosts = devices.map((device) => device?.['hostname']).filter((host) => typeof host === 'string' && host !== '');
  const nodes = hosts.length === devices.length ? new Set(hosts).size : undefined;
  if (goesUpBy(perProcess)) ranks.declare(devices.length * perProcess, nodes);
  else if (goesUpBy(1) && devices.length % perProcess === 0) ranks.declare(devices.length, nodes);
}
