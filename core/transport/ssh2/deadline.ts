/** Calls `expire` once after so much time, without the time in which it was paused. */
export class PausableDeadline {
  private timer: NodeJS.Timeout | undefined;
  private startedAt = 0;

  constructor(
    private remainingMs: number,
    private expire: (() => void) | undefined,
  ) {
    this.resume();
  }

  /** Stands still while a person is asked. */
  pause(): void {
    if (this.timer === undefined) return;
    clearTimeout(this.timer);
    this.timer = undefined;
    this.remainingMs = Math.max(0, this.remainingMs - (performance.now() - this.startedAt));
  }

  resume(): void {
    if (this.timer !== undefined || this.expire === undefined) return;
    this.startedAt = performance.now();
    this.timer = setTimeout(this.expire, this.remainingMs);
  }

  stop(): void {
    this.pause();
    this.expire = undefined;
  }
}
