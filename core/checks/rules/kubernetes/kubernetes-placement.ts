import type { Rule } from '../../contract';
import { podOf, usesGpu } from '../../kubernetes';

export const rule: Rule = {
  id: 'kubernetes-placement',
  title: 'GPU pod without a placement rule',
  severity: 'warning',
  appliesTo: ['manifest'],
  docs: { why: 'Where a cluster has several kinds of GPU, the scheduler takes any: the pod may run on another one than was accepted.', advice: 'Use node labels such as `nvidia.com/gpu.product` in nodeSelector or affinity.' },
  check: ({ raw, at }) => {
    const pod = podOf(raw);
    if (!pod || !usesGpu(raw) || ['nodeSelector', 'affinity', 'nodeName', 'resourceClaims'].some((key) => pod.spec[key] !== undefined)) return [];
    return [{ message: 'Nothing says which GPU model the pod needs: add a nodeSelector or an affinity.', ...at(pod.path, 'key') }];
  },
};
