import type { Rule } from '../../contract';
import { asMap, containersOf } from '../../kubernetes';

/** `nvidia.com/mig-1g.10gb`, `nvidia.com/mig-3g.40gb.me` (NVIDIA device plugin, mixed strategy). */
const MIG = /^nvidia\.com\/mig-\d+g\.\d+gb(\.me)?$/;

export const rule: Rule = {
  id: 'kubernetes-mig-resource',
  title: 'MIG resource name that no device plugin offers',
  severity: 'error',
  appliesTo: ['manifest'],
  docs: { why: 'A pod that asks for a resource that does not exist stays pending for ever.', source: 'NVIDIA GPU Operator documentation, MIG support' },
  check: ({ raw, at }) =>
    containersOf(raw).flatMap(({ container, path }) =>
      Object.keys(asMap(asMap(container['resources'])?.['limits']) ?? {})
        .filter((name) => name.startsWith('nvidia.com/mig') && !MIG.test(name))
        .map((name) => ({ message: `"${name}" is no MIG resource; they look like nvidia.com/mig-1g.10gb.`, ...at([...path, 'resources', 'limits', name], 'key') })),
    ),
};
