import type { Range } from '../document/source';

/** `# gpu-acceptance-disable-next-line RULE-ID reason`: one finding that a person decided to live with. */
export interface Suppression {
  rule: string;
  /** Empty when none was given; it then suppresses nothing. */
  reason: string;
  /** 0-based line that it is about: the next one with content. */
  line: number;
  range: Range;
}

const NEXT_LINE = /^[ \t]*#[ \t]*gpu-acceptance-disable-next-line\b[ \t]*([^\s]*)[ \t]*(.*?)[ \t]*\r?$/;

export function findSuppressions(text: string): Suppression[] {
  if (!text.includes('gpu-acceptance-disable-next-line')) return [];
  const lines = text.split('\n');
  let offset = 0;
  return lines.flatMap((line, index) => {
    const start = offset;
    offset += line.length + 1;
    const match = NEXT_LINE.exec(line);
    if (!match) return [];
    const next = lines.findIndex((other, at) => at > index && !/^\s*(#.*)?$/.test(other));
    const range = { start: start + line.indexOf('#'), end: start + line.trimEnd().length };
    return [{ rule: match[1]!, reason: match[2]!, line: next, range }];
  });
}

/** `# gpu-acceptance: ignore` among the first comment lines switches every check off for the file. */
export function isIgnored(text: string): boolean {
  for (const line of text.split('\n', 50)) {
    if (/^\uFEFF?\s*#\s*gpu-acceptance:\s*ignore\s*$/.test(line)) return true;
    if (!/^\uFEFF?\s*(#.*)?$/.test(line)) return false;
  }
  return false;
}
