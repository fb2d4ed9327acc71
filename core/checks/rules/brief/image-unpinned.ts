import type { Path } from '../../../document/source';
import type { Rule } from '../../contract';

const PINNED = /@sha(?:256:[0-9a-f]{64}|512:[0-9a-f]{128})$/i;
/** Image files of Apptainer and Enroot, and variables that are filled in elsewhere: nothing is known of them. */
const NOT_A_REFERENCE = /\.(?:sif|sqsh|squashfs)$|\$/i;

export const rule: Rule = {
  id: 'image-unpinned',
  title: 'Container image that can change',
  severity: 'warning',
  appliesTo: ['brief', 'card'],
  docs: {
    why: 'A tag names another image after the next push. The driver, the CUDA libraries and the framework that were accepted are then not the ones that run.',
    advice: 'Name the image by its digest: `registry.example.com/serve@sha256:…`.',
    source: 'OCI Distribution Specification, pulling manifests by digest',
  },
  check: ({ brief, card, subject, at }) => {
    const document = subject === 'brief' ? brief : card;
    const images: [Path, string | undefined][] = [
      [['runtime', 'image'], subject === 'card' ? card?.runtime?.image : undefined],
      [['layers', 'runtime', 'image'], document?.layers?.runtime?.image],
    ];
    return images.flatMap(([path, image]) => {
      const reference = image?.trim() ?? '';
      const isOpen = reference !== '' && !PINNED.test(reference) && !NOT_A_REFERENCE.test(reference);
      return isOpen ? [{ message: `"${reference}" is not pinned by a whole digest (\`@sha256:…\`).`, ...at(path) }] : [];
    });
  },
};
