import { describe, expect, it } from 'vitest';
import type { HostCapabilities, ParseResult } from '../contract';
import { queryOf, queryRow } from '../nvidia-smi/testing/fixtures';
import { parseText } from '../parse';
import { expectNeverCleaner } from '../testing/mutations';
import { probe } from './index';

const FOUR = [0, 1, 2, 3].map((index) => ({ index }));

const find = ({ measurements }: ParseResult, metric: string, gpu = '0'): number | string | undefined =>
  measurements.find((found) => found.metric === metric && found.labels?.['gpu'] === gpu)?.value;

const codes = (result: ParseResult): string[] => result.reasons.map(({ code }) => code);

describe('nvidia-smi --query-gpu', () => {
  it('reads each known column of each GPU with its unit', () => {
    const result = parseText(probe, queryOf(FOUR));
    expect(result.outcome).toBe('measured');
    expect(result.measurements).toContainEqual({ metric: 'gpu.count', value: 4 });
    expect(result.measurements).toContainEqual({ metric: 'gpu.memory.total', value: 97871, unit: 'MiB', labels: { gpu: '3' }, line: 5 });
    expect(result.measurements).toContainEqual({ metric: 'gpu.power.draw', value: 81.2, unit: 'W', labels: { gpu: '1' }, line: 3 });
    expect(find(result, 'gpu.driver')).toBe('570.86.15');
    expect(find(result, 'gpu.remap.pending')).toBe('No');
  });

  it('reads the same numbers without units in the cells', () => {
    const result = parseText(probe, queryOf(FOUR).replaceAll(' MiB,', ',').replaceAll(/(\d) W,/g, '$1,'));
    expect(find(result, 'gpu.memory.total', '2')).toBe(97871);
  });

  it.each(['[N/A]', 'N/A', '[Not Supported]', '', '[Requested functionality has been deprecated]'])('has no measurement for %j', (cell) => {
    const result = parseText(probe, queryOf([{ index: 0, count: 1, power: cell, mig: cell }]));
    expect(result.outcome).toBe('measured');
    expect(find(result, 'gpu.power.draw')).toBeUndefined();
    expect(find(result, 'gpu.mig.mode')).toBeUndefined();
  });

  it.each(['[Unknown Error]', 'ERR!', '[Insufficient Permissions]', '[Something new]', '81.20 mW', '12abc', '-5 W', '4294967295'])('is inconclusive for %j in a known column', (cell) => {
    const result = parseText(probe, queryOf([{ index: 0, count: 1, power: cell }]));
    expect(result.outcome).toBe('inconclusive');
    expect(find(result, 'gpu.power.draw')).toBeUndefined();
  });

  it.each([
    [{ uncorrected: '3' }, 'gpu.ecc-uncorrected'],
    [{ pending: 'Yes' }, 'gpu.remap-pending'],
    [{ failure: 'Yes' }, 'gpu.remap-failure'],
    [{ memory: '[GPU is lost]' }, 'nvidia-smi.gpu-fault'],
    [{ memory: '[GPU requires reset]' }, 'nvidia-smi.gpu-fault'],
  ])('calls %j of one GPU among healthy ones a fault', (change, code) => {
    const result = parseText(probe, queryOf(FOUR.map((row) => (row.index === 2 ? { ...row, ...change } : row))));
    expect(result.outcome).toBe('failed');
    expect(result.reasons).toContainEqual(expect.objectContaining({ code, line: 4 }));
  });

  it.each([
    ['gpu_recovery_action', 'Reset', 'failed'],
    ['gpu_recovery_action', 'None', 'measured'],
    ['fabric.state', 'In Progress', 'inconclusive'],
    ['fabric.state', 'Completed', 'measured'],
    ['fabric.status', 'Insufficient Resources', 'failed'],
    ['clocks_event_reasons.active', '0x0000000000000004', 'measured'],
    ['clocks_throttle_reasons.hw_slowdown', 'Active', 'measured'],
    ['retired_pages.pending', 'Yes', 'failed'],
    ['ecc.errors.uncorrected.aggregate.sram.thresholdExceeded', 'Yes', 'failed'],
    ['ecc.errors.uncorrected.aggregate.total', '7', 'measured'],
  ])('judges %s = %s as %s', (column, value, outcome) => {
    expect(parseText(probe, `index, name, ${column}\n0, NVIDIA L40S, ${value}\n`).outcome).toBe(outcome);
  });

  it('warns of a slowdown in the mask under both names of the column', () => {
    for (const name of ['clocks_event_reasons.active', 'clocks_throttle_reasons.active']) {
      const result = parseText(probe, `index, name, ${name}\n0, NVIDIA L40S, 0x0000000000000048\n`);
      expect(codes(result)).toContain('gpu.slowdown');
      expect(find(result, 'gpu.throttle.reasons')).toBe('0x0000000000000048');
    }
  });

  it('finds an error line before, between and behind healthy rows', () => {
    const error = 'Unable to determine the device handle for GPU 0000:5F:00.0: Unknown Error';
    const lines = queryOf(FOUR.slice(0, 3).map((row) => ({ ...row, count: 3 }))).trimEnd().split('\n');
    for (let at = 0; at <= lines.length; at++) {
      const result = parseText(probe, lines.toSpliced(at, 0, error).join('\n'));
      expect(result.outcome).toBe('failed');
      expect(result.measurements).toContainEqual({ metric: 'gpu.count', value: 3 });
    }
  });

  it('is not fooled by an error that has as many cells as a row', () => {
    expect(parseText(probe, 'name\nNo devices were found\n').outcome).toBe('failed');
  });

  describe('with -l, which prints the rows again and again', () => {
    const rows = (second: number, gpus: readonly number[], name = 'index'): string =>
      gpus.map((gpu) => `2026/03/02 10:11:0${second}.12${gpu}, ${name === 'index' ? gpu : `00000000:${gpu + 1}B:00.0`}, ${40 + 10 * second + gpu}\n`).join('');

    it.each(['index', 'pci.bus_id'])('counts each GPU once, told apart by %s', (name) => {
      const result = parseText(probe, `timestamp, ${name}, temperature.gpu\n${rows(0, [0, 1], name)}${rows(1, [0, 1], name)}${rows(2, [0, 1], name)}`);
      expect(result).toMatchObject({ outcome: 'measured', reasons: [], context: { rounds: 3 } });
      expect(result.measurements).toContainEqual({ metric: 'gpu.count', value: 2 });
      expect(result.measurements).toContainEqual({ metric: 'gpu.temperature', value: 41, unit: 'Cel', labels: { gpu: '1' }, line: 3 });
      expect(result.measurements).toContainEqual({ metric: 'gpu.temperature', value: 61, unit: 'Cel', labels: { gpu: '1', sample: '3' }, line: 7 });
    });

    it.each([
      ['a GPU is lost in between', rows(0, [0, 1]) + rows(1, [0]) + rows(2, [0, 1]), 'nvidia-smi.round-differs'],
      ['the last round is cut', rows(0, [0, 1]) + rows(1, [0]), 'nvidia-smi.round-differs'],
      ['the GPUs change', rows(0, [0, 1]) + rows(1, [0, 2]), 'nvidia-smi.round-differs'],
    ])('is inconclusive when %s', (_what, text, code) => {
      const result = parseText(probe, `timestamp, index, temperature.gpu\n${text}`);
      expect(result.outcome).toBe('inconclusive');
      expect(codes(result)).toContain(code);
    });

    it('counts nothing more when the rows name no GPU', () => {
      const result = parseText(probe, 'timestamp, utilization.gpu [%]\n2026/03/02 10:11:00.120, 7 %\n2026/03/02 10:11:01.120, 93 %\n');
      expect(result.outcome).toBe('inconclusive');
      expect(codes(result)).toContain('nvidia-smi.rows-unnamed');
      expect(result.measurements.map(({ value }) => value)).toEqual([7, 1]);
    });
  });

  it.each([
    ['fewer rows than the driver counts', queryOf(FOUR.slice(0, 3)), 'nvidia-smi.row-count'],
    ['a gap in the indices', queryOf([0, 1, 3].map((index) => ({ index, count: 3 }))), 'nvidia-smi.missing-gpu'],
    ['the same GPU twice', queryOf([0, 0].map((index) => ({ index, count: 2 }))), 'nvidia-smi.duplicate-gpu'],
    ['a row that is cut', queryOf(FOUR).slice(0, -20), 'nvidia-smi.row-cells'],
    ['no header', `${queryRow({ index: 0 })}\n`, 'nvidia-smi.no-header'],
    ['a query of processes', 'gpu_uuid, pid, used_gpu_memory [MiB]\nGPU-1b2c3d4e-aaaa-bbbb-cccc-0123456789ab, 77, 512 MiB\n', 'nvidia-smi.other-query'],
    ['a header alone', queryOf([]), 'nvidia-smi.no-rows'],
    ['different drivers', queryOf(FOUR).replace('570.86.15', '570.86.10'), 'nvidia-smi.drivers-differ'],
  ])('is inconclusive with %s', (_what, text, code) => {
    const result = parseText(probe, text);
    expect(result.outcome).toBe('inconclusive');
    expect(codes(result)).toContain(code);
  });

  it('never becomes cleaner when it is damaged', () => {
    expectNeverCleaner(probe, queryOf(FOUR));
    expectNeverCleaner(probe, queryOf(FOUR.map((row) => (row.index === 3 ? { ...row, pending: 'Yes' } : row))), {}, { headerLine: 1 });
    expectNeverCleaner(probe, `Unable to determine the device handle for GPU3: 0000:5F:00.0: Unknown Error\n${queryOf(FOUR.slice(0, 3))}`);
  });
});

describe('the plan', () => {
  const host = (queryGpuFields?: string[]): HostCapabilities => ({
    tools: { 'nvidia-smi': { path: 'nvidia-smi' } },
    isRoot: false,
    ...(queryGpuFields ? { queryGpuFields } : {}),
  });
  const fieldsOf = (plan: ReturnType<NonNullable<typeof probe.plan>> | undefined): string[] =>
    plan?.kind === 'command' ? (plan.argv[1] ?? '').replace('--query-gpu=', '').split(',') : [];

  it('asks only long-standing fields when the list is not known', () => {
    const fields = fieldsOf(probe.plan?.({}, host()));
    expect(fields).toContain('memory.total');
    expect(fields).not.toContain('mig.mode.current');
    expect(fields.some((field) => /clocks_|fabric|remapped/.test(field))).toBe(false);
  });

  it('takes the spelling that this driver lists', () => {
    expect(fieldsOf(probe.plan?.({}, host(['index', 'name', 'clocks_throttle_reasons.active'])))).toEqual(['index', 'name', 'clocks_throttle_reasons.active']);
    expect(fieldsOf(probe.plan?.({}, host(['index', 'clocks_event_reasons.active', 'clocks_throttle_reasons.active'])))).toEqual(['index', 'clocks_event_reasons.active']);
  });

  it('adds what tells rows apart to the fields of a card', () => {
    expect(fieldsOf(probe.plan?.({ fields: ['power.draw'] }, host()))).toEqual(['index', 'uuid', 'power.draw']);
  });

  it('refuses a field that would make the whole query fail', () => {
    expect(probe.plan?.({ fields: ['cuda_version'] }, host(['index', 'uuid']))).toMatchObject({ kind: 'unprovable', reason: { code: 'nvidia-smi.invalid-field' } });
  });
});
