import { bytesOf, formatGiB, mostBytesOf } from '../../../document/memory-shape';
import type { Rule } from '../../contract';

export const rule: Rule = {
  id: 'memory-above-hardware',
  title: 'More memory per GPU than the named hardware has',
  severity: 'error',
  appliesTo: ['brief', 'card'],
  docs: { why: 'The demand cannot be met by the named GPU: either the number or the model is wrong, and every machine would be rejected.' },
  check: ({ brief, card, subject, profile, at }) => {
    const most = profile && mostBytesOf(profile.memory.perGpu);
    const path = subject === 'card' ? ['acceleratorMemory', 'perGpu'] : ['memoryShape', 'memoryPerGpu'];
    const demanded = bytesOf((subject === 'card' ? card?.acceleratorMemory?.perGpu : brief?.memoryShape?.memoryPerGpu) ?? '');
    if (most === undefined || demanded === undefined || demanded <= most) return [];
    return [{ message: `${formatGiB(demanded)} per GPU is more than ${profile!.name} has (${profile!.memory.perGpu}).`, ...at(path) }];
  },
};
