import type { Rule } from '../../contract';
import { asList, asMap, containersOf, gpuQuantities, podOf } from '../../kubernetes';

export const rule: Rule = {
  id: 'kubernetes-shared-memory',
  title: 'Several GPUs with the default shared memory',
  severity: 'warning',
  appliesTo: ['manifest'],
  docs: { why: 'A container has 64 MiB of /dev/shm. NCCL and data loaders need more, and fail with "No space left on device" under load.', advice: 'Mount an emptyDir with `medium: Memory` at /dev/shm.' },
  check: (context) => {
    const volumes = asList(podOf(context.raw)?.spec['volumes']).map(asMap);
    const memory = volumes.filter((volume) => asMap(volume?.['emptyDir'])?.['medium'] === 'Memory').map((volume) => volume!['name']);
    return containersOf(context.raw).flatMap((located) => {
      const gpus = gpuQuantities(located, 'limits').reduce((sum, { value }) => sum + Number(value), 0);
      const isMounted = asList(located.container['volumeMounts']).map(asMap).some((mount) => mount?.['mountPath'] === '/dev/shm' && memory.includes(mount['name']));
      return gpus > 1 && !isMounted ? [{ message: `The container uses ${gpus} GPUs but has 64 MiB of shared memory: mount an emptyDir of medium Memory at /dev/shm.`, ...context.at(located.path) }] : [];
    });
  },
};
