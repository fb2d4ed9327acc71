import type { Rule } from '../../contract';
import { containersOf } from '../../kubernetes';

export const rule: Rule = {
  id: 'kubernetes-image-mutable',
  title: 'Image that can change',
  severity: 'warning',
  appliesTo: ['manifest'],
  docs: { why: 'A tag can name another image tomorrow: what was accepted is then not what runs.', advice: 'Name the image by its digest: `name@sha256:…`.' },
  check: ({ raw, at }) =>
    containersOf(raw).flatMap(({ container, path }) => {
      const image = container['image'];
      return typeof image !== 'string' || /@sha256:[0-9a-f]{64}$/.test(image) ? [] : [{ message: `"${image}" is not pinned by a digest.`, ...at([...path, 'image']) }];
    }),
};
