import type { Rule } from '../../contract';
import { asMap, podOf, usesGpu } from '../../kubernetes';

export const rule: Rule = {
  id: 'kubernetes-network-policy',
  title: 'GPU workload without a network policy in its file',
  severity: 'information',
  appliesTo: ['manifest'],
  docs: { why: 'Without a policy the pod reaches everything, whatever the data boundary of the brief says. The policy may be elsewhere; then this is only a reminder.' },
  check: ({ raw, file, at }) => {
    const pod = podOf(raw);
    const hasPolicy = file.documents.some(({ value }) => /NetworkPolicy$/.test(String(asMap(value)?.['kind'])));
    return pod && usesGpu(raw) && !hasPolicy ? [{ message: 'No NetworkPolicy in this file limits what the pod reaches.', ...at(['kind']) }] : [];
  },
};
