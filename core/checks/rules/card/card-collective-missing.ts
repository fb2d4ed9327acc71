import type { Rule } from '../../contract';
import { entriesOf } from '../../criteria';

export const rule: Rule = {
  id: 'card-collective-missing',
  title: 'Several GPUs without a collective or topology evidence',
  severity: 'warning',
  appliesTo: ['card'],
  docs: { why: 'Several GPUs are another architecture, not a multiplier: one bad link or a fall-back to TCP makes all of them slow, and no single-GPU test sees it.' },
  check: ({ card, brief, at }) => {
    const gpus = Math.max(card?.topology?.gpusPerNode ?? 1, card?.acceleratorMemory?.gpus ?? 1, brief?.memoryShape?.gpus ?? 1) * (card?.topology?.nodes ?? 1);
    const ids = entriesOf(card).map(({ entry }) => entry.id);
    if (gpus < 2 || ids.length === 0) return [];
    const missing = [
      ...(ids.includes('nccl-tests') || ids.includes('torch-distributed') ? [] : ['a collective (nccl-tests)']),
      ...(ids.includes('nvidia-smi-topo') ? [] : ['the topology (nvidia-smi-topo)']),
    ];
    return missing.length === 0 ? [] : [{ message: `The card is about ${gpus} GPUs but does not measure ${missing.join(' or ')}.`, ...at(['stages'], 'key') }];
  },
};
