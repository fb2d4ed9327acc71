export interface NcclLogLine {
  level: 'INFO' | 'WARN';
  /** Cut at the first dot by the library; empty when the line does not name it. */
  host: string;
  /** `HOST:PID:TID`; lines of one communicator's set-up share it. */
  thread: string;
  /** Date and time in front of the line, when the library wrote one (default for WARN since NCCL 2.26). */
  time?: string;
  text: string;
}

const MARK = ' NCCL ';
/** Where a log was shortened to its messages. */
const MARK_AT_START = 'NCCL ';
/** `HOST:PID:TID [dev] [file:line] [(function)]` right before the mark (NCCL src/debug.cc); a launcher's prefix stands before it. */
const HEAD = /(?:\[(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d[^\]]*)\] )?([\w.-]+):(\d+):(\d+) \[[^\]]*\][^[\]]*$/;
const LOG_START = /(?:\[\d{4}-\d\d-\d\d[^\]]*\] )?[\w.-]+:\d+:\d+ \[-?\w+\] (?:\S+ ){0,2}?NCCL (?:INFO|WARN|TRACE|ABORT|VERSION)\b/;

const GLUED_START = new RegExp(`(?<=[\\s:>)\\]])${LOG_START.source}`);

/** True when the line holds a message of NCCL's own log. Cheap: most lines are decided by one search. */
export function isNcclLog(raw: string): boolean {
  const word = levelAt(raw);
  return word !== -1 && (raw.startsWith('INFO ', word) || raw.startsWith('WARN ', word));
}

/** Where the word behind the mark begins; -1 without a mark. */
function levelAt(raw: string): number {
  if (raw.startsWith(MARK_AT_START)) return MARK_AT_START.length;
  const at = raw.indexOf(MARK);
  return at === -1 ? -1 : at + MARK.length;
}

/** Undefined for every line that is no message of NCCL's log. */
export function parseNcclLine(raw: string): NcclLogLine | undefined {
  const word = levelAt(raw);
  if (word === -1) return undefined;
  const level = raw.startsWith('INFO ', word) ? 'INFO' : raw.startsWith('WARN ', word) ? 'WARN' : undefined;
  if (level === undefined) return undefined;
  const head = HEAD.exec(raw.slice(0, Math.max(0, word - MARK.length)));
  const [, time, host = '', pid = '', tid = ''] = head ?? [];
  return { level, host, thread: `${host}:${pid}:${tid}`, ...(time === undefined ? {} : { time }), text: raw.slice(word + 'INFO '.length) };
}

/**
 * What stood on the line before a log message was written behind it: half a table row, a launcher's tag, or nothing. A row ends
 * without a blank, so its last number may be glued to the host name.
 */
export function textBeforeLog(raw: string): string {
  const match = LOG_START.exec(raw);
  if (!match) return '';
  const gluedCell = /^-?\d+(?=[A-Za-z])/.exec(match[0])?.[0] ?? '';
  return raw.slice(0, match.index + gluedCell.length);
}

/** True when the message holds another one, because processes wrote into one line at once or a terminal's lines were joined. */
export const holdsAnother = ({ text }: NcclLogLine): boolean => text.includes(MARK);

/** The messages of a line that may hold several. */
export function gluedMessages(raw: string): readonly string[] {
  const messages: string[] = [];
  let rest = raw;
  for (let next = nextLogAt(rest); next !== -1; next = nextLogAt(rest)) {
    messages.push(rest.slice(0, next));
    rest = rest.slice(next);
  }
  return [...messages, rest];
}

function nextLogAt(raw: string): number {
  const level = levelAt(raw);
  const found = level === -1 ? -1 : raw.slice(level).search(GLUED_START);
  return found === -1 ? -1 : level + found;
}
