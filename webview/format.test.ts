import { expect, it } from 'vitest';
import { byName, formatBytes, formatDuration, formatElapsed, formatNumber, sharedPrefix } from './format';

it('shows sizes as powers of two', () => {
  expect([512, 8 * 2 ** 20, 1.5 * 2 ** 30].map(formatBytes)).toEqual(['512 B', '8 MiB', '1.5 GiB']);
});

it('shows numbers with four digits, without losing small ones', () => {
  expect([1980, 473.7612, 0.0175, 0, 0.00000123, 123456].map(formatNumber)).toEqual(['1,980', '473.8', '0.0175', '0', '1.23e-6', '123,500']);
});

it('shows times', () => {
  expect([0, 17_400, 725_000, 3_760_000].map(formatElapsed)).toEqual(['0:00', '0:17', '12:05', '1:02:40']);
  expect([412, 17_200, 125_000].map(formatDuration)).toEqual(['0.4 s', '17 s', '2 min 5 s']);
});

it('sorts names by their numbers', () => {
  expect(['GPU 10', 'GPU 2', 'GPU 0'].sort(byName)).toEqual(['GPU 0', 'GPU 2', 'GPU 10']);
});

it('finds what many names begin with, and leaves a few as they are', () => {
  expect(sharedPrefix(['GPU 0', 'GPU 1', 'GPU 2', 'GPU 3'])).toBe('GPU ');
  expect(sharedPrefix(['p50', 'p95', 'p99'])).toBe('');
  expect(sharedPrefix(['GPU 0', 'GPU 1', 'GPU 2', 'Switch 0'])).toBe('');
});
