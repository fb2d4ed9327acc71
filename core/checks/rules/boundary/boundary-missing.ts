import { missingRule } from '../../missing-rule';

export const rule = missingRule({
  id: 'boundary-missing',
  title: 'Card without an allocation boundary',
  appliesTo: ['card'],
  docs: { why: 'Serverless, a VM, a dedicated node and a cluster include and prove different things. Without the class nobody knows what was accepted.' },
  path: ['allocationBoundary', 'class'],
  message: 'Say what is rented: serverless, vm, dedicated-node or cluster (`allocationBoundary.class`).',
});
