import { describe, expect, it } from 'vitest';
import type { HostCapabilities } from '../contract';
import { parseText } from '../parse';
import { expectNeverCleaner } from '../testing/mutations';
import { probe } from './index';

const BORDER = '+---------------------------+------------------------------------------------+';
const HEAD = ['Successfully ran diagnostic for group.', BORDER, row('Diagnostic', 'Result'), '+===========================+================================================+'];

function row(name: string, value: string): string {
  return `| ${name.padEnd(26)}| ${value.padEnd(47)}|`;
}

const text = (rows: string[]): string => [...HEAD, '|-----  Metadata  ----------+------------------------------------------------|', row('DCGM Version', '4.3.1'), ...rows, BORDER, ''].join('\n');
const deployment = '|-----  Deployment  --------+------------------------------------------------|';
const hardware = '+-----  Hardware  ----------+------------------------------------------------+';

const PASS = text([deployment, row('software', 'Pass'), row('', 'GPU0: Pass'), row('', 'GPU1: Pass'), hardware, row('memory', 'Pass'), row('', 'GPU0: Pass'), row('', 'GPU1: Pass')]);
const FAIL = PASS.replace(row('memory', 'Pass'), row('memory', 'Fail')).replace(`${row('', 'GPU1: Pass')}\n${BORDER}`, `${row('', 'GPU1: Fail')}\n${row('Warning', 'GPU 1 found 3 memory errors.')}\n${BORDER}`);

const json = (tests: object[]): string => JSON.stringify({ 'DCGM Diagnostic': { test_categories: [{ category: 'Hardware', tests }] }, metadata: { version: '4.3.1' } }, null, 2);
const entity = (id: number, over: object): object => ({ entity_group: 'GPU', entity_group_id: 1, entity_id: id, ...over });

const outcome = (input: string, end = {}): string => parseText(probe, input, end).outcome;
const statuses = (input: string): Record<string, unknown> =>
  Object.fromEntries(parseText(probe, input).measurements.filter(({ metric }) => metric === 'dcgm.diag.status').map(({ labels, value }) => [`${labels!['test']}${labels!['gpu'] ?? ''}`, value]));

describe('dcgmi-diag', () => {
  it('reads each test and each GPU of a table', () => {
    expect(outcome(PASS, { exitCode: 0 })).toBe('measured');
    expect(statuses(PASS)).toEqual({ software: 'pass', software0: 'pass', software1: 'pass', memory: 'pass', memory0: 'pass', memory1: 'pass' });
  });

  it('sees a failure that is not in the first result', () => {
    expect(outcome(FAIL, { exitCode: 226 })).toBe('failed');
    expect(statuses(FAIL)).toMatchObject({ memory0: 'pass', memory1: 'fail' });
    const third = json([{ name: 'memory', results: [0, 1, 2, 3].map((id) => entity(id, { status: id === 3 ? 'Fail' : 'Pass' })), test_summary: { status: 'Pass' } }]);
    expect(outcome(third)).toBe('failed');
  });

  it('knows the line of each result in JSON', () => {
    const input = json([{ name: 'memory', results: [0, 1].map((id) => entity(id, { status: id === 1 ? 'Fail' : 'Pass' })), test_summary: { status: 'Fail' } }]);
    const lines = input.split('\n');
    const { measurements, reasons } = parseText(probe, input);
    const lineOfGpu1 = measurements.find(({ labels }) => labels?.['gpu'] === '1')!.line!;
    expect(lines.slice(lineOfGpu1 - 1, lineOfGpu1 + 4).join('')).toMatch(/^\s*\{.*"entity_id": 1,\s*"status": "Fail"$/);
    expect(lines[measurements.find(({ metric }) => metric === 'dcgm.version')!.line! - 1]).toContain('"metadata"');
    expect(reasons).toContainEqual(expect.objectContaining({ code: 'dcgm.diag.fail', line: lineOfGpu1 }));
  });

  it('reads the older status lines with lists of GPUs', () => {
    const old = text([hardware, row('GPU Memory', 'Pass - GPUs: 0, 2'), row('', 'Fail - GPU: 1')]);
    expect(statuses(old)).toMatchObject({ 'GPU Memory0': 'pass', 'GPU Memory1': 'fail', 'GPU Memory2': 'pass', 'GPU Memory': 'fail' });
  });

  it('gives each entity the messages that DCGM 4 names for it', () => {
    const input = text([
      deployment, row('software', 'Warn'), row('', 'GPU0: Pass'), row('', 'GPU1: Fail'), row('Warning: GPU1', 'Persistence Mode: Persistence mode for GPU 1'), row('', ' is disabled.'), row('', 'GPU2: Pass'),
      hardware, row('memory', 'Pass'), row('', 'GPU0: Pass'), row('Info: GPU0', 'Host to GPU bandwidth:  48.10 GB/s'), row('', 'CPU0: Skip'),
    ]);
    const result = parseText(probe, input, { exitCode: 226 });
    expect(result.outcome).toBe('measured');
    expect(statuses(input)).toEqual({ software: 'config', software0: 'pass', software1: 'config', software2: 'pass', memory: 'skip', memory0: 'pass' });
    expect(result.context['tests']).toEqual(['software', 'memory']);
    expect(result.measurements).toContainEqual({ metric: 'dcgm.diag.value', value: 48.1, unit: 'GB/s', labels: { test: 'memory', name: 'host_to_gpu_bandwidth', gpu: '0' }, line: 17 });
    expect(outcome(input.replace(/Persistence Mode.*1 /, 'GPU 1 has a pending page retirement'.padEnd(46)))).toBe('failed');
  });

  it('reads a list of GPUs over two rows, and doubts one that the tool cut', () => {
    const wrapped = [hardware, row('PCIe', 'Pass - GPUs: 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 1'), row('', '0, 11'), row('', 'Skip - GPU: 12')];
    expect(Object.keys(statuses(text(wrapped)))).toEqual(['PCIe', ...Array.from({ length: 13 }, (_, gpu) => `PCIe${gpu}`)]);
    const cut = text([hardware, row('PCIe', 'Pass - GPUs: 0, 1, 2, 3, 4, 5, 6, 7, 8, 9,...')]);
    expect(outcome(cut)).toBe('inconclusive');
    expect(statuses(cut)).not.toHaveProperty('PCIe10');
  });

  it('reads all numbers of a row that joins them, and a table without the head of its metadata', () => {
    const input = text([hardware, row('PCIe', 'Pass - All'), row('Info', 'GPU 3 Host to GPU bandwidth: 11.5 GB/s, GPU '), row('', '3 GPU to Host bandwidth: 12.5 GB/s')])
      .replace('|-----  Metadata  ----------+------------------------------------------------|\n', '')
      .replace(/^/gm, '  ');
    const result = parseText(probe, input);
    expect(result.outcome).toBe('measured');
    expect(result.measurements.map(({ value }) => value)).toEqual(['4.3.1', 'pass', 11.5, 12.5]);
  });

  it('loses no result to a head at the wrong place, and none that belongs to no test', () => {
    const head = '|-----  Metadata  ----------+------------------------------------------------|';
    const misplaced = text([deployment, row('software', 'Pass'), hardware, head, row('memory', 'Fail'), row('', 'GPU0: Pass'), row('', 'GPU1: Fail')]);
    expect(statuses(misplaced)).toEqual({ software: 'pass', memory: 'fail', memory0: 'pass', memory1: 'fail' });
    const orphan = text([deployment, row('software', 'Pass'), hardware, row('', 'GPU1: Fail')]);
    expect(parseText(probe, orphan)).toMatchObject({ outcome: 'inconclusive', reasons: [{ code: 'dcgm.diag.unknown-status', line: 10 }] });
  });

  it('counts a test without a word as one that did not run', () => {
    expect(statuses(text([hardware, row('memory', 'Pass'), row('', 'GPU0: Pass'), row('', 'GPU1:'), row('pcie', '')]))).toEqual({ memory: 'pass', memory0: 'pass', memory1: 'not-run', pcie: 'not-run' });
  });

  it('reads every iteration of a repeated run', () => {
    const round = (status: string): object => ({ 'DCGM Diagnostic': { test_categories: [{ category: 'Hardware', tests: [{ name: 'memory', results: [entity(0, { status })] }] }] }, metadata: { version: '4.3.1' } });
    expect(outcome(JSON.stringify({ iterations: [round('Pass'), round('Pass')], 'Overall Result': 'Pass' }))).toBe('measured');
    expect(outcome(JSON.stringify({ iterations: [round('Pass'), round('Fail')], 'Overall Result': 'Fail' }))).toBe('failed');
    expect(outcome(JSON.stringify({ iterations: [round('Pass'), {}], 'Overall Result': 'Fail' }))).toBe('inconclusive');
  });

  it('takes a skip for what it is', () => {
    const skipped = json([{ name: 'memory', results: [entity(0, { status: 'Skip' })], test_summary: { status: 'Skip' } }]);
    expect(parseText(probe, skipped, { exitCode: 0 })).toMatchObject({ outcome: 'inconclusive', reasons: expect.arrayContaining([expect.objectContaining({ code: 'dcgm.diag.all-skipped' })]) });
  });

  it('keeps configuration findings, tool errors and faults apart', () => {
    const finding = (warning: object): string => json([{ name: 'software', results: [entity(0, { status: 'Fail', warnings: [warning] })], test_summary: { status: 'Fail' } }, { name: 'memory', results: [entity(0, { status: 'Pass' })] }]);
    expect(statuses(finding({ warning: 'Persistence mode is off.', error_severity: 5, error_id: 29 }))).toMatchObject({ software0: 'config' });
    expect(outcome(finding({ warning: 'Persistence mode is off.', error_severity: 5, error_id: 29 }), { exitCode: 226 })).toBe('measured');
    expect(outcome(finding({ warning: "There was an internal error during the test: 'A child process (9) exited'", error_severity: 2 }))).toBe('inconclusive');
    expect(outcome(finding({ warning: 'A row remap failed.', error_severity: 2, error_id: 80 }))).toBe('failed');
  });

  it('does not let a passed test hide a recorded error', () => {
    const input = json([{ name: 'memory', results: [entity(0, { status: 'Pass', warnings: [{ warning: 'Allocation of 8 GB failed.', error_id: 14, error_severity: 1 }] })] }]);
    expect(outcome(input)).toBe('inconclusive');
  });

  it('reads numbers of info lines, but not blanks that look like numbers', () => {
    const input = json([{ name: 'pcie', results: [entity(2, { status: 'Pass', info: ['GPU 2 GPU to Host bandwidth:\t\t51.70 GB/s', 'Value = 9223372036854775794 us'] })] }]);
    const values = parseText(probe, input).measurements.filter(({ metric }) => metric === 'dcgm.diag.value');
    expect(values).toEqual([{ metric: 'dcgm.diag.value', value: 51.7, unit: 'GB/s', labels: { test: 'pcie', name: 'gpu_to_host_bandwidth', gpu: '2' }, line: 10 }]);
  });

  it.each([
    ['an unknown root', '{"Diagnostics": {}}'],
    ['nothing', ''],
    ['a cut table', PASS.slice(0, PASS.lastIndexOf(BORDER))],
    ['a cut report', json([{ name: 'memory', results: [entity(0, { status: 'Pass' })] }]).slice(0, -4)],
    ['an early end', JSON.stringify({ 'DCGM Diagnostic': { runtime_error: 'Timed out.', test_categories: [] } })],
    ['a missing host engine', 'Error: unable to establish a connection to the specified host: localhost\n'],
    ['an unknown result', json([{ name: 'memory', results: [entity(0, { status: 'Maybe' })] }])],
  ])('is inconclusive for %s', (_, input) => {
    expect(outcome(input)).toBe('inconclusive');
  });

  it('does not believe a clean report behind an exit code that says otherwise', () => {
    for (const exitCode of [226, 205, 235, 124, null]) expect(outcome(PASS, { exitCode })).toBe('inconclusive');
  });

  it('is never cleaner when cut or damaged', () => {
    expect(expectNeverCleaner(probe, FAIL)).toBeGreaterThan(100);
    expect(expectNeverCleaner(probe, json([{ name: 'memory', results: [entity(0, { status: 'Fail' })] }]))).toBeGreaterThan(100);
  });

  it('plans by version and level, and never with options that turn a fail into a pass', () => {
    const host = (dcgmVersion: string): HostCapabilities => ({ tools: { dcgmi: { path: '/usr/bin/dcgmi' } }, isRoot: true, dcgmVersion });
    expect(probe.plan!({ level: 2, entities: ['gpu:0', 'gpu:1'] }, host('4.2.3'))).toMatchObject({ argv: ['/usr/bin/dcgmi', 'diag', '-r', '2', '-j', '-i', 'gpu:0,gpu:1'], invasive: true });
    expect(probe.plan!({ level: 1, entities: ['gpu:0'] }, host('3.3.9'))).toMatchObject({ argv: ['/usr/bin/dcgmi', 'diag', '-r', '1', '-j', '-i', '0'], invasive: false });
    expect(probe.plan!({}, { tools: {}, isRoot: true })).toMatchObject({ kind: 'unprovable' });
  });
});
