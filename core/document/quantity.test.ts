import { describe, expect, it } from 'vitest';
import { convert, parseQuantity } from './quantity';

describe('quantities', () => {
  it.each([
    ['350 ms', 's', 0.35],
    ['40 GiB', 'MiB', 40_960],
    ['80 GB', 'GiB', 74.50580596923828],
    ['480 GB/s', 'GB/s', 480],
    ['400 Gbit/s', 'GB/s', 50],
    ['90 %', '1', 0.9],
    ['85 °C', 'Cel', 85],
    ['12 req/s', 'req/s', 12],
    ['1e3 us', 'ms', 1],
  ])('%s in %s', (text, unit, expected) => {
    expect(convert(parseQuantity(text)!, unit)).toBeCloseTo(expected, 9);
  });

  it.each(['fast', '350', 'ms', '350 furlongs', '3 50 ms', '', '350 MS'])('does not guess what %j means', (text) => {
    expect(parseQuantity(text)).toBeUndefined();
  });

  it('does not convert between dimensions', () => {
    expect(convert(parseQuantity('350 ms')!, 'GB/s')).toBeUndefined();
    expect(convert(parseQuantity('350 ms')!, 'parsec')).toBeUndefined();
  });
});
