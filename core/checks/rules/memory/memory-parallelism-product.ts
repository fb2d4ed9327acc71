import type { Rule } from '../../contract';
import { fix, replaceValue } from '../../edits';
import { splitOf } from '../../memory-need';

export const rule: Rule = {
  id: 'memory-parallelism-product',
  title: 'Parallelism that does not make up the GPUs',
  severity: 'error',
  appliesTo: ['brief'],
  docs: { why: 'Launchers refuse to start, or leave paid GPUs idle, when tensor × pipeline × data is not the number of GPUs.', source: 'Narayanan et al., Efficient Large-Scale Language Model Training on GPU Clusters (2021)' },
  check: (context) => {
    const { gpus, parallelism } = context.brief?.memoryShape ?? {};
    if (gpus === undefined || parallelism === undefined || splitOf(context.brief)) return [];
    const { tensor = 1, pipeline = 1, data = 1 } = parallelism;
    const product = tensor * pipeline * data;
    return [{
      message: `tensor ${tensor} × pipeline ${pipeline} × data ${data} makes ${product} GPUs, not ${gpus}.`,
      ...context.at(['memoryShape', 'parallelism']),
      fixes: fix(`Write gpus: ${product}`, replaceValue(context.document, ['memoryShape', 'gpus'], String(product))),
    }];
  },
};
