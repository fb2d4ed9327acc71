import { DATA_TYPES } from '../nccl/collectives';
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
  /** The last cell as written: a count, a deviation (rccl-tests marks one that is too large with `*`), or `N/A`. */
  check: string;
}

export interface Row {
  sizeBytes: number;
  /** Elements, of the whole buffer or of one rank's share. */
  count: number;
  type: string;
  /** The reduction, where the collective has one: `sum`, `prod`, … */
  redop?: string;
  isRooted: boolean;
  /** Size, count, type, reduction and root all had a cell: the layout since v2.13, whose last cell is a count. */
  isFullLayout: boolean;
  out: RowHalf;
  in: RowHalf;
}

/** What the header line says of a table's rows; without one the cells speak for themselves. */
export interface RowLayout {
  /** Cells of a whole row, time stamps not counted. */
  cells: number;
  timeUnit: 'us' | 'ms';
}

const CELLS = 4;
/** `i_min i_max i_p99 i_cv%` behind each half (-I 1). */
const PER_ITERATION_CELLS = 4;
/** Date and time behind the row (-S 1). */
const TIME_STAMP_CELLS = 2;

const ROW_START = new RegExp(`(?:^|[\\s:>\\])|#])(\\d+)\\s+(\\d+)\\s+(?:${DATA_TYPES.join('|')})(?=[\\s[]|$)`);
/** Tags that some launchers write in front of every write of the program, so also between the cells of a row. */
const LAUNCHER_TAG = /\[\d+(?:,\d+)?\](?:<std(?:out|err)>:?)?/g;

export interface FoundRow {
  text: string;
  /** A `#` stands in front of the row: version 1 printed it so without validation, or somebody took the row out. */
  isCommented: boolean;
}

/** The part of a line that begins like a row, behind whatever a launcher put in front; undefined when there is none. */
export function findRow(text: string): FoundRow | undefined {
  const match = ROW_START.exec(text);
  if (!match) return undefined;
  const start = match.index + match[0].indexOf(match[1]!);
  return { text: withoutTags(text.slice(start)), isCommented: /#\s*$/.test(text.slice(0, start)) };
}

const withoutTags = (text: string): string => text.replace(LAUNCHER_TAG, ' ').trim();

/** The cells of a line that holds nothing else: the rest of a row that a log message broke in two. */
export function continuationCells(text: string): string | undefined {
  const cells = withoutTags(text);
  return cells !== '' && cells.split(/\s+/).every(isCell) ? cells : undefined;
}

/** Undefined when the text is not one whole row. Columns by version: src/common.cu and src/util.cu of nccl-tests. */
export function parseRow(text: string, layout: RowLayout | undefined): Row | undefined {
  const tokens = text.split(/\s+/);
  if (/^\d{4}-\d\d-\d\d$/.test(tokens.at(-TIME_STAMP_CELLS) ?? '')) tokens.splice(-TIME_STAMP_CELLS);
  const [size = '', count = '', type = '', ...rest] = tokens;
  // The reduction is a word; in some versions its cell is blank.
  const reduction = rest.length > 0 && !isCell(rest[0]!) ? rest.shift() : undefined;
  const halfLength = [CELLS, CELLS + PER_ITERATION_CELLS].find((cells) => rest.length === 2 * cells || rest.length === 2 * cells + 1);
  if (halfLength === undefined || !fitsLayout(tokens.length, reduction, layout)) return undefined;
  const root = rest.length % 2 === 1 ? rest.shift()! : undefined;
  if (root !== undefined && !/^-?\d+$/.test(root)) return undefined;
  const toUs = layout?.timeUnit === 'ms' ? 1000 : 1;
  const halves = [rest.slice(0, CELLS), rest.slice(halfLength, halfLength + CELLS)].map((cells) => parseHalf(cells, toUs));
  if (!rest.every(isCell) || halves.some((half) => half === undefined)) return undefined;
  return {
    sizeBytes: Number(size),
    count: Number(count),
    type,
    ...(reduction === undefined || reduction === 'none' ? {} : { redop: reduction }),
    isRooted: root !== undefined && Number(root) >= 0,
    isFullLayout: reduction !== undefined && root !== undefined,
    out: halves[0]!,
    in: halves[1]!,
  };
}

function fitsLayout(tokens: number, reduction: string | undefined, layout: RowLayout | undefined): boolean {
  return layout === undefined || tokens === layout.cells || (reduction === undefined && tokens === layout.cells - 1);
}

/** `*`: rccl-tests' mark of a deviation that is too large (src/common.cu, up to 2022). */
const MARKED = /^\d[\d.]*(?:e[-+]?\d+)?\*$/i;

const isCell = (token: string): boolean => MARKED.test(token) || /^n\/?a$/i.test(token) || /^[-+]?(nan|inf)$/i.test(token) || parseDecimal(token) !== undefined;

/** Undefined when a cell holds what it never can: then the row is damaged. */
function parseHalf([time, algBandwidth, busBandwidth, check]: string[], toUs: number): RowHalf | undefined {
  const half = { ...printed('timeUs', time!, toUs), ...printed('algBandwidth', algBandwidth!), ...printed('busBandwidth', busBandwidth!), check: check! };
  if ([time, algBandwidth, busBandwidth].some((cell) => MARKED.test(cell!))) return undefined;
  const isNegative = [half.timeUs, half.algBandwidth, half.busBandwidth].some((number) => number !== undefined && number.value < 0);
  return isNegative ? undefined : half;
}

function printed<Key extends string>(key: Key, token: string, factor = 1): Partial<Record<Key, Printed>> {
  const value = parseDecimal(token);
  return value === undefined ? {} : ({ [key]: { value: value * factor, error: halfLastDigit(token) * factor } } as Record<Key, Printed>);
}

/** Half a unit of the last printed digit: `12.30` → 0.005, `1e+06` → 500000. */
export function halfLastDigit(token: string): number {
  const [, mantissa = '', exponent = '0'] = /^[-+]?([\d.]+)(?:[eE]([-+]?\d+))?$/.exec(token) ?? [];
  const decimals = mantissa.includes('.') ? mantissa.length - mantissa.indexOf('.') - 1 : 0;
  return 0.5 * 10 ** (Number(exponent) - decimals);
}
