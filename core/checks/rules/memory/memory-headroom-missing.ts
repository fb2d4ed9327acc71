import { missingRule, saysSomething } from '../../missing-rule';

export const rule = missingRule({
  id: 'memory-headroom-missing',
  title: 'Memory shape without headroom',
  docs: { why: 'Fragmentation, CUDA contexts, communication buffers and longer prompts than expected take memory that no formula shows.' },
  path: ['memoryShape', 'headroom'],
  message: 'Say how much memory must stay free (`memoryShape.headroom`).',
  onlyIf: ({ brief }) => saysSomething(brief?.memoryShape),
});
