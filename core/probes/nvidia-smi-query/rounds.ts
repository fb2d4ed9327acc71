import type { ResultCollector } from '../text/result-collector';

/**
 * With `-l` nvidia-smi prints the rows of all GPUs again and again below one header. Each round must hold the GPUs of the first
 * one: a GPU that is lost meanwhile leaves nothing but a missing row.
 */
export class Rounds {
  private first: ReadonlySet<number> | undefined;
  private current = new Set<number>();
  private rounds = 1;
  private startLine: number | undefined;

  constructor(private readonly collector: ResultCollector) {}

  /** The number of the round that this row of a GPU belongs to, from 1. */
  add(gpu: number, line: number): number {
    if (this.current.has(gpu)) this.next();
    if (this.current.size === 0) this.startLine = line;
    this.current.add(gpu);
    return this.rounds;
  }

  end(): number {
    this.check();
    return this.rounds;
  }

  private next(): void {
    this.check();
    this.first ??= this.current;
    this.current = new Set();
    this.rounds++;
  }

  private check(): void {
    const { first, current } = this;
    if (!first || (current.size === first.size && [...current].every((gpu) => first.has(gpu)))) return;
    const message = `Round ${this.rounds} of the repeated query holds other GPUs than the first one: it is cut, or a GPU is missing.`;
    this.collector.doubt('nvidia-smi.round-differs', message, this.startLine);
  }
}
