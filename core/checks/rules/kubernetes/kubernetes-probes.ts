import type { Rule } from '../../contract';
import { asMap, containersOf, gpuQuantities } from '../../kubernetes';

/** Kinds that run until they are stopped; a job has its own end. */
const SERVICES = ['Deployment', 'StatefulSet', 'DaemonSet', 'ReplicaSet'];

export const rule: Rule = {
  id: 'kubernetes-probes',
  title: 'GPU service without a readiness probe',
  severity: 'warning',
  appliesTo: ['manifest'],
  docs: { why: 'Loading a model takes minutes. Without a readiness probe traffic reaches a server that cannot answer yet, and a stuck one is never restarted.' },
  check: (context) => {
    if (!SERVICES.includes(String(asMap(context.raw)?.['kind']))) return [];
    return containersOf(context.raw).filter((located) => gpuQuantities(located, 'limits').length > 0 && located.container['readinessProbe'] === undefined).map(({ container, path }) => ({ message: `The container "${String(container['name'] ?? '')}" has no readinessProbe.`, ...context.at(path) }));
  },
};
