import { bytesOf, computedParts, formatGiB } from '../../../document/memory-shape';
import type { Rule } from '../../contract';

/** Quantised models keep some layers in a larger format and store scales; nothing makes them much smaller. */
const SMALLEST_SHARE = 0.8;
const LARGEST_SHARE = 1.6;

export const rule: Rule = {
  id: 'memory-weights-implausible',
  title: 'Weights that do not follow from parameters and precision',
  severity: 'warning',
  appliesTo: ['brief'],
  docs: { why: 'A wrong format or a wrong count of parameters changes the whole memory shape, and with it the machine.', source: 'Rajbhandari et al., ZeRO (2020), section 3' },
  check: ({ brief, at }) => {
    const stated = bytesOf(brief?.memoryShape?.weights ?? '');
    const computed = brief && computedParts(brief).weights;
    if (stated === undefined || computed === undefined || (stated >= computed * SMALLEST_SHARE && stated <= computed * LARGEST_SHARE)) return [];
    const billions = Number((brief!.memoryShape!.architecture!.parameters! / 1e9).toPrecision(3));
    return [{ message: `${billions} billion parameters in ${brief!.precision!.weights!} need ${formatGiB(computed)}, not ${brief!.memoryShape!.weights!}.`, ...at(['memoryShape', 'weights']) }];
  },
};
