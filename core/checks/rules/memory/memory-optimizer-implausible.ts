import { bytesOf, computedParts, formatGiB } from '../../../document/memory-shape';
import type { Rule } from '../../contract';
import { computedFix } from '../../memory-need';

/** Optimisers that keep one value a parameter need about half of what Adam does; only less than that fits none. */
const SMALLEST_SHARE = 0.4;
const LARGEST_SHARE = 2;

export const rule: Rule = {
  id: 'memory-optimizer-implausible',
  title: 'Optimiser state that does not follow from parameters and precision',
  severity: 'information',
  appliesTo: ['brief'],
  docs: {
    why: 'The optimiser state is the largest part of a training run, and it is there only after the first step: a run that starts can still end for want of memory.',
    advice: 'An optimiser that keeps less than Adam is a good reason; switch the check off for the line and name it.',
    source: 'Rajbhandari et al., ZeRO (2020), section 3: momentum, variance and an fp32 copy of the weights',
  },
  check: (context) => {
    const { brief } = context;
    const stated = bytesOf(brief?.memoryShape?.optimizerState ?? '');
    const computed = brief && computedParts(brief).optimizerState;
    if (stated === undefined || !computed || (stated >= computed.bytes * SMALLEST_SHARE && stated <= computed.bytes * LARGEST_SHARE)) return [];
    return [{ message: `${computed.formula} = ${formatGiB(computed.bytes)}, not ${brief!.memoryShape!.optimizerState!}.`, ...context.at(['memoryShape', 'optimizerState']), fixes: computedFix(context, 'optimizerState', computed) }];
  },
};
