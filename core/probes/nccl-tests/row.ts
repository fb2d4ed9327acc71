import { isLauncherTag } from '../nccl/launcher-prefix';
import { parseDecimal } from '../text/numbers';

/** A printed number with the half unit of its last digit, which is all that a reader can know of it. */
export interface Printed {
  value: number;
  error: number;
}

export interface RowHalf {
  timeUs?: Printed;
  algBandwidth?: Printed;
  busBandwidth?: Printed;
  /** The last cell as written: a count, a deviation, or `N/A`. */
  check: string;
}

export interface Row {
  sizeBytes: number;
  count: number;
  out: RowHalf;
  in: RowHalf;
}

const TYPES = /^(u?int(8|32|64)|half|float|double|bfloat16|fp8_e[45]m[23]|fp8\w*|fp16|bf16|f8e\w+)$/;
const CELLS = 4;
const PER_ITERATION_CELLS = 4;
/** Date and time at the end of a row (-S 1). */
const TIME_STAMP_CELLS = 2;

/** True for a line that begins like a row, whole or not. */
export function looksLikeRow(text: string): boolean {
  const tokens = text.trim().split(/\s+/, 3);
  return tokens.length === 3 && /^\d+$/.test(tokens[0]!) && /^\d+$/.test(tokens[1]!) && TYPES.test(tokens[2]!);
}

/** Undefined when the line is not one whole row. Columns by version: src/common.cu and src/util.cu of nccl-tests. */
export function parseRow(text: string): Row | undefined {
  const tokens = text.trim().split(/\s+/).filter((token) => !isLauncherTag(token));
  if (tokens.length < 3 || !/^\d+$/.test(tokens[0]!) || !/^\d+$/.test(tokens[1]!) || !TYPES.test(tokens[2]!)) return undefined;
  const rest = tokens.slice(3);
  // The reduction is a word, or blank; the root is an integer that only some collectives have.
  if (rest.length > 0 && !isCell(rest[0]!)) rest.shift();
  if (/^\d{4}-\d\d-\d\d$/.test(rest.at(-TIME_STAMP_CELLS) ?? '')) rest.splice(-TIME_STAMP_CELLS);
  const halfLength = [CELLS, CELLS + PER_ITERATION_CELLS].find((cells) => rest.length === 2 * cells || rest.length === 2 * cells + 1);
  if (halfLength === undefined) return undefined;
  if (rest.length % 2 === 1) {
    const root = rest.shift()!;
    if (!/^-?\d+$/.test(root)) return undefined;
  }
  if (!rest.every(isCell)) return undefined;
  const [out, inPlace] = [parseHalf(rest.slice(0, CELLS)), parseHalf(rest.slice(halfLength, halfLength + CELLS))];
  return { sizeBytes: Number(tokens[0]), count: Number(tokens[1]), out, in: inPlace };
}

const isCell = (token: string): boolean => /^n\/?a$/i.test(token) || /^[-+]?(nan|inf)$/i.test(token) || parseDecimal(token.replace(/%$/, '')) !== undefined;

function parseHalf([time, algBandwidth, busBandwidth, check]: string[]): RowHalf {
  return { ...printed('timeUs', time!), ...printed('algBandwidth', algBandwidth!), ...printed('busBandwidth', busBandwidth!), check: check! };
}

function printed<Key extends string>(key: Key, token: string): Partial<Record<Key, Printed>> {
  const value = parseDecimal(token);
  return value === undefined ? {} : ({ [key]: { value, error: halfLastDigit(token) } } as Record<Key, Printed>);
}

function halfLastDigit(token: string): number {
  const [, mantissa = '', exponent = '0'] = /^[-+]?([\d.]+)(?:[eE]([-+]?\d+))?$/.exec(token) ?? [];
  const decimals = mantissa.includes('.') ? mantissa.length - mantissa.indexOf('.') - 1 : 0;
  return 0.5 * 10 ** (Number(exponent) - decimals);
}
