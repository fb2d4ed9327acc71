import type { Rule } from '../../contract';
import { fix, setPath } from '../../edits';
import { containersOf, gpuQuantities } from '../../kubernetes';

export const rule: Rule = {
  id: 'kubernetes-gpu-not-in-limits',
  title: 'GPU quantity in requests alone',
  severity: 'error',
  appliesTo: ['manifest'],
  docs: { why: 'GPUs are extended resources: the quantity belongs into limits. In requests alone the API server refuses the pod.', source: 'Kubernetes documentation, Schedule GPUs' },
  check: ({ raw, document, at }) =>
    containersOf(raw).flatMap((located) => {
      const limited = gpuQuantities(located, 'limits').map(({ resource }) => resource);
      return gpuQuantities(located, 'requests').filter(({ resource }) => !limited.includes(resource)).map(({ resource, value, path }) => ({
        message: `${resource} is requested but not limited; put it into limits.`,
        ...at(path, 'key'),
        fixes: fix(`Add ${resource} to limits`, setPath(document, [...located.path, 'resources', 'limits', resource], value)),
      }));
    }),
};
