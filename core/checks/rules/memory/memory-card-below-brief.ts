import { bytesOf } from '../../../document/memory-shape';
import type { CheckContext, Finding, Rule } from '../../contract';
import { disagreement } from '../../disagreement';

export const rule: Rule = {
  id: 'memory-card-below-brief',
  title: 'Card that demands less memory than the brief needs',
  severity: 'error',
  appliesTo: ['card'],
  docs: { why: 'The card would accept a machine that the work does not fit into.' },
  check: (context) => [...belowInMemory(context), ...belowInNumber(context)],
};

function belowInMemory(context: CheckContext): Finding[] {
  const needed = context.brief?.memoryShape?.memoryPerGpu ?? '';
  const demanded = context.card?.acceleratorMemory?.perGpu ?? '';
  const isBelow = (bytesOf(demanded) ?? Infinity) < (bytesOf(needed) ?? 0);
  return isBelow ? [disagreement(context, ['acceleratorMemory', 'perGpu'], ['memoryShape', 'memoryPerGpu'], `The brief needs ${needed} per GPU; the card is content with ${demanded}.`, needed)] : [];
}

function belowInNumber(context: CheckContext): Finding[] {
  const needed = context.brief?.memoryShape?.gpus;
  const demanded = context.card?.acceleratorMemory?.gpus;
  // A card of several nodes may count the GPUs of one.
  const isBelow = needed !== undefined && demanded !== undefined && demanded * (context.card?.topology?.nodes ?? 1) < needed;
  return isBelow ? [disagreement(context, ['acceleratorMemory', 'gpus'], ['memoryShape', 'gpus'], `The brief needs ${needed} GPUs; the card is content with ${demanded}.`, needed)] : [];
}
