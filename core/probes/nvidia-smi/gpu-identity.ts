import type { ResultCollector } from '../text/result-collector';

export interface GpuLine {
  index: number;
  name: string;
  /** Absent when the tool printed none, or a placeholder. */
  uuid?: string;
  /** A person put `x` or `*` over the UUID before the output was passed on. */
  isMasked?: true;
}

/** `GPU 0: NVIDIA H100 80GB HBM3 (UUID: GPU-…)`, as `-L` and `nvlink -s` print it. */
const GPU_LINE = /^GPU (\d{1,3}): (.+?) \(UUID: ([^()]*)\)\s*$/;

/** Jetson modules have a UUID without the prefix. */
const UUID = /^(?:(?:GPU|MIG)-[0-9a-f-]{8,}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i;
const MASKED_UUID = /^GPU-[x*.…-]+$/i;

/** Undefined for every other line, such as `GPU 0000:0B:00.0: Unknown Error`. */
export function parseGpuLine(text: string): GpuLine | undefined {
  const match = GPU_LINE.exec(text);
  if (!match) return undefined;
  const [, index, name, uuid] = match as unknown as [string, string, string, string];
  return { index: Number(index), name: name.trim(), ...(UUID.test(uuid) ? { uuid } : {}), ...(MASKED_UUID.test(uuid) ? { isMasked: true } : {}) };
}

/** A UUID of zeros is a redaction, not an identity. */
const isIdentity = (text: string): boolean => /[1-9a-f]/i.test(text.replace(/^GPU-/i, ''));

/** Finds GPUs that are listed twice or missing: a dead GPU can leave nothing but a gap in the indices. */
export class GpuCensus {
  private readonly indices = new Map<number, number>();
  private readonly identities = new Map<string, number>();

  constructor(private readonly collector: ResultCollector) {}

  get count(): number {
    return this.indices.size;
  }

  /** The index of a GPU that was listed before with one of these identities. */
  indexOf(identities: readonly (string | undefined)[]): number | undefined {
    const known = identities.find((identity) => identity !== undefined && this.identities.has(identity));
    return known === undefined ? undefined : this.identities.get(known);
  }

  /** A GPU that is listed again on purpose, such as in a repeated query. */
  confirm(index: number, line: number, identities: readonly (string | undefined)[]): void {
    for (const identity of identities) this.addIdentity(identity, index, line);
  }

  add(index: number, line: number, identities: readonly (string | undefined)[]): void {
    const earlier = this.indices.get(index);
    if (earlier === undefined) this.indices.set(index, line);
    else this.collector.doubt('nvidia-smi.duplicate-gpu', `GPU ${index} is listed twice (lines ${earlier} and ${line}).`, line);
    this.confirm(index, line, identities);
  }

  /** `startsAnywhere`: one GPU alone may have been selected with `-i`. */
  judgeGaps(): void {
    const found = [...this.indices.keys()];
    if (found.length === 0) return;
    const highest = Math.max(...found);
    const missing = Array.from({ length: highest }, (_, index) => index).filter((index) => !this.indices.has(index));
    if (missing.length === 0) return;
    const line = this.indices.get(highest);
    if (found.length === 1) {
      this.collector.remark('info', 'nvidia-smi.one-gpu', `The output holds GPU ${highest} only.`, line);
      return;
    }
    this.collector.doubt('nvidia-smi.missing-gpu', `The GPU indices have gaps: ${missing.slice(0, 16).join(', ')} missing. A GPU may be lost.`, line);
  }

  private addIdentity(identity: string | undefined, index: number, line: number): void {
    if (identity === undefined || !isIdentity(identity)) return;
    const other = this.identities.get(identity);
    if (other === undefined) this.identities.set(identity, index);
    else if (other !== index) {
      this.collector.doubt('nvidia-smi.duplicate-gpu', `GPUs ${other} and ${index} have the same identity ${identity}.`, line);
    }
  }
}
