/** What launchers put in front of each line: mpirun --tag-output, srun -l, Ray, pdsh, date-time writers. */
const PREFIXES: readonly RegExp[] = [
  /^\[\d+,\d+\]<std(?:out|err|diag)>:\s?/,
  /^\s*\d+:\s(?=\S|\s)/,
  /^\([A-Za-z]\w* (?:pid=\d+|rank=\d+)[^)]*\)\s?/,
  /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,:]\d+)?Z?:?\s+(?:[IWEF] )?/,
  /^[A-Za-z][\w.-]*:\s(?=#|\s*\d+\s+\d+\s)/,
];

const MOST_PREFIXES = 4;

export function stripLauncherPrefix(text: string): string {
  let rest = text;
  for (let count = 0; count < MOST_PREFIXES; count++) {
    const prefix = PREFIXES.map((pattern) => pattern.exec(rest)?.[0]).find((match) => match !== undefined);
    if (prefix === undefined || prefix.length === 0) return rest;
    rest = rest.slice(prefix.length);
  }
  return rest;
}

/** Tags that launchers wrote into the middle of a row. */
export const isLauncherTag = (token: string): boolean => /^\[\d+(?:,\d+)?\](?:<std(?:out|err)>:?)?$/.test(token);
