import type { NcclLogLine } from './log-line';
import { type KnownWarning, warningOf } from './warnings';

export interface LocatedWarning extends KnownWarning {
  message: string;
  line: number;
  time?: string;
}

/** A log of thousands of ranks repeats the same failure; the first ones are enough to find the cause. */
const MOST_CAUSES = 40;
const MOST_CHARACTERS = 400;

/**
 * Sorts warnings into causes and consequences. A rank that loses its peer warns before the peer's own message has reached the
 * log, so order alone does not tell: consequences wait until the end. Where the library wrote times, the earliest one is first.
 */
export class FirstCause {
  private readonly found: LocatedWarning[] = [];
  private firstConsequence: LocatedWarning | undefined;
  consequences = 0;

  /** Gives the warning back when it is harmless. */
  add({ text, host, time }: Pick<NcclLogLine, 'text' | 'host' | 'time'>, line: number): LocatedWarning | undefined {
    const known = warningOf(text);
    const said = `${host === '' ? '' : `${host}: `}${text.trim().slice(0, MOST_CHARACTERS)}`;
    const message = known.advice === undefined ? said : `${said.replace(/[.:;,]?$/, '.')} ${known.advice}`;
    const warning = { ...known, message, line, ...(time === undefined ? {} : { time }) };
    if (known.isHarmless) return warning;
    if (known.isConsequence) {
      this.consequences++;
      this.firstConsequence ??= warning;
    } else if (this.found.length < MOST_CAUSES) this.found.push(warning);
    return undefined;
  }

  /** Causes, the first one first; a consequence stands only where there is no cause. */
  get causes(): readonly LocatedWarning[] {
    if (this.found.length === 0) return this.firstConsequence ? [this.firstConsequence] : [];
    const earliest = this.found.reduce((first, other) => (first.time !== undefined && other.time !== undefined && other.time < first.time ? other : first));
    return [earliest, ...this.found.filter((warning) => warning !== earliest)];
  }
}
