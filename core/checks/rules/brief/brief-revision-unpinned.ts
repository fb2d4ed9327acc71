import type { Rule } from '../../contract';

/** Branches and tags that registries move by convention. */
const MOVING = /^(?:(?:refs\/heads|origin)\/.*|main|master|trunk|head|latest|dev|develop|development|nightly|stable|staging|prod|production|release|current|default|newest)$/i;
/** `v1.2`, `2.0.1-rc1`: a tag can be set anew. Commits and digests have no dots. */
const TAG = /^(?:refs\/tags\/.*|v?\d{1,4}(?:\.\d+){1,3}(?:[-+.].*)?|v\d+)$/i;

function problemOf(revision: string): string | undefined {
  if (MOVING.test(revision)) return `"${revision}" moves: tomorrow it is another model.`;
  return TAG.test(revision) ? `"${revision}" is a tag, and a tag can be moved.` : undefined;
}

export const rule: Rule = {
  id: 'brief-revision-unpinned',
  title: 'Model revision that can move',
  severity: 'warning',
  appliesTo: ['brief'],
  docs: {
    why: 'A branch or tag names another model after the next push: quality, memory and speed of the accepted run then prove nothing.',
    advice: 'Write the commit id or digest that the registry shows for the branch or tag.',
    source: 'Hugging Face Hub documentation, downloading a specific revision',
  },
  check: ({ brief, at }) =>
    (['revision', 'tokenizerRevision'] as const).flatMap((key) => {
      const problem = problemOf(brief?.model?.[key]?.trim() ?? '');
      return problem === undefined ? [] : [{ message: `${problem} Write the commit or digest behind it.`, ...at(['model', key]) }];
    }),
};
