import { formatGiB, statedParts, totalBytes } from '../../../document/memory-shape';
import type { CheckContext, Rule } from '../../contract';
import { gpuMemory } from '../../memory-need';
import { insertFix, saysSomething } from '../../missing-rule';

/** Whether the stated parts fit into one GPU; undefined when that cannot be known. */
function fitsOne({ brief, profile }: CheckContext): { total: number; has: number } | undefined {
  const parts = brief && statedParts(brief);
  const memory = gpuMemory(brief, profile);
  const total = parts && totalBytes(parts);
  return memory && total ? { total, has: memory.bytes } : undefined;
}

export const rule: Rule = {
  id: 'memory-several-gpus-unreasoned',
  title: 'Several GPUs without a reason',
  severity: 'warning',
  appliesTo: ['brief'],
  docs: { why: 'Several GPUs are another architecture to test, with links and ranks that can fail, and not a multiplier.', advice: 'Memory that one GPU cannot hold, or a measured bottleneck.' },
  check: (context) => {
    const { brief, at } = context;
    const gpus = brief?.memoryShape?.gpus ?? 1;
    if (gpus < 2 || saysSomething(brief?.memoryShape?.reasonForSeveralGpus) || saysSomething(brief?.questions?.scale?.measuredBottleneck)) return [];
    const one = fitsOne(context);
    if (one && one.total > one.has) return [];
    const why = one ? `All parts together need ${formatGiB(one.total)}, which one GPU of ${formatGiB(one.has)} holds` : 'Nothing here shows that one GPU is too small';
    return [{ message: `${why}: write the measured reason for ${gpus} (reasonForSeveralGpus).`, ...at(['memoryShape', 'gpus']), fixes: insertFix(context, ['memoryShape', 'reasonForSeveralGpus']) }];
  },
};
