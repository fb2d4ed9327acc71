import { describe, expect, it } from 'vitest';
import { parseText } from '../parse';
import { expectNeverCleaner } from '../testing/mutations';
import { probe } from './index';
import { SIZES, table, tableRows } from './testing';

const parse = (text: string, end = {}) => parseText(probe, text, end);
const values = (text: string, metric: string) => parse(text).measurements.filter((measurement) => measurement.metric === metric).map(({ value }) => value);
const codes = (text: string, end = {}) => parse(text, end).reasons.map(({ code }) => code);
const LARGEST = String(SIZES.at(-1));

describe('nccl-tests: whole outputs', () => {
  it('reads rows, footer, ranks and nodes, with the line of each row', () => {
    const text = table({ ranks: 16, hosts: 2 });
    const result = parse(text, { exitCode: 0 });
    expect(result).toMatchObject({ outcome: 'measured', reasons: [], context: { ncclTestsVersion: '2.18.1', ncclVersion: '2.28.3', collective: 'all_reduce', warmupIterations: 5 } });
    const line = text.split('\n').findIndex((row) => row.includes(`${LARGEST}  `)) + 1;
    expect(result.measurements).toContainEqual({ metric: 'nccl.busbw', value: 430, unit: 'GB/s', labels: { collective: 'all_reduce', type: 'float', redop: 'sum', sizeBytes: LARGEST, place: 'out' }, line });
    expect([values(text, 'nccl.ranks'), values(text, 'nccl.nodes'), values(text, 'nccl.avg_busbw')]).toEqual([[16], [2], [286.667]]);
  });

  it.each([
    '[1,0]<stdout>:', '0: ', ' 3: ', '(worker pid=4711, ip=192.0.2.8) ', '2026-11-30 10:11:12.345 ', '2026-11-30T10:11:12.3Z stdout F ', 'node1: ', '[default0]:', '[1,mpirank:0,algo-1]<stdout>:', '[pod/launcher-x/mpi] ', '[0] ', 'Nov 30 10:11:12 node1 run[7]: ',
  ])('sees through the launcher prefix %j', (prefix) => {
    expect(parse(table({ prefix }))).toMatchObject({ outcome: 'measured', reasons: [] });
    expect(values(table({ prefix }), 'nccl.ranks')).toEqual([8]);
  });

  it('tells types and reductions apart when one test goes through several', () => {
    const slow = tableRows({ busBandwidthGBps: 190 });
    const rows = slow.rows.map((row) => row.replace('float     sum', 'float    prod'));
    const both = table().replace(/(# Out of bounds)/, `${rows.join('\n')}\n$1`).replace(/(Avg bus bandwidth +: )\S+/, `$1${Number(((286.667 + slow.mean) / 2).toPrecision(6))}`);
    const result = parse(both, { exitCode: 0 });
    expect(result).toMatchObject({ outcome: 'measured', reasons: [] });
    const largest = result.measurements.filter(({ metric, labels }) => metric === 'nccl.busbw' && labels?.['sizeBytes'] === LARGEST && labels['place'] === 'out');
    expect(largest.map(({ labels, value }) => [labels?.['type'], labels?.['redop'], value])).toEqual([['float', 'sum', 430], ['float', 'prod', 190]]);
  });

  it('gives no reduction to a collective that has none', () => {
    const gathered = table({ collective: 'all_gather', factor: 7 / 8 }).replace(/float {5}sum/g, 'float    none');
    expect(parse(gathered).measurements.find(({ metric }) => metric === 'nccl.busbw')?.labels).not.toHaveProperty('redop');
  });

  it('reads tags that a launcher wrote between the cells', () => {
    expect(parse(table().replace(/( -1| {2}0)(?= )/g, '$1[0]'))).toMatchObject({ outcome: 'measured', reasons: [] });
  });

  it('joins a row that log messages broke, and keeps the messages out of it', () => {
    const broken = table().replace(/^( *\d+ +\d+ +float +sum +-1)(.*)$/gm, '$1node0:900:911 [0] NCCL INFO Channel 00/0 : 0[0] -> 1[1] via P2P/CUMEM\nnode0:900:912 [1] NCCL INFO Connected all rings\n$2');
    expect(parse(broken)).toMatchObject({ outcome: 'measured', reasons: [] });
    expect(values(broken, 'nccl.busbw')).toEqual(values(table(), 'nccl.busbw'));
  });

  it.each<[string, string, number]>([
    ['v2.0 all_reduce: 12 cells', 'size count type redop', 430],
    ['v2.0 with a root: 13 cells', 'size count type redop root', 430],
    ['per-iteration columns: 21 cells', 'size count type redop root +iterations', 430],
    ['time stamps behind the row', 'size count type redop root +stamp', 430],
    ['time stamps before the row', 'size count type redop root +clock', 430],
    ['v2.13.0, a blank reduction: 12 cells', 'size count type root', 430],
  ])('reads %s', (_, left, expected) => {
    const rows = tableRows(left.includes('redop') ? {} : { factor: 1 }).rows.map((row) => reshape(row, left));
    const columns = left.replace(/\+\w+/, '').trim();
    const header = `#  ${left.includes('redop') ? columns : columns.replace('root', 'redop root')} ${half(left)} ${half(left)}\n# (B) (elements) (us) (GB/s) (GB/s) (us) (GB/s) (GB/s)\n`;
    const text = `${header}${rows.join('\n')}\n# Out of bounds values : 0 OK\n# Avg bus bandwidth    : 286.667 \n`;
    expect(parse(text)).toMatchObject({ outcome: 'measured' });
    expect(values(text, 'nccl.busbw')).toContain(expected);
    expect(values(text, 'nccl.wrong')).toEqual([0, 0, 0, 0, 0, 0]);
  });

  it('takes the milliseconds and deviations of the first versions for what they are', () => {
    const rows = tableRows().rows.map((row) => row.replace(/(sum +)-1 /, '$1').replace(/(\d+\.\d\d)(?= +\d+\.\d\d +\d+\.\d\d +0)/g, (us) => (Number(us) / 1000).toFixed(3)).replace(/ 0(?=\s|$)/g, ' 2e-07'));
    const text = `#  bytes  N  type  op  time  algbw  busbw  res  time  algbw  busbw  res\n${rows.join('\n')}\n Out of bounds values : 0 OK\n Avg bus bandwidth    : 286.667\n\n`;
    expect(parse(text)).toMatchObject({ outcome: 'measured' });
    expect(values(text, 'nccl.wrong')).toEqual([]);
    expect(values(text, 'nccl.time')[0]).toBeCloseTo(3277, -1);
    expect(codes(text.replace(/^ +(?=\d)/gm, '#  '))).toContain('nccl.commented-rows');
  });

  it('reads several tests in one file, each with its own collective', () => {
    const result = parse(table() + table({ collective: 'broadcast', factor: 1 }) + table({ collective: 'all_gather', factor: 7 / 8 }));
    expect(result).toMatchObject({ outcome: 'measured', context: { tests: 3 } });
    expect(new Set(result.measurements.flatMap(({ labels }) => labels?.['collective'] ?? []))).toEqual(new Set(['all_reduce', 'broadcast', 'all_gather']));
  });

  it('does not carry the collective of a command line on to the next test', () => {
    const old = table().replace(/^# (?:nccl-tests version|Collective test).*\n/gm, '');
    const result = parse(`$ ./build/all_reduce_perf -b 256M -e 1G -f 2 -g 8\n${old}${old}`);
    expect(result).toMatchObject({ outcome: 'measured', context: { tests: 2, collective: 'unknown' } });
    expect(result.measurements.filter(({ labels }) => labels?.['collective'] === 'all_reduce')).toHaveLength(24);
    expect(parse(`${old}$ ./all_reduce_perf -g 8\n${old}`).context['collective']).toBe('all_reduce');
  });

  it('reads a page that took the # of each line for a heading', () => {
    const text = table({ ranks: 16, hosts: 2 }).replace(/^#/gm, '');
    expect(parse(text)).toMatchObject({ outcome: 'measured', reasons: [], context: { threads: 1, gpus: 1, warmupIterations: 5 } });
    expect([values(text, 'nccl.ranks'), values(text, 'nccl.nodes')]).toEqual([[16], [2]]);
    expect(codes(text.replace(`maxBytes ${LARGEST}`, 'maxBytes 8589934592'))).toContain('nccl.sweep-does-not-fit');
  });

  it('reads the headers of rccl-tests', () => {
    const old = table().replace(/^# nccl-tests version.*\n/, '').replace(/^# nThread.*$/m, '# nThreads: 1 nGpus: 8 nRanks: 1 minBytes: 268435456 maxBytes: 1073741824 step: 2(factor) warmupIters: 7 iters: 20 validation: 1 ').replace(/\[0000:(..):00\]/g, '[0000:$1:00.0]');
    expect(parse(old)).toMatchObject({ outcome: 'measured', reasons: [], context: { gpus: 8, maxBytes: 1_073_741_824, warmupIterations: 7 } });
    expect(parse(table().replace('# Using devices', 'RCCL version : 2.26.6-HEAD:0a1b2c3\nHIP version  : 7.0.51831\n# Using devices')).context).toMatchObject({ ncclVersion: '2.26.6-HEAD:0a1b2c3' });
    const versioned = table().replace(/^# nccl-tests.*/, '# rccl-tests version 2.18.3-HEAD:4a5b6c7 rccl-headers=23004 rccl-library=23004');
    expect(parse(versioned).context).toMatchObject({ ncclTestsVersion: '2.18.3-HEAD:4a5b6c7', ncclVersion: '2.30.4' });
  });

  it('takes an average for whole when a line break follows it', () => {
    const cut = table().replace(/^# (?:nccl-tests version|Collective test).*\n/gm, '').replace(/(Avg bus bandwidth +: \S+)[^]*/, '$1');
    expect(parse(`${cut}\n`).outcome).toBe('measured');
    expect(codes(cut)).toEqual(['nccl.no-footer']);
  });

  it('remarks data that was not checked, and a half that never is', () => {
    const unchecked = table().replace(/ 0(?=\s*$| {2})/gm, ' N/A');
    expect(values(unchecked, 'nccl.wrong')).toEqual([]);
    expect(codes(unchecked)).toEqual(['nccl.not-checked']);
    expect(codes(table().replace(/ 0$/gm, ' N/A'))).toEqual([]);
  });

  it('takes the reduced largest size for the one that was asked for, and says so', () => {
    const text = table().replace(`maxBytes ${LARGEST}`, 'maxBytes 34359738368').replace('# Using devices', `# Reducing maxBytes to ${LARGEST} due to memory limitation\n# Using devices`);
    expect(parse(text).outcome).toBe('measured');
    expect(codes(text)).toEqual(['nccl.memory-limited']);
  });

  it('reads a list of ranks whose heading was left out', () => {
    expect(values(table({ ranks: 16, hosts: 2 }).replace(/^[^]*# Using devices\n/, ''), 'nccl.ranks')).toEqual([16]);
  });

  it('gives the number of ranks that the rows imply only as context', () => {
    const text = table({ ranks: 96 }).replace(/^# {2}Rank.*\n/gm, '');
    expect(parse(text)).toMatchObject({ outcome: 'measured', context: { impliedRanks: 96 } });
    expect(values(text, 'nccl.ranks')).toEqual([]);
  });
});

const half = (left: string): string => `time algbw busbw #wrong${left.includes('+iterations') ? ' i_min i_max i_p99 i_cv%' : ''}`;

function reshape(row: string, left: string): string {
  const [size, count, type, redop, root, ...cells] = row.trim().split(/\s+/);
  const iterations = left.includes('+iterations') ? ['1.0', '2.0', '2.0', '0.49'] : [];
  const head = [size, count, type, ...(left.includes('redop') ? [redop] : []), ...(left.includes('root') ? [root] : [])];
  return [...(left.includes('+clock') ? ['2026-11-30', '10:11:12'] : []), ...head, ...cells.slice(0, 4), ...iterations, ...cells.slice(4), ...iterations, ...(left.includes('+stamp') ? ['2026-11-30', '10:11:12'] : [])].join('  ');
}

describe('nccl-tests: faults and doubts', () => {
  it('fails on wrong values, also when their count has an exponent', () => {
    expect(parse(table({ wrong: 12 })).outcome).toBe('failed');
    expect(values(table({ wrong: 12 }), 'nccl.wrong')).toEqual([0, 0, 0, 0, 12, 0]);
    const many = table({ wrong: 12 }).replace(/ {2}12 /, '  1.04858e+06 ');
    expect(values(many, 'nccl.wrong')).toContain(1_048_580);
    expect(parse(many).outcome).toBe('failed');
  });

  it('fails on a deviation that rccl-tests marks as too large', () => {
    const marked = table().replace(/^(#.*)#wrong(.*)#wrong$/m, '$1error$2error').replace(/(float.*) 0$/m, '$1 1e+00*');
    expect(parse(marked)).toMatchObject({ outcome: 'failed', reasons: [{ code: 'nccl.wrong-data' }] });
    expect(values(marked, 'nccl.wrong')).toEqual([]);
  });

  it('does not believe wrong values of hypercube, which sound machines have too', () => {
    expect(parse(table({ collective: 'hypercube', factor: 1, wrong: 3 })).outcome).toBe('inconclusive');
  });

  it.each<[string, string, string]>([
    ['there is no footer', table({ footer: false }), 'nccl.no-footer'],
    ['the average may be cut', table().split('\n#\n# Collective')[0]!.trimEnd(), 'nccl.no-footer'],
    ['the last line of a version that has one is missing', table().replace(/# Collective test concluded.*\n/, ''), 'nccl.no-conclusion'],
    ['a row is cut', `${table({ footer: false }).trimEnd()}\n2147483648 536870912 float sum -1 7012.3`, 'nccl.cut-row'],
    ['a cell is missing', table().replace(/ -1 /, ' '), 'nccl.cut-row'],
    ['a time was changed', table().replace(/(\d+\.\d\d)( +\d+\.\d\d +\d+\.\d\d +0)/, '11.11$2'), 'nccl.inconsistent-row'],
    ['a bandwidth was changed', table().replace(' 430.00 ', ' 480.00 '), 'nccl.inconsistent-row'],
    ['a ratio is impossible', table({ factor: 0.997, ranks: 8 }).replace(/^# {2}Rank.*\n/gm, ''), 'nccl.inconsistent-rows'],
    ['a row was taken out', table().replace(/^ +268435456 .*\n/m, ''), 'nccl.average-does-not-fit'],
    ['sizes are missing', table().replace(`maxBytes ${LARGEST}`, 'maxBytes 8589934592'), 'nccl.sweep-does-not-fit'],
    ['rank lines are missing', table({ ranks: 16 }).replace(/^# {2}Rank (8|9|1\d) .*\n/gm, ''), 'nccl.ranks-do-not-fit'],
    ['only one rank ran', table({ ranks: 1 }), 'nccl.one-rank'],
    ['one rank ran and its list is missing', table({ ranks: 1 }).replace(/^# {2}Rank.*\n/gm, ''), 'nccl.one-rank'],
    ['the program crashed behind its table', `${table()}[node1:22874] *** Process received signal ***\n`, 'nccl.bad-end'],
    ['the shell tells of a crash', `${table()}./run.sh: line 4: 20911 Segmentation fault      (core dumped) ./all_reduce_perf\n`, 'nccl.bad-end'],
    ['UCX prints where it crashed', `${table({ footer: false })}==== backtrace (tid:    611) ====\n`, 'nccl.bad-end'],
    ['two ranks share a GPU', table().replace('[0000:11:00]', '[0000:10:00]'), 'nccl.shared-gpu'],
    ['copies ran beside each other', table().replace(/(^# {2}Rank {2}0.*\n)/m, '$1$1'), 'nccl.copies'],
    ['it hangs after its start', table().split('\n').slice(0, 4).join('\n'), 'nccl.no-rows'],
    ['it hangs behind its ranks', table().split('\n').slice(0, 14).join('\n'), 'nccl.no-rows'],
    ['a second test has no rows', table() + table().split('\n').slice(0, 14).join('\n'), 'nccl.no-rows'],
    ['the launcher tells of a bad end', `${table()}srun: error: node1: task 3: Exited with exit code 7\n`, 'nccl.bad-end'],
    ['the launcher cannot reach a host', 'ssh: connect to host worker-3 port 22: Connection refused\n', 'nccl.bad-end'],
    ['the launcher has too few slots', 'There are not enough slots available in the system to satisfy the 16\nslots that were requested by the application:\n', 'nccl.bad-end'],
    ['kubectl tells of a killed container', `${table()}command terminated with exit code 137\n`, 'nccl.bad-end'],
    ['the library failed', "node0: Test NCCL failure common.cu:958 'unhandled system error (run with NCCL_DEBUG=INFO for details)'\n", 'nccl.failure'],
    ['a GPU is taken', "n1: Test CUDA failure common.cu:1290 'CUDA-capable device(s) is/are busy or unavailable'\n", 'nccl.cuda-failure'],
    ['the test timed out', `${table({ footer: false })}node0: Test timeout (570s) common.cu:500\n`, 'nccl.timeout'],
    ['an error follows the footer', `${table()}# error: something\n`, 'nccl.error'],
    ['the options are wrong', 'USAGE: all_reduce_perf \n\t[-t,--nthreads <num threads>] \n', 'nccl.usage'],
    ['it is empty', '', 'parse.nothing-measured'],
  ])('is inconclusive when %s', (_, text, code) => {
    expect(codes(text)).toContain(code);
    expect(parse(text).outcome).toBe('inconclusive');
  });

  it('does not take a missing working directory for a bad end', () => {
    expect(parse(`slurmstepd: error: couldn't chdir to \`/root/run': No such file or directory: going to /tmp instead\n${table()}`)).toMatchObject({ outcome: 'measured', reasons: [] });
  });

  it('says on standard error that GPUs are missing', () => {
    expect(codes('', { exitCode: 0, stderr: 'Invalid number of GPUs: 8 requested but only 7 were found.\n' })).toContain('nccl.too-few-gpus');
  });

  it('does not take the bus number of GPUs in different PCI domains for one GPU', () => {
    expect(codes(table().replace(/\[0000:..:00\]/g, '[0x01]'))).toEqual([]);
  });

  it('names a driver that is too old as a fault of the machine', () => {
    expect(parse("gpu1: Test CUDA failure common.cu:1101 'CUDA driver version is insufficient for CUDA runtime version'\n")).toMatchObject({ outcome: 'failed', reasons: [{ code: 'nccl.cuda-fault' }] });
  });

  it('names the warning before the failure that follows from it, and leaves out the call chain', () => {
    const log = [
      'node1:8:9 [1] NCCL WARN Net : Connection closed by remote peer node0<1>',
      "node1: Test NCCL failure common.cu:958 'remote process exited or there was a network error'",
      ' .. node1 pid 8: Test failure common.cu:842',
      '[2026-11-30 10:00:01] node0:8:9 [0] misc/shmutils.cc:88 NCCL WARN Error: failed to extend /dev/shm/nccl-x to 9 bytes, error: No space left on device (28)',
      "node0: Test NCCL failure common.cu:958 'unhandled system error (run with NCCL_DEBUG=INFO for details)'",
    ].join('\n');
    expect(codes(log)).toEqual(['nccl.shm', 'nccl.failure']);
  });

  it.each([1, 3, 7, 137, null])('does not believe a whole table behind exit code %s', (exitCode) => {
    expect(parse(table(), { exitCode }).outcome).toBe('inconclusive');
  });

  it('reports a size only when its row is whole', () => {
    const text = table({ footer: false }).replace(/( +536870912 +\d+ +float +sum +-1).*\n[^]*/, '$1');
    expect(new Set(parse(text).measurements.map(({ labels }) => labels?.['sizeBytes']))).toEqual(new Set(['268435456', undefined]));
  });

  it('is never cleaner when cut or damaged', () => {
    expect(expectNeverCleaner(probe, table({ wrong: 3 }))).toBeGreaterThan(400);
    expect(expectNeverCleaner(probe, table({ footer: false }))).toBeGreaterThan(400);
    expect(expectNeverCleaner(probe, `${table()}node0: Test NCCL failure common.cu:958 'unhandled cuda error'\n`, {}, { endUnknowable: true })).toBeGreaterThan(400);
  });
});
