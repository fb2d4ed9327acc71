import { formatGiB } from '../../../document/memory-shape';
import type { Finding, Rule } from '../../contract';
import { fix, setPath } from '../../edits';
import { gpuMemory, perGpuNeed } from '../../memory-need';

export const rule: Rule = {
  id: 'memory-exceeds-gpus',
  title: 'Memory shape that does not fit',
  severity: 'error',
  appliesTo: ['brief'],
  docs: { why: 'The work cannot start on the hardware that the brief itself names, however well the machine behaves.', advice: 'More GPUs, GPUs with more memory, a smaller format, or less context and concurrency.', source: 'Rajbhandari et al., ZeRO (2020); Kwon et al., PagedAttention (2023)' },
  check: ({ brief, profile, document, at }): Finding[] => {
    const memory = gpuMemory(brief, profile);
    const need = perGpuNeed(brief);
    if (!memory || !need) return [];
    const has = `${formatGiB(memory.bytes)}${memory.origin === 'profile' ? ` (at most, ${profile!.name})` : ''}`;
    const place = at(memory.origin === 'profile' ? ['memoryShape'] : ['memoryShape', 'memoryPerGpu'], 'key');
    if (need.atLeast > memory.bytes) return [{ message: `Each GPU would have to hold ${formatGiB(need.atLeast)} and has ${has}; all parts together need ${formatGiB(need.total)}.`, ...place }];
    if (need.atMost <= memory.bytes) return [];
    const message = `This fits only when the data-parallel ranks share the model's state, and \`parallelism.sharding\` does not say so: without that each GPU holds ${formatGiB(need.atMost)} and has ${has}.`;
    return [{ message, severity: 'information', ...place, fixes: fix('Write "sharding: weights" (ZeRO 3, FSDP)', setPath(document, ['memoryShape', 'parallelism', 'sharding'], 'weights')) }];
  },
};
