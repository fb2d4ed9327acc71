import { bytesOf, computedParts, formatGiB } from '../../../document/memory-shape';
import type { Rule } from '../../contract';
import { computedFix } from '../../memory-need';

/** Quantised models keep some layers in a larger format and store scales; nothing makes them much smaller. */
const SMALLEST_SHARE = 0.8;
const LARGEST_SHARE = 1.6;

export const rule: Rule = {
  id: 'memory-weights-implausible',
  title: 'Weights that do not follow from parameters and precision',
  severity: 'warning',
  appliesTo: ['brief'],
  docs: { why: 'A wrong format or a wrong count of parameters changes the whole memory shape, and with it the machine.', source: 'Rajbhandari et al., ZeRO (2020), section 3' },
  check: (context) => {
    const { brief } = context;
    const stated = bytesOf(brief?.memoryShape?.weights ?? '');
    const computed = brief && computedParts(brief).weights;
    if (stated === undefined || !computed || (stated >= computed.bytes * SMALLEST_SHARE && stated <= computed.bytes * LARGEST_SHARE)) return [];
    return [{ message: `${computed.formula} = ${formatGiB(computed.bytes)}, not ${brief!.memoryShape!.weights!}.`, ...context.at(['memoryShape', 'weights']), fixes: computedFix(context, 'weights', computed) }];
  },
};
