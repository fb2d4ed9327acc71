import { describe, expect, it } from 'vitest';
import { parseText } from '../parse';
import { expectNeverCleaner } from '../testing/mutations';
import { probe } from './index';

const json = (state: string, more: object = {}): string => `${JSON.stringify({ body: { 'Overall Health': { value: state }, ...more }, header: ['Health Monitor Report'] }, null, 2)}\n`;
const table = (state: string): string => ['+---------------------------+----------------------------------------------------------+', '| Health Monitor Report                                                                |', '+===========================+==========================================================+', `| Overall Health            | ${state.padEnd(57)}|`, '| GPU                       |                                                          |', '| -> 0                      | Warning                                                  |', '+---------------------------+----------------------------------------------------------+', ''].join('\n');
const parse = (text: string, end = {}) => parseText(probe, text, end);

describe('dcgmi-health', () => {
  it.each([
    ['Healthy', 'healthy', 'measured'],
    ['Warning', 'warning', 'measured'],
    ['Failure', 'failure', 'failed'],
  ])('reads %s in JSON and in a table', (state, value, outcome) => {
    for (const text of [json(state), table(state)]) {
      expect(parse(text, { exitCode: 0 })).toMatchObject({ outcome, measurements: [{ metric: 'dcgm.health', value }] });
    }
  });

  it.each([
    ['healthy', ['| Overall Health: Healthy                                                    |'], 'measured'],
    ['warning', ['| Group 3          | Overall Health: Warning                                 |', '| GPU ID: 2        | Warning                                                 |'], 'measured'],
    ['failure', ['| Group 3          | Overall Health: Failure                                 |', '| GPU ID: 2        | Failure                                                 |'], 'failed'],
  ])('reads %s as DCGM 1 wrote it', (value, rows, outcome) => {
    const border = '+------------------+---------------------------------------------------------+';
    const text = ['Health Monitor Report', border, rows[0], border.replaceAll('-', '='), ...rows.slice(1), border, ''].join('\n');
    expect(parse(text)).toMatchObject({ outcome, measurements: [{ metric: 'dcgm.health', value, line: 3 }] });
  });

  it('keeps the message below a component of a table', () => {
    const text = table('Failure').replace(/(\| -> 0.*\n)/, '$1|       -> NVLINK system    | Failure                                                  |\n|                           | Link 4 of GPU 0 is down.                                 |\n');
    expect(parse(text).reasons.map(({ message }) => message)).toEqual(expect.arrayContaining(['GPU 0: Warning', 'NVLINK system: Failure', 'Link 4 of GPU 0 is down.']));
  });

  it('keeps what a component says', () => {
    expect(parse(json('Warning', { GPU: { children: { 0: { value: 'Warning' } } } })).reasons).toMatchObject([{ code: 'dcgm.health.incident', severity: 'warning' }]);
  });

  it.each([
    ['nothing is watched', 'Error: Health watches not enabled. Please enable watches. \n'],
    ['there is no engine', 'Error: unable to establish a connection to the specified host: localhost\n'],
    ['the state is unknown', json('Fine')],
    ['the report is cut', json('Healthy').slice(0, 30)],
    ['nothing came', ''],
  ])('is inconclusive when %s', (_, text) => {
    expect(parse(text).outcome).toBe('inconclusive');
  });

  it('does not believe "healthy" behind a bad exit', () => {
    for (const exitCode of [253, 124, null]) expect(parse(json('Healthy'), { exitCode }).outcome).toBe('inconclusive');
  });

  it('is never cleaner when cut or damaged', () => {
    expect(expectNeverCleaner(probe, json('Failure'))).toBeGreaterThan(100);
  });
});
