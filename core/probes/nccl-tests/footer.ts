import { parseDecimal } from '../text/numbers';
import type { Printed } from './row';
import { halfLastDigit } from './row';

export interface OutOfBounds {
  /** Row halves × processes that saw wrong data, not elements (nccl-tests src/common.cu). */
  count: number;
  isOk: boolean;
  line: number;
}

export interface Average extends Printed {
  line: number;
  /** NCCL_TESTS_MIN_BW was set and not reached. */
  isBelowMinimum: boolean;
}

/** `# Out of bounds values : 0 OK`, in version 1 without `#`. Undefined for other lines and for one that is cut. */
export function readOutOfBounds(text: string, line: number): OutOfBounds | undefined {
  const match = /\bOut of bounds values\s*:\s*(\d+)(?:\s+(OK|FAILED)\b)?/.exec(text);
  if (!match) return undefined;
  const count = Number(match[1]);
  if (match[2] === undefined && count === 0) return undefined;
  return { count, isOk: match[2] === 'OK' && count === 0, line };
}

/** `# Avg bus bandwidth    : 482.3 `. `isWhole` is false when nothing shows that the number's last digit is its last one. */
export function readAverage(text: string, line: number): { average: Average; isWhole: boolean } | undefined {
  const match = /\bAvg bus bandwidth\s*:\s*(\S+)(\s+(?:OK|FAILED)?)?\s*$/.exec(text);
  const value = match && parseDecimal(match[1]!);
  if (!match || value === undefined || value === null) return undefined;
  const average = { value, error: halfLastDigit(match[1]!), line, isBelowMinimum: /FAILED/.test(match[2] ?? '') };
  return { average, isWhole: match[2] !== undefined };
}
