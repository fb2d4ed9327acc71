/** Version requirements of a card: `>=550.54`, `>=12.4 <13`, `570.86.15`, `550.x`. */

type Comparison = '>=' | '<=' | '>' | '<' | '==';

interface Bound {
  comparison: Comparison;
  parts: number[];
}

/** True, false, or undefined when the requirement or the version cannot be read. */
export function satisfiesVersion(version: string, requirement: string): boolean | undefined {
  const have = parseVersion(version);
  const bounds = parseRequirement(requirement);
  if (!have || !bounds) return undefined;
  return bounds.every((bound) => holds(have, bound));
}

function parseVersion(text: string): number[] | undefined {
  const match = /^v?(\d+(?:\.\d+)*)/.exec(text.trim());
  return match?.[1]?.split('.').map(Number);
}

function parseRequirement(text: string): Bound[] | undefined {
  const words = text.trim().match(/(>=|<=|==|=|>|<)?\s*v?\d+(?:\.\d+)*(\.[xX*])?/g);
  if (!words || words.join('').replace(/\s/g, '') !== text.replace(/[\s,]/g, '')) return undefined;
  return words.map((word) => {
    const sign = /^[<>=]+/.exec(word)?.[0] ?? '==';
    const digits = word.replace(/^[<>=\s]+/, '').replace(/^v/, '').replace(/\.[xX*]$/, '');
    return { comparison: (sign === '=' ? '==' : sign) as Comparison, parts: digits.split('.').filter(Boolean).map(Number) };
  });
}

function holds(have: readonly number[], { comparison, parts }: Bound): boolean {
  // An exact requirement names as many parts as it cares for: `550` and `550.x` accept 550.54.
  const order = comparison === '==' ? compareParts(have.slice(0, parts.length), parts) : compareParts(have, parts);
  switch (comparison) {
    case '>=':
      return order >= 0;
    case '<=':
      return order <= 0;
    case '>':
      return order > 0;
    case '<':
      return order < 0;
    case '==':
      return order === 0;
  }
}

function compareParts(a: readonly number[], b: readonly number[]): number {
  for (let index = 0; index < Math.max(a.length, b.length); index++) {
    const difference = (a[index] ?? 0) - (b[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
