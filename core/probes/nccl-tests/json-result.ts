import { collectiveOf } from '../nccl/collectives';
import { parseDecimal } from '../text/numbers';
import { asArray, asObject, asText, type JsonObject } from '../text/json-documents';
import type { ResultCollector } from '../text/result-collector';
import { TestTable } from './table';
import type { Printed, RowHalf } from './row';

/** The file that `-J` writes (nccl-tests v2.17.3 and newer, src/util.cu). */
export function readJsonResult(value: unknown, line: number, collector: ResultCollector): void {
  const root = asObject(value);
  const config = asObject(root?.['config']);
  if (!root || !config) return collector.doubt('nccl.unknown-format', 'This JSON is no result of nccl-tests.', line);
  const collective = collectiveOf(asText(asArray(root['args'])[0]) ?? '');
  collector.context['collective'] = collective ?? 'unknown';
  const table = new TestTable(collector, collective);
  for (const result of asArray(root['results'])) readRow(asObject(result), table, line);
  readFooter(root, table, line);
  readRanks(config, collector);
  for (const error of asArray(root['errors']).filter((item) => item !== '')) collector.doubt('nccl.error', `The test reports: ${JSON.stringify(error).slice(0, 300)}`, line);
  if (root['end_time'] === undefined) collector.doubt('nccl.no-end', 'The file has no end time, so the test did not come to its end.', line);
  table.end();
}

function readRow(result: JsonObject | undefined, table: TestTable, line: number): void {
  const sizeBytes = parseDecimal(asText(result?.['size']) ?? '');
  const count = parseDecimal(asText(result?.['count']) ?? '');
  if (!result || sizeBytes === undefined || count === undefined) return table.cutRow(line);
  table.row({ sizeBytes, count, out: readHalf(asObject(result['out_of_place'])), in: readHalf(asObject(result['in_place'])) }, line);
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

/** Booleans are strings; some releases misspelt the average's keys. */
function readFooter(root: JsonObject, table: TestTable, line: number): void {
  const bounds = asObject(root['out_of_bounds']);
  const okay = String(bounds?.['okay']);
  if (bounds) table.footer(`# Out of bounds values : ${asText(bounds['count']) ?? ''} ${okay === 'true' ? 'OK' : 'FAILED'}`, line);
  const average = asObject(root['average_bus_bandwidth'] ?? root['average_bus_bandwidith']);
  const bandwidth = asText(average?.['bandwidth'] ?? average?.['bandwidith']);
  if (bandwidth !== undefined) table.footer(`# Avg bus bandwidth    : ${bandwidth}`, line);
}

/** `devices` lists the first GPU of each process only, so it is a rank list just for one GPU a process. */
function readRanks(config: JsonObject, collector: ResultCollector): void {
  const devices = asArray(config['devices']).map(asObject);
  if (asText(config['ngpus']) !== '1' || asText(config['nthreads']) !== '1' || devices.length < 2) return;
  collector.measure({ metric: 'nccl.ranks', value: devices.length });
  collector.measure({ metric: 'nccl.nodes', value: new Set(devices.map((device) => device?.['hostname'])).size });
}
