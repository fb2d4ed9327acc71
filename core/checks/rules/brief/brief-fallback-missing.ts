import { missingRule } from '../../missing-rule';

export const rule = missingRule({
  id: 'brief-fallback-missing',
  title: 'Brief without a fallback',
  docs: { why: 'Allocations are lost, classes sell out and deployments fail; users then see whatever was not decided.' },
  path: ['fallback'],
  message: 'Write the path for a lost allocation, a shortage or a failed deployment (`fallback`).',
});
