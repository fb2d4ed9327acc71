import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stripAnsi } from './ansi';
import { parseDecimal, parseInteger, parseNumberWithUnit } from './numbers';
import { ResultCollector } from './result-collector';

describe('stripAnsi', () => {
  it('removes colours, underlines that are never closed, and titles', () => {
    expect(stripAnsi('\t\x1b[4mGPU0\tGPU1\x1b[0m')).toBe('\tGPU0\tGPU1');
    expect(stripAnsi('\x1b[1;31mred\x1b[m')).toBe('red');
    expect(stripAnsi('\x1b]0;title\x07text')).toBe('text');
  });

  it('leaves text without escapes as it is', () => {
    fc.assert(fc.property(fc.string().filter((text) => !text.includes('\x1b')), (text) => stripAnsi(text) === text));
  });
});

describe('numbers', () => {
  it('reads only texts that are a number from end to end', () => {
    expect(parseDecimal(' 26.562 ')).toBe(26.562);
    expect(parseDecimal('1e+06')).toBe(1_000_000);
    for (const text of ['', ' ', 'N/A', '12abc', '0x10', 'Infinity', 'NaN', '1,000', '1e999']) expect(parseDecimal(text)).toBeUndefined();
  });

  it('reads whole numbers only when a double holds them exactly', () => {
    expect(parseInteger('42')).toBe(42);
    for (const text of ['', '4.2', '9223372036854775794']) expect(parseInteger(text)).toBeUndefined();
  });

  it('separates a number from its unit', () => {
    expect(parseNumberWithUnit('81559 MiB')).toEqual({ value: 81559, unit: 'MiB' });
    expect(parseNumberWithUnit('0 %')).toEqual({ value: 0, unit: '%' });
    expect(parseNumberWithUnit('16x')).toEqual({ value: 16, unit: 'x' });
    expect(parseNumberWithUnit('7')).toEqual({ value: 7, unit: '' });
    for (const text of ['', 'W', '[N/A]', '5 apples and 3', 'P8']) expect(parseNumberWithUnit(text)).toBeUndefined();
  });
});

describe('ResultCollector', () => {
  const collector = (): ResultCollector => new ResultCollector({ id: 'demo', parser: 'demo/1' });

  it('is inconclusive when nothing was measured', () => {
    expect(collector().result()).toMatchObject({ outcome: 'inconclusive', reasons: [{ code: 'parse.nothing-measured' }] });
  });

  it('lets a fault win over a doubt, and a doubt over measurements', () => {
    const found = collector();
    found.measure({ metric: 'gpu.count', value: 8 });
    expect(found.result().outcome).toBe('measured');
    found.doubt('demo.cut', 'Cut.');
    expect(found.result().outcome).toBe('inconclusive');
    found.fault('demo.lost', 'Lost.', 3);
    expect(found.result()).toMatchObject({ outcome: 'failed', reasons: [{ code: 'demo.cut' }, { code: 'demo.lost', line: 3 }] });
  });

  it('keeps a bounded number of reasons and says how many it left out', () => {
    const found = collector();
    for (let index = 0; index < 1000; index++) found.remark('info', 'demo.noise', `Line ${index}.`, index);
    const { reasons } = found.result();
    expect(reasons.length).toBeLessThan(250);
    expect(reasons.some(({ code, message }) => code === 'parse.more-reasons' && message.startsWith('800 '))).toBe(true);
  });
});
