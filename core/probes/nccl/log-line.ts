import { stripLauncherPrefix } from './launcher-prefix';

export interface NcclLogLine {
  level: 'INFO' | 'WARN';
  /** Cut at the first dot by the library; empty when the line does not name it. */
  host: string;
  text: string;
}

/** `HOST:PID:TID [dev] [file:line] NCCL INFO|WARN text` (NCCL src/debug.cc). Undefined for every other line. */
export function parseNcclLine(raw: string): NcclLogLine | undefined {
  // Most lines of a mixed log are dropped by this one search.
  const at = raw.indexOf(' NCCL ');
  if (at === -1) return undefined;
  const level = raw.startsWith('INFO ', at + 6) ? 'INFO' : raw.startsWith('WARN ', at + 6) ? 'WARN' : undefined;
  if (level === undefined) return undefined;
  const head = stripLauncherPrefix(raw.slice(0, at)).replace(/^\[[^\]]*\]\s*/, '');
  return { level, host: /^([^\s:]+):\d+:\d+/.exec(head)?.[1] ?? '', text: raw.slice(at + 11) };
}
