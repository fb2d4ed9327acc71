import { missingRule } from '../../missing-rule';

export const rule = missingRule({
  id: 'memory-shape-missing',
  title: 'Brief without a memory shape',
  docs: { why: 'Memory decides which GPU and how many. Without its parts the machine is chosen by name, and the first long prompt ends out of memory.', advice: 'Weights, KV cache or optimiser state and gradients, activations, headroom, over all GPUs of one replica.' },
  path: ['memoryShape'],
  message: 'State what must fit into accelerator memory: weights, KV cache or optimiser state, activations, headroom (`memoryShape`).',
  insert: { weights: '', activations: '', headroom: '' },
});
