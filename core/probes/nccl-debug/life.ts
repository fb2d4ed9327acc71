import type { NcclLogLine } from '../nccl/log-line';

/** How far the communicators of a log came. Every process logs its own start, completion and end. */
export class Life {
  private started = 0;
  private completed = 0;
  private destroyed = 0;
  private firstStartLine: number | undefined;
  /** `file.cc:123 -> 2`: a call that failed, passed on from its callee. */
  firstFailedCall: { text: string; line: number } | undefined;

  info({ text }: NcclLogLine, line: number): void {
    if (text.endsWith('COMPLETE')) {
      if (text.endsWith('Init COMPLETE')) this.completed++;
      else if (text.endsWith('Destroy COMPLETE')) this.destroyed++;
    } else if (text.endsWith('Init START')) {
      this.started++;
      this.firstStartLine ??= line;
    } else if (!this.firstFailedCall && /^\S+\.(?:cc|h|cu|c):\d+ -> [1-9]/.test(text)) this.firstFailedCall = { text, line };
  }

  /** All communicators that were made were taken down again. */
  get hasEnded(): boolean {
    return this.destroyed > 0 && this.destroyed >= Math.max(this.completed, this.started);
  }

  /** Ranks that began to connect and never got through. */
  get stuck(): { count: number; line: number } | undefined {
    const count = this.started - this.completed;
    return count > 0 && this.destroyed < this.started && this.firstStartLine !== undefined ? { count, line: this.firstStartLine } : undefined;
  }
}
