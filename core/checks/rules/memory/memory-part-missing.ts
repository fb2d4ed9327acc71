import { computedParts, formatGiB } from '../../../document/memory-shape';
import type { CheckContext, Rule } from '../../contract';
import { missingFinding, saysSomething } from '../../missing-rule';

type Part = 'weights' | 'kvCache' | 'optimizerState';

/** Parts that this work is known to have. */
function expectedParts({ brief }: CheckContext): [Part, string][] {
  const hasKvCache = brief?.precision?.kvCache !== undefined || brief?.memoryShape?.architecture?.kvHeads !== undefined;
  const isServing = brief?.workload?.kind === 'inference';
  const trains = brief?.workload?.kind === 'training' || brief?.workload?.kind === 'fine-tuning';
  return [
    ['weights', 'the weights'],
    ...(isServing && hasKvCache ? [['kvCache', 'the KV cache at the load point'] satisfies [Part, string]] : []),
    ...(trains ? [['optimizerState', 'the optimiser state'] satisfies [Part, string]] : []),
  ];
}

export const rule: Rule = {
  id: 'memory-part-missing',
  title: 'Memory shape without a part that the work has',
  severity: 'warning',
  appliesTo: ['brief'],
  docs: { why: 'The part that was forgotten is the one that runs out: the KV cache under load, the optimiser state at the first step.' },
  check: (context) => {
    const shape = context.brief?.memoryShape;
    if (!saysSomething(shape)) return [];
    const computed = context.brief ? computedParts(context.brief) : {};
    return expectedParts(context)
      .filter(([part]) => !saysSomething(shape?.[part]))
      .map(([part, meaning]) => {
        const bytes = computed[part]?.bytes;
        const message = `State the memory of ${meaning} (\`memoryShape.${part}\`)${bytes === undefined ? '' : `: ${computed[part]!.formula} = ${formatGiB(bytes)}`}.`;
        return missingFinding(context, ['memoryShape', part], message, bytes === undefined ? undefined : formatGiB(bytes));
      });
  },
};
