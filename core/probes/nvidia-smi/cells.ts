/**
 * A cell of nvidia-smi's CSV or XML is one of four different things, and only a value is ever measured. `[N/A]` does not
 * mean 0, an error does not mean "not supported".
 */
export type Cell =
  | { kind: 'value'; text: string }
  | { kind: 'not-available' }
  | { kind: 'error'; text: string }
  | { kind: 'fault'; text: string };

const NOT_AVAILABLE = /^(?:n\/a|not supported|not available|none supported|requested functionality has been deprecated|deprecated)$/i;
const FAULT = /^(?:gpu is lost|gpu requires reset|reset required|gpu has fallen off the bus)$/i;
const ERROR = /^(?:unknown error|err!?|error|insufficient permissions|no permission|not found|unknown|timeout|in use by another client|driver\/library version mismatch)$/i;

export function classifyCell(raw: string): Cell {
  const text = raw.trim();
  const bracketed = /^\[(.*)\]$/.exec(text);
  const inner = (bracketed?.[1] ?? text).trim();
  if (inner === '' || NOT_AVAILABLE.test(inner)) return { kind: 'not-available' };
  if (FAULT.test(inner)) return { kind: 'fault', text: inner };
  // Any other bracketed text is a message of NVML in place of a value.
  if (bracketed !== null || ERROR.test(inner)) return { kind: 'error', text: inner };
  return { kind: 'value', text };
}
