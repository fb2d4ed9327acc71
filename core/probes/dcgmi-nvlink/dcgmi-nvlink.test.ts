import { describe, expect, it } from 'vitest';
import type { ParseResult } from '../contract';
import { parseText } from '../parse';
import { expectNeverCleaner } from '../testing/mutations';
import { probe } from './index';

const BOX = '+----------------------+';
const END = ['', 'Key: Up=U, Down=D, Disabled=X, Not Supported=_', ''];
const listOf = (word: string, none: string, states: readonly string[]): string[] =>
  states.length === 0 ? [`    No ${none} found.`] : states.flatMap((letters, id) => [`    ${word} ${id}:`, `        ${[...letters].join(' ')}`]);
const status = (gpus: readonly string[], switches: readonly string[] = []): string =>
  [BOX, '|  NvLink Link Status  |', BOX, 'GPUs:', ...listOf('gpuId', 'GPUs', gpus), 'NvSwitches:', ...listOf('physicalId', 'NvSwitches', switches), ...END].join('\n');

const BORDER = `+${'-'.repeat(29)}+${'-'.repeat(48)}+`;
const row = (name: string, value: string | number): string => `| ${name.padEnd(27)} | ${String(value).padEnd(46)} |`;
const KINDS = ['CRC FLIT', 'CRC Data', 'Replay', 'Recovery'];
const errors = (links: readonly (readonly (string | number)[])[]): string =>
  [BORDER, `| ${'NVLINK Error Counts'.padEnd(77)}|`, `| ${'GPU 3'.padEnd(77)}|`, BORDER.replaceAll('-', '='), ...links.flatMap((counts, link) => [row(`Link ${link}`, ''), ...counts.map((count, kind) => row(`-> ${KINDS[kind]} Error`, count))]), BORDER, ''].join('\n');
const errorsInJson = (links: readonly (readonly (string | number)[])[]): string =>
  JSON.stringify({ body: Object.fromEntries(links.map((counts, link) => [`Link ${link}`, { children: Object.fromEntries(counts.map((count, kind) => [`${KINDS[kind]} Error`, { value: String(count) }])), value: '' }])), header: ['NVLINK Error Counts', 'GPU 3'] }, null, 3);

const parse = (text: string, end = { exitCode: 0 }): ParseResult => parseText(probe, text, end);
const codes = ({ reasons }: ParseResult): string[] => reasons.map(({ code }) => code);
const errorCodes = ({ reasons }: ParseResult): string[] => reasons.filter(({ severity }) => severity === 'error').map(({ code }) => code);
const values = ({ measurements }: ParseResult): Record<string, unknown> => Object.fromEntries(measurements.map(({ metric, labels, value }) => [[metric, ...Object.values(labels ?? {})].join(' '), value]));

describe('dcgmi nvlink -s', () => {
  it('counts the links of GPUs and NVSwitches that are up, down, disabled, and leaves out those that do not exist', () => {
    const result = parse(status(['UUUUUUUUUUUU______', 'UUUUDUUUUXUU______'], ['UUUUUUUU____', 'UUUDUUUU____']));
    expect(result.outcome).toBe('measured');
    expect(values(result)).toEqual({
      'nvlink.active 0': 12, 'nvlink.inactive 0': 0, 'nvlink.active 1': 10, 'nvlink.inactive 1': 2,
      'nvswitch.links.active 0': 8, 'nvswitch.links.inactive 0': 0, 'nvswitch.links.active 1': 7, 'nvswitch.links.inactive 1': 1,
    });
    expect(result.measurements.find(({ labels }) => labels?.['gpu'] === '1')?.line).toBe(8);
    expect(codes(result)).toEqual(['nvlink.inactive']);
  });

  it.each([
    ['all links are down', status(['DDDDDD', 'DDDDDD']), 'nvlink.all-inactive'],
    ['a GPU has no NVLink', status(['______']), 'nvlink.not-supported'],
    ['there are no GPUs', status([]), 'nvlink.no-gpus'],
    ['the key at the end is missing', status(['UUUUUU']).split('Key')[0]!, 'nvlink.cut'],
    ['the heading is missing', status(['UUUUUU']).split('\n').slice(3).join('\n'), 'nvlink.cut'],
    ['the list of NVSwitches is missing', status(['UUUUUU']).replace(/NvSwitches:\n.*\n/, ''), 'nvlink.cut'],
    ['one GPU has fewer states than another', status(['UUUUUU', 'UUUU']), 'nvlink.cut'],
    ['a GPU has no states', status(['UUUUUU', 'UUUUUU']).replace(/(gpuId 1:\n).*\n/, '$1'), 'nvlink.no-links'],
    ['a GPU is listed twice', status(['UUUUUU', 'UUUUUU']).replace('gpuId 1', 'gpuId 0'), 'nvlink.duplicate'],
    ['states stand twice', status(['UUUUUU']).replace(/(gpuId 0:\n)(.*\n)/, '$1$2$2'), 'nvlink.cut'],
    ['a state is not known', status(['UUUU?U']), 'nvlink.no-links'],
    ['there are two reports', status(['UUUUUU']) + status(['UUUUUU']), 'nvlink.second-report'],
    ['DCGM could not read the links', 'Error: Unable to retrieve NvLink link status from DCGM. Return: The third-party Profiling module returned an unrecoverable error.\n', 'dcgm.error'],
    ['there is no host engine', 'Error: unable to establish a connection to the specified host: localhost\nError: Unable to connect to host engine. Host engine connection invalid/disconnected.\n', 'dcgm.no-host-engine'],
    ['there is no output', '', 'nvlink.unknown-format'],
  ])('proves nothing when %s', (_name, text, code) => {
    const result = parse(text);
    expect(result.outcome).toBe('inconclusive');
    expect(errorCodes(result)).toContain(code);
  });

  it('hears an error behind a whole report', () => {
    expect(errorCodes(parse(`${status(['UUUUUU'])}Error: the connection was lost\n`))).toEqual(['dcgm.error']);
  });
});

describe('dcgmi nvlink -e', () => {
  const CLEAN = [[0, 0, 0, 0], [0, 0, 0, 0]];

  it.each([['table', errors], ['JSON', errorsInJson]])('counts the errors of each link in a %s', (_name, print) => {
    const result = parse(print([[0, 0, 0, 0], [0, 41, 7, 0]]));
    expect(result.outcome).toBe('measured');
    expect(result.measurements).toHaveLength(8);
    expect(values(result)).toMatchObject({ 'nvlink.errors 3 0 crc_flit': 0, 'nvlink.errors 3 1 crc_data': 41, 'nvlink.errors 3 1 replay': 7, 'nvlink.errors 3 1 recovery': 0 });
    expect(codes(result)).toEqual(['nvlink.errors', 'nvlink.errors']);
  });

  it.each([
    ['a blank of DCGM', [[0, 0, 0, '9223372036854775794']], 'nvlink.no-count'],
    ['a word', [[0, 'N/A', 0, 0]], 'nvlink.no-count'],
    ['fewer counters on one link', [[0, 0, 0, 0], [0, 0]], 'nvlink.cut'],
  ])('proves nothing from %s', (_name, links, code) => {
    for (const print of [errors, errorsInJson]) {
      const result = parse(print(links));
      expect(result.outcome).toBe('inconclusive');
      expect(errorCodes(result)).toEqual([code]);
    }
  });

  it.each([
    ['a counter that DCGM could not read', `Warning: Unable to retrieve nvlink Replay Error count for link 11 for gpuId 3 - Feature not supported\n${errors(CLEAN)}`, 'nvlink.no-count'],
    ['a table without an end', errors(CLEAN).split('\n').slice(0, -2).join('\n'), 'nvlink.cut'],
    ['a counter that stands twice', errors(CLEAN).replace('Replay', 'Recovery'), 'nvlink.duplicate'],
    ['a counter that is not known', errors(CLEAN).replace('Replay', 'Other'), 'nvlink.unknown-row'],
    ['JSON without an end', errorsInJson(CLEAN).slice(0, -10), 'nvlink.cut'],
    ['JSON of another report', '{"body": {}, "header": ["Health Monitor Report"]}', 'nvlink.cut'],
  ])('proves nothing from %s', (_name, text, code) => {
    const result = parse(text);
    expect(result.outcome).toBe('inconclusive');
    expect(errorCodes(result)).toContain(code);
  });
});

describe('dcgmi nvlink, cut and changed', () => {
  it.each([
    ['a whole machine', status(['UUUUUUUUUUUU____', 'UUUUUUUUUUUU____'], ['UUUUUUUU', 'UUUUUUUU'])],
    ['all links down', status(['DDDDDD', 'DDDDDD'])],
    ['error counts', errors([[0, 0, 0, 0], [0, 12, 0, 0]])],
    ['error counts in JSON', errorsInJson([[0, 0, 0, 0], [0, 12, 0, 0]])],
  ])('never looks cleaner: %s', (_name, text) => {
    expect(expectNeverCleaner(probe, text, { exitCode: 0 })).toBeGreaterThan(400);
  });
});
