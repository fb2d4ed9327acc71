import type { CheckContext, Rule } from '../../contract';
import { insertFix, isBegun, saysSomething } from '../../missing-rule';

/** What the brief says that makes the class look larger than needed; undefined when it says nothing of it. */
function doubtOf({ card, brief }: CheckContext): string | undefined {
  const shape = brief?.questions?.scale?.shape;
  const nodes = brief?.topology?.nodes ?? card?.topology?.nodes;
  const isCluster = card?.allocationBoundary?.class === 'cluster';
  if (isCluster && (nodes === 1 || (shape !== undefined && shape !== 'coordinated-multi-node'))) return `the brief is about ${nodes === 1 ? 'one node' : shape}`;
  return !isCluster && brief?.memoryShape?.gpus === 1 ? 'the brief needs one GPU, which a VM can have' : undefined;
}

export const rule: Rule = {
  id: 'boundary-unreasoned',
  title: 'Exclusive boundary without a reason',
  severity: 'warning',
  appliesTo: ['card'],
  docs: { why: 'An exclusive or lasting rental costs more and binds longer. Right is the least exclusive and least persistent one that meets memory, latency, throughput, residency and control.', advice: 'Write why a less exclusive class does not fit: private data, topology evidence, a measured latency.' },
  check: (context) => {
    const boundary = context.card?.allocationBoundary;
    if (!isBegun(context) || (boundary?.class !== 'dedicated-node' && boundary?.class !== 'cluster') || saysSomething(boundary.reason)) return [];
    const doubt = doubtOf(context);
    return [{ message: `Say why nothing less exclusive than ${boundary.class} fits${doubt === undefined ? '' : `: ${doubt}`} (\`reason\`).`, ...context.at(['allocationBoundary', 'class']), fixes: insertFix(context, ['allocationBoundary', 'reason']) }];
  },
};
