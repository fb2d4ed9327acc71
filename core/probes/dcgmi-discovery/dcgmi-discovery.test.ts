import { describe, expect, it } from 'vitest';
import { parseText } from '../parse';
import { expectNeverCleaner } from '../testing/mutations';
import { probe } from './index';

const BORDER = '+--------+----------------------------------------------------------------------+';
const row = (id: string, text: string): string => `| ${id.padEnd(6)} | ${text.padEnd(68)} |`;
const gpu = (index: number, name = 'NVIDIA H100 80GB HBM3'): string[] => [row(String(index), `Name: ${name}`), row('', `PCI Bus ID: 00000000:${(27 + index).toString(16).toUpperCase()}:00.0`), row('', `Device UUID: GPU-0000000${index}-aaaa-bbbb-cccc-ddddeeeeffff`), BORDER];
const switches = (count: number): string[] => [`${count} NvSwitches found.`, '+-----------+', '| Switch ID |', '+-----------+', ...Array.from({ length: count }, (_, index) => `| ${String(index).padEnd(9)} |`), '+-----------+'];
const found = (count: number, listed = count): string => [`${count} GPU${count === 1 ? '' : 's'} found.`, BORDER, row('GPU ID', 'Device Information'), BORDER, ...Array.from({ length: listed }, (_, index) => gpu(index)).flat(), ...switches(4), ''].join('\n');

const parse = (text: string, end = {}) => parseText(probe, text, end);
const value = (text: string, metric: string) => parse(text).measurements.filter((measurement) => measurement.metric === metric).map((measurement) => measurement.value);

describe('dcgmi-discovery', () => {
  it('counts GPUs and switches, and names each GPU', () => {
    const text = found(2);
    expect(parse(text, { exitCode: 0 })).toMatchObject({ outcome: 'measured', reasons: [] });
    expect([value(text, 'gpu.count'), value(text, 'nvswitch.count'), value(text, 'gpu.name')]).toEqual([[2], [4], ['NVIDIA H100 80GB HBM3', 'NVIDIA H100 80GB HBM3']]);
  });

  it('reads the singular, and a machine without switches', () => {
    expect(value(found(1), 'gpu.count')).toEqual([1]);
    expect(value(found(1).replace(/4 NvSwitches[^]*/, '0 NvSwitches found.\n+-----------+\n| Switch ID |\n+-----------+\n+-----------+\n'), 'nvswitch.count')).toEqual([0]);
  });

  it('reads the head of newer versions, indented copies and trailing blanks', () => {
    const text = found(2).replace('found.', 'found (Active).').replace(/^(?=.)/gm, '  ').replace(/$/gm, '   ');
    expect(parse(text)).toMatchObject({ outcome: 'measured', reasons: [] });
    expect(value(text, 'gpu.count')).toEqual([2]);
  });

  it('measures no blank name, and no GPU that does not answer', () => {
    const blank = found(2).replace('NVIDIA H100 80GB HBM3', '<<<NULL>>>'.padEnd(21));
    expect(parse(blank)).toMatchObject({ outcome: 'inconclusive', reasons: [{ code: 'dcgm.discovery.blank', line: 5 }] });
    expect(value(blank, 'gpu.name')).toEqual(['NVIDIA H100 80GB HBM3']);
    const silent = (why: string): string => found(2).replace(/\| 1 {6}\| Name[^]*?\+-/, `${row('1', 'Error: Cannot get device attributes for GPU.')}\n${row('', `Return: ${why}`)}\n+-`);
    expect(parse(silent('Timeout')).outcome).toBe('inconclusive');
    expect(parse(silent('GPU is lost')).outcome).toBe('failed');
  });

  it('does not believe a number that its own list contradicts', () => {
    expect(parse(found(8, 7))).toMatchObject({ outcome: 'inconclusive', reasons: [{ code: 'dcgm.discovery.count' }] });
  });

  it('takes no GPU for a fault, and no answer for no answer', () => {
    expect(parse(found(0)).outcome).toBe('failed');
    expect(parse('Error: unable to establish a connection to the specified host: localhost\n', { exitCode: 235 })).toMatchObject({ outcome: 'inconclusive', measurements: [] });
    expect(parse('sh: 1: dcgmi: not found\n', { exitCode: 127 }).outcome).toBe('inconclusive');
    expect(parse('').outcome).toBe('inconclusive');
  });

  it('sees a cut table', () => {
    expect(parse(found(2).split('\n').slice(0, 7).join('\n')).outcome).toBe('inconclusive');
  });

  it('is never cleaner when cut or damaged', () => {
    expect(expectNeverCleaner(probe, found(0))).toBeGreaterThan(100);
    expect(expectNeverCleaner(probe, found(8, 7))).toBeGreaterThan(100);
  });
});
