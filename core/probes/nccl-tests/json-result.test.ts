import { describe, expect, it } from 'vitest';
import { parseText } from '../parse';
import { expectNeverCleaner } from '../testing/mutations';
import { probe } from './index';

const half = (over: object = {}): object => ({ time: 10737.4182, alg_bw: 100, bus_bw: 150, nwrong: 0, ...over });
const row = (over: object = {}): object => ({ size: 1_073_741_824, count: 268_435_456, type: 'float', redop: 'sum', root: '    -1', out_of_place: half(), in_place: half(), ...over });

interface RecordOptions {
  results?: object[];
  over?: object;
  devices?: object[];
  gpus?: number;
}

/** What `-J` writes: booleans are strings, the environment is whole. */
const record = ({ results = [row()], over = {}, gpus = 4, devices = [{ rank: 0, hostname: 'n0' }] }: RecordOptions = {}): string =>
  JSON.stringify({
    version: 3,
    start_time: '2026-11-30 10:00:00',
    args: ['/opt/nccl-tests/build/all_reduce_perf', '-g', '4'],
    env: ['API_TOKEN=hunter2'],
    nccl_version: 22703,
    config: { nthreads: 1, ngpus: gpus, minimum_bytes: 1_073_741_824, maximum_bytes: 1_073_741_824, step_factor: 2, devices },
    results,
    out_of_bounds: { count: 0, okay: 'true' },
    average_bus_bandwidth: { bandwidth: 150, okay: 'unchecked' },
    errors: [''],
    end_time: '2026-11-30 10:01:00',
    ...over,
  });
const parse = (text: string, end = {}) => parseText(probe, text, end);
const codes = (text: string): string[] => parse(text).reasons.map(({ code }) => code);
const values = (text: string, metric: string): unknown[] => parse(text).measurements.filter((found) => found.metric === metric).map(({ value }) => value);

describe('nccl-tests: the JSON of -J', () => {
  it('reads rows, average and ranks, and nothing of the environment', () => {
    const result = parse(record(), { exitCode: 0 });
    expect(result).toMatchObject({ outcome: 'measured', reasons: [], context: { collective: 'all_reduce', ncclVersion: '2.27.3', startTime: '2026-11-30 10:00:00' } });
    expect([values(record(), 'nccl.busbw'), values(record(), 'nccl.wrong'), values(record(), 'nccl.avg_busbw')]).toEqual([[150, 150], [0, 0], [150]]);
    expect(JSON.stringify(result)).not.toContain('hunter2');
  });

  it('counts ranks by the processes, whose first GPU is all that is listed', () => {
    expect([values(record(), 'nccl.ranks'), values(record(), 'nccl.nodes')]).toEqual([[4], [1]]);
    const twoHosts = record({ gpus: 2, devices: [{ rank: 0, hostname: 'n0' }, { rank: 2, hostname: 'n1' }] });
    expect([values(twoHosts, 'nccl.ranks'), values(twoHosts, 'nccl.nodes')]).toEqual([[4], [2]]);
    expect(values(record({ gpus: 2, devices: [{ rank: 0 }, { rank: 5 }] }), 'nccl.ranks')).toEqual([]);
  });

  it('knows an unchecked half, a value that is no number, and the misspelt average', () => {
    const unchecked = record({ results: [row({ out_of_place: half({ nwrong: null }), in_place: half({ nwrong: null }) })] });
    expect(values(unchecked, 'nccl.wrong')).toEqual([]);
    expect(codes(unchecked)).toEqual(['nccl.not-checked']);
    expect(values(record({ results: [row({ in_place: half({ bus_bw: 'nan' }) })] }), 'nccl.busbw')).toEqual([150]);
    expect(values(record({ over: { average_bus_bandwidth: undefined, average_bus_bandwidith: { bandwidith: 150 } } }), 'nccl.avg_busbw')).toEqual([150]);
  });

  it.each<[string, string, string]>([
    ['it ended early', record({ over: { results: undefined, end_time: undefined, average_bus_bandwidth: undefined } }), 'nccl.no-end'],
    ['it names an error', record({ over: { errors: ['timeout'] } }), 'nccl.error'],
    ['the average does not fit', record({ over: { average_bus_bandwidth: { bandwidth: 170 } } }), 'nccl.average-does-not-fit'],
    ['a row does not agree with itself', record({ results: [row({ out_of_place: half({ time: 9000 }) })] }), 'nccl.inconsistent-row'],
    ['it is cut', record().slice(0, -20), 'nccl.cut'],
    ['it is other JSON', '{"hello": 1}', 'nccl.unknown-format'],
  ])('is inconclusive when %s', (_, text, code) => {
    expect(codes(text)).toContain(code);
    expect(parse(text).outcome).toBe('inconclusive');
  });

  it('fails on wrong values', () => {
    expect(parse(record({ results: [row({ in_place: half({ nwrong: 7 }) })], over: { out_of_bounds: { count: 1, okay: 'false' } } })).outcome).toBe('failed');
  });

  it('is never cleaner when cut or damaged', () => {
    expect(expectNeverCleaner(probe, record({ over: { errors: ['timeout'] } }), { exitCode: 1 })).toBeGreaterThan(400);
    expect(expectNeverCleaner(probe, record({ over: { end_time: undefined } }))).toBeGreaterThan(400);
  });
});
