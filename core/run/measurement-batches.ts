import type { Measurement } from '../probes/contract';

const BATCH_MS = 250;
const BATCH_SIZE = 1_000;
/** Live values are for display; past this many in one probe they stop, and the final result still has everything. */
const MOST_LIVE_VALUES = 50_000;

/** Collects live values and hands them on a few times a second. */
export class MeasurementBatches {
  private pending: Measurement[] = [];
  private timer: NodeJS.Timeout | undefined;
  private total = 0;

  constructor(private readonly emit: (measurements: Measurement[]) => void) {}

  readonly add = (measurement: Measurement): void => {
    if (this.total++ >= MOST_LIVE_VALUES) return;
    this.pending.push(measurement);
    if (this.pending.length >= BATCH_SIZE) this.flush();
    else this.timer ??= setTimeout(() => this.flush(), BATCH_MS);
  };

  /** Forgets what was not handed on. */
  discard(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.pending = [];
  }

  flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (this.pending.length === 0) return;
    const batch = this.pending;
    this.pending = [];
    this.emit(batch);
  }
}
