import type { Rule } from '../../contract';
import { fix, replaceValue } from '../../edits';
import { containersOf, gpuQuantities } from '../../kubernetes';

export const rule: Rule = {
  id: 'kubernetes-gpu-requests-differ',
  title: 'GPU requests that differ from limits',
  severity: 'error',
  appliesTo: ['manifest'],
  docs: { why: 'Extended resources cannot be overcommitted: if requests are set they must equal the limits.', source: 'Kubernetes documentation, Schedule GPUs' },
  check: ({ raw, document, at }) =>
    containersOf(raw).flatMap((located) =>
      gpuQuantities(located, 'requests').flatMap(({ resource, value, path }) => {
        const limit = gpuQuantities(located, 'limits').find((quantity) => quantity.resource === resource);
        if (!limit || String(limit.value) === String(value)) return [];
        return [{ message: `${resource}: ${String(value)} is requested and ${String(limit.value)} is the limit; they must be equal.`, ...at(path), fixes: fix('Use the limit', replaceValue(document, path, String(limit.value))) }];
      }),
    ),
};
