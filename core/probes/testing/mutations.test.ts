import { describe, expect, it } from 'vitest';
import type { ParseResult, ProbeDefinition } from '../contract';
import { expectNeverCleaner, mutations, truncations } from './mutations';

/** Counts lines; `fault` makes it failed; `trusting` is a parser with the mistake that the harness must find. */
function lineCounter(trusting: boolean): ProbeDefinition {
  return {
    id: 'line-counter',
    parser: 'line-counter/1',
    title: '',
    proves: '',
    metrics: [],
    createParser: () => {
      let lines = 0;
      let isFaulty = false;
      let isWhole = false;
      return {
        line: (text) => {
          lines++;
          isFaulty ||= text === 'fault';
          isWhole ||= text === 'end';
        },
        end: (): ParseResult => ({
          probe: 'line-counter',
          parser: 'line-counter/1',
          outcome: isFaulty ? 'failed' : (isWhole || trusting) && lines > 0 ? 'measured' : 'inconclusive',
          reasons: [{ code: 'demo', severity: 'error', message: 'Demo.', ...(isFaulty ? { line: 2 } : {}) }],
          measurements: lines > 0 ? [{ metric: 'lines', value: lines }] : [],
          context: {},
        }),
      };
    },
  };
}

describe('mutations', () => {
  it('makes every prefix of a short text', () => {
    const texts = [...truncations('ab\nc')].map(({ text }) => text);
    expect(texts).toEqual(['', 'a', 'ab', 'ab\n']);
  });

  it('makes the same changes for the same seed and others for another', () => {
    const texts = (seed: number): string[] => [...mutations('one\ntwo\nthree', seed, 50)].map(({ text }) => text);
    expect(texts(7)).toEqual(texts(7));
    expect(texts(7)).not.toEqual(texts(8));
    expect(new Set(texts(7)).size).toBeGreaterThan(25);
  });
});

describe('expectNeverCleaner', () => {
  it('accepts a parser that knows where its output ends', () => {
    expect(expectNeverCleaner(lineCounter(false), 'begin\nfault\nend\n')).toBeGreaterThan(400);
  });

  it('finds a parser that takes a cut output for a clean one', () => {
    expect(() => expectNeverCleaner(lineCounter(true), 'begin\nfault\nend\n')).toThrow(/from failed to measured/);
  });
});
