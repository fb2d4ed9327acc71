import type { Measurement, ParseContext, ParserOptions, ParseResult, ProbeDefinition, Reason, Severity } from '../contract';

/**
 * Parsers must stay in bounded memory even when a log repeats one error a million times. Errors are counted apart from the
 * rest, so that no flood of remarks can push one out.
 */
const MAX_ERRORS = 200;
const MAX_REMARKS = 200;
const MAX_MEASUREMENTS = 100_000;

/**
 * Collects what a parser finds and derives the outcome in one place, fail closed: a fault makes it `failed`, a doubt or an
 * output without any measurement makes it `inconclusive`, and only what is left is `measured`.
 */
export class ResultCollector {
  readonly context: ParseContext = {};
  private readonly measurements: Measurement[] = [];
  private readonly reasons: Reason[] = [];
  private readonly seen = new Set<string>();
  private isFaulty = false;
  private isDoubtful = false;
  private errors = 0;
  private droppedReasons = 0;
  private droppedMeasurements = 0;

  constructor(
    private readonly probe: Pick<ProbeDefinition, 'id' | 'parser'>,
    private readonly options: ParserOptions = {},
  ) {}

  get measurementCount(): number {
    return this.measurements.length;
  }

  get hasFault(): boolean {
    return this.isFaulty;
  }

  get hasDoubt(): boolean {
    return this.isDoubtful;
  }

  measure(measurement: Measurement): void {
    if (this.measurements.length >= MAX_MEASUREMENTS) {
      this.droppedMeasurements++;
      return;
    }
    this.measurements.push(measurement);
    this.options.onMeasurement?.(measurement);
  }

  /** The output proves that something is broken. */
  fault(code: string, message: string, line?: number): void {
    this.isFaulty = true;
    this.reason('error', code, message, line);
  }

  /** The output cannot be relied on: not whole, unknown, contradictory, refused. */
  doubt(code: string, message: string, line?: number): void {
    this.isDoubtful = true;
    this.reason('error', code, message, line);
  }

  /** Worth telling, without an effect on the outcome: a card judges. */
  remark(severity: Severity, code: string, message: string, line?: number): void {
    this.reason(severity, code, message, line);
  }

  result(): ParseResult {
    if (this.droppedMeasurements > 0) {
      this.doubt('parse.too-many-values', `The output holds ${this.droppedMeasurements} values more than are kept (${MAX_MEASUREMENTS}).`);
    }
    const measured = !this.isDoubtful && this.measurements.length > 0;
    const outcome = this.isFaulty ? 'failed' : measured ? 'measured' : 'inconclusive';
    if (outcome === 'inconclusive' && !this.isDoubtful) {
      this.reason('error', 'parse.nothing-measured', 'The output holds nothing that this probe measures.');
    }
    return {
      probe: this.probe.id,
      parser: this.probe.parser,
      outcome,
      reasons: this.allReasons(),
      measurements: this.measurements,
      context: this.context,
    };
  }

  private allReasons(): Reason[] {
    if (this.droppedReasons === 0) return this.reasons;
    const message = `${this.droppedReasons} more reasons of the same kinds are not listed; the raw output holds them.`;
    return [...this.reasons, { code: 'parse.more-reasons', severity: 'info', message }];
  }

  private reason(severity: Severity, code: string, message: string, line?: number): void {
    const key = `${code}\n${message}`;
    if (this.seen.has(key)) return;
    const isError = severity === 'error';
    if (isError ? this.errors >= MAX_ERRORS : this.reasons.length - this.errors >= MAX_REMARKS) {
      this.droppedReasons++;
      return;
    }
    this.seen.add(key);
    if (isError) this.errors++;
    this.reasons.push({ code, severity, message, ...(line === undefined ? {} : { line }) });
  }
}
