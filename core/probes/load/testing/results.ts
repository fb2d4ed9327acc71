import type { ParseResult, ProbeDefinition, StreamEnd } from '../../contract';
import { createByteParser, parseText } from '../../parse';

/** Value of a measurement whose labels hold all of `labels`; undefined when there is none. For tests only. */
export const valueOf = ({ measurements }: ParseResult, metric: string, labels: Readonly<Record<string, string>> = {}): number | string | undefined =>
  measurements.find((found) => found.metric === metric && Object.entries(labels).every(([key, value]) => found.labels?.[key] === value))?.value;

export const codesOf = ({ reasons }: ParseResult): string[] => reasons.map(({ code }) => code);

/** Outcome and reason codes: what most tests look at. */
export function judged(probe: ProbeDefinition, text: string, end: StreamEnd = {}): { outcome: string; codes: string[] } {
  const result = parseText(probe, text, end);
  return { outcome: result.outcome, codes: codesOf(result) };
}

/** Parses the text in pieces that end at the given bytes. */
export function parseInPieces(probe: ProbeDefinition, text: string, cuts: readonly number[]): ParseResult {
  const bytes = Buffer.from(text, 'utf8');
  const parser = createByteParser(probe);
  const ends = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].sort((a, b) => a - b);
  let start = 0;
  for (const stop of [...ends, bytes.length]) {
    parser.write(bytes.subarray(start, stop));
    start = stop;
  }
  return parser.end({});
}
