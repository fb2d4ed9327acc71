import type { Rule } from '../../contract';
import { containersOf, gpuQuantities } from '../../kubernetes';

export const rule: Rule = {
  id: 'kubernetes-gpu-quantity',
  title: 'GPU quantity that is no whole number',
  severity: 'error',
  appliesTo: ['manifest'],
  docs: { why: 'GPUs are given as whole devices; a fraction or a negative number is refused. Parts of a GPU are MIG resources of their own.' },
  check: ({ raw, at }) =>
    containersOf(raw).flatMap((located) =>
      (['limits', 'requests'] as const).flatMap((list) =>
        gpuQuantities(located, list).flatMap(({ resource, value, path }) => (/^\d+$/.test(String(value)) ? [] : [{ message: `${resource}: "${String(value)}" is no whole number of devices.`, ...at(path) }])),
      ),
    ),
};
