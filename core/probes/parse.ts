import type { ParseResult, ParserOptions, ProbeDefinition, StreamEnd } from './contract';
import { LineSplitter } from './lines';

/** A probe's parser fed with bytes as they come. */
export interface ByteParser {
  write(chunk: Uint8Array): void;
  end(end: StreamEnd): ParseResult;
}

export function createByteParser(probe: ProbeDefinition, options: ParserOptions = {}): ByteParser {
  const parser = probe.createParser(options);
  const splitter = new LineSplitter((text, lineNumber) => parser.line(text, lineNumber), probe.maxLineLength);
  return {
    write: (chunk) => splitter.write(chunk),
    end: (end) => {
      const endsMidLine = splitter.end();
      return failClosed(parser.end(endsMidLine ? { ...end, endsMidLine } : end), end, splitter.cutLines);
    },
  };
}

/** Parses a whole text. */
export function parseText(
  probe: ProbeDefinition,
  text: string,
  end: StreamEnd = {},
  options: ParserOptions = {},
): ParseResult {
  const parser = createByteParser(probe, options);
  parser.write(Buffer.from(text, 'utf8'));
  return parser.end(end);
}

const CUT_MESSAGES = {
  timeout: 'The probe did not end within its deadline, so its output is not whole.',
  cancelled: 'The probe was cancelled, so its output is not whole.',
  'connection-lost': 'The connection was lost while the probe ran, so its output is not whole.',
  'size-limit': 'The output went over the size limit and was cut.',
} as const;

/** The last gate, the same for every probe: output that is not whole is never `measured`. */
function failClosed(result: ParseResult, end: StreamEnd, cutLines: number): ParseResult {
  const cut = end.cut ?? (cutLines > 0 ? 'size-limit' : undefined);
  if (cut === undefined) return result;
  const outcome = result.outcome === 'measured' ? 'inconclusive' : result.outcome;
  const reason = { code: `run.${cut}`, severity: 'error', message: CUT_MESSAGES[cut] } as const;
  return { ...result, outcome, reasons: [...result.reasons, reason] };
}
