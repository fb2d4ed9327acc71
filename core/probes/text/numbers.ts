/**
 * Strict readings of tool output. `Number('')` is 0 and `parseFloat('12abc')` is 12: both would invent a value that a tool
 * never gave, so neither is used on tool output.
 */

const DECIMAL = /^[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?$/;
const INTEGER = /^[-+]?\d+$/;

/** A finite decimal number that fills the whole text (blanks around it are allowed); otherwise undefined. */
export function parseDecimal(text: string): number | undefined {
  const trimmed = text.trim();
  if (!DECIMAL.test(trimmed)) return undefined;
  const value = Number(trimmed);
  return Number.isFinite(value) ? value : undefined;
}

/** A whole number that a double can hold exactly; otherwise undefined. */
export function parseInteger(text: string): number | undefined {
  const trimmed = text.trim();
  if (!INTEGER.test(trimmed)) return undefined;
  const value = Number(trimmed);
  return Number.isSafeInteger(value) ? value : undefined;
}

export interface NumberWithUnit {
  value: number;
  /** As written, without blanks around it; empty when there was none. */
  unit: string;
}

const NUMBER_WITH_UNIT = /^([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)\s*([%°A-Za-zµ][^\s\d]*)?$/;

/** `77.71 W`, `81559 MiB`, `26.562 GB/s`, `0 %`, `32`; otherwise undefined. */
export function parseNumberWithUnit(text: string): NumberWithUnit | undefined {
  const match = NUMBER_WITH_UNIT.exec(text.trim());
  if (!match) return undefined;
  const value = Number(match[1]);
  return Number.isFinite(value) ? { value, unit: match[2] ?? '' } : undefined;
}
