import { describe, expect, it } from 'vitest';
import type { Measurement } from '../contract';
import { createByteParser, parseText } from '../parse';
import { probe } from './index';
import { SampleSeries } from './series';

const header = (...tags: string[]): string => `#Entity         ${tags.map((tag) => tag.padEnd(12)).join('')}\nID\n`;
const line = (entity: string, ...cells: string[]): string => `${entity.padEnd(16)}${cells.map((cell) => cell.padEnd(12)).join('')}\n`;
const parse = (text: string, end = {}) => parseText(probe, text, end);
const values = (text: string, tag: string) => parse(text).measurements.filter(({ labels }) => labels?.['tag'] === tag).map(({ value, labels }) => [labels!['entity'], value]);

const STREAM = header('GPUTL', 'TMPTR', 'POWER') + line('GPU 0', '97', '61', '612.350') + line('GPU 1', '96', '63', '598.102') + header('GPUTL', 'TMPTR', 'POWER') + line('GPU 0', '98', '62', '615.001');

describe('dcgmi-dmon', () => {
  it('reads columns by their offset, across repeated headers, with units and sample numbers', () => {
    const { measurements, outcome } = parse(STREAM, { plannedStop: true, exitCode: null });
    expect(outcome).toBe('measured');
    expect(measurements[0]).toEqual({ metric: 'dcgm.field', value: 97, unit: '%', labels: { entity: 'GPU 0', tag: 'GPUTL', sample: '1' }, line: 3 });
    expect(measurements.at(-1)).toMatchObject({ value: 615.001, unit: 'W', labels: { entity: 'GPU 0', sample: '2' } });
  });

  it('keeps N/A and empty cells apart from 0', () => {
    const text = header('GPUTL', 'XIDER', 'NVLTX') + line('GPU 0', 'N/A', '', '0');
    expect([values(text, 'GPUTL'), values(text, 'XIDER'), values(text, 'NVLTX')]).toEqual([[], [], [['GPU 0', 0]]]);
  });

  it('drops values that cannot be, and says so', () => {
    const text = header('GPUTL', 'TMPTR') + line('GPU 0', '4294967295', '61') + line('GPU 0', '345', '61') + line('GPU 0', '50', '61');
    expect(values(text, 'GPUTL')).toEqual([['GPU 0', 50]]);
    expect(parse(text)).toMatchObject({ outcome: 'measured', context: { rejectedValues: 2 } });
  });

  it('reads entities that hold blanks', () => {
    const text = header('GPUTL') + line('GPU-I 3', '40') + line('GPU 0 LINK 3', '7');
    expect(values(text, 'GPUTL')).toEqual([['GPU-I 3', 40], ['GPU 0 LINK 3', 7]]);
  });

  it('reads the table of DCGM 2, set to the right and with units', () => {
    const head = '# Entity  POWER  GPUTL  SMCLK\n      Id      W      %    MHz\n';
    const text = `admin@node4:~$ dcgmi dmon -e 155,203,100\n${head}     GPU 0 61.250     77   1410\n     GPU 1 60.125    N/A    345\n\n${head}     GPU 0 61.500    N/W   1395\n`;
    const result = parse(text);
    expect(result).toMatchObject({ outcome: 'measured', reasons: [], context: { entities: 2 } });
    expect(values(text, 'POWER')).toEqual([['GPU 0', 61.25], ['GPU 1', 60.125], ['GPU 0', 61.5]]);
    expect(values(text, 'GPUTL')).toEqual([['GPU 0', 77]]);
    expect(values(text, 'SMCLK')).toEqual([['GPU 0', 1410], ['GPU 1', 345], ['GPU 0', 1395]]);
  });

  it.each([
    ['a refused watch', 'Error setting watches. Result: -33: This request is serviced by a module of DCGM that is not currently loaded\n'],
    ['an engine that is not root', 'Error: the requested fields require the host engine to be running as root\n'],
    ['no engine', 'Error: Unable to connect to host engine. Host engine connection invalid/disconnected.\n'],
    ['nothing', ''],
    ['samples without a header', line('GPU 0', '97')],
    ['a refusal after good samples', `${STREAM}Error: No data returned from the hostengine.\n`],
  ])('is inconclusive for %s', (_, text) => {
    expect(parse(text).outcome).toBe('inconclusive');
  });

  it('is inconclusive when it ended by itself without an exit code, or with a bad one', () => {
    expect(parse(STREAM, { exitCode: null }).outcome).toBe('inconclusive');
    expect(parse(STREAM, { exitCode: 242 }).outcome).toBe('inconclusive');
    expect(parse(STREAM, { exitCode: 0 }).outcome).toBe('measured');
  });

  it('gives values while the stream goes on', () => {
    const live: Measurement[] = [];
    const parser = createByteParser(probe, { onMeasurement: (measurement) => live.push(measurement) });
    parser.write(Buffer.from(STREAM.slice(0, 200)));
    expect(live.length).toBeGreaterThan(0);
    parser.end({ plannedStop: true, exitCode: null });
  });

  it('stays in bounded memory, and never loses an extreme', () => {
    const series = new SampleSeries();
    for (let sample = 0; sample < 200_000; sample++) series.add('GPU 0|TMPTR', { metric: 'dcgm.field', value: sample === 123_456 ? 99 : 60 + (sample % 5), line: sample });
    const kept = series.all();
    expect(kept.length).toBeLessThan(60_000);
    expect([Math.max(...kept.map(({ value }) => value as number)), Math.min(...kept.map(({ value }) => value as number)), series.isThinned]).toEqual([99, 60, true]);
  });

  it('never throws, whatever it reads', () => {
    for (let end = 0; end < STREAM.length; end++) expect(() => parse(STREAM.slice(0, end))).not.toThrow();
  });
});
