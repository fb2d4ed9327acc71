const DECIMAL = /^[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?$/;
const HEX_FLOAT = /^([-+]?)0[xX]([0-9a-fA-F]*)\.?([0-9a-fA-F]*)[pP]([-+]?\d+)$/;
const NOT_FINITE: ReadonlyMap<string, number> = new Map([['nan', NaN], ['inf', Infinity], ['infinity', Infinity]]);

/**
 * A sample value as Go's ParseFloat reads it, which is what the text format refers to: decimal and hexadecimal floats, any
 * spelling of NaN and infinities. `-nan` is what C's printf writes. Undefined when the text is no number.
 */
export function parseExpositionValue(text: string): number | undefined {
  if (DECIMAL.test(text)) return Number(text);
  const unsigned = /^[-+]/.test(text) ? text.slice(1) : text;
  const special = NOT_FINITE.get(unsigned.toLowerCase());
  if (special !== undefined) return text.startsWith('-') ? -special : special;
  return parseHexFloat(text);
}

function parseHexFloat(text: string): number | undefined {
  const match = HEX_FLOAT.exec(text);
  if (!match) return undefined;
  const [, sign, whole, fraction, exponent] = match as unknown as [string, string, string, string, string];
  if (whole + fraction === '') return undefined;
  const mantissa = Number.parseInt(whole + fraction, 16);
  const value = mantissa * 2 ** (Number(exponent) - 4 * fraction.length);
  return sign === '-' ? -value : value;
}
