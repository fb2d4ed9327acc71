import type { Rule } from '../../contract';
import { fix, setPath } from '../../edits';
import { saysSomething, valueAt } from '../../missing-rule';
import { dependsOnLoad, objectivesOf } from '../../objectives';

export const rule: Rule = {
  id: 'brief-objective-load-missing',
  title: 'Objective without a load point',
  severity: 'warning',
  appliesTo: ['brief'],
  docs: { why: 'A server that answers one user in 200 ms can need seconds for thirty-two. A bound holds at one load, and without it any test meets it.', advice: 'Concurrency or request rate, and the lengths of prompts and answers; for all objectives in `inputs.load`, or for one in its `load`.' },
  check: ({ brief, raw, document, at }) => {
    // The load of the inputs holds for every objective that names none of its own.
    if (saysSomething(brief?.inputs?.load)) return [];
    const objectives = objectivesOf(brief);
    const stated = objectives.find(({ objective }) => saysSomething(objective.load))?.objective.load;
    return objectives.flatMap(({ objective, name, path }) => {
      const place = [...path, 'load'];
      if (!dependsOnLoad(objective) || saysSomething(valueAt(raw, place))) return [];
      const fixes = stated === undefined ? [] : fix('Use the load of another objective', setPath(document, place, stated));
      return [{ message: `Say at which load "${name}" holds.`, ...at([...path, 'metric']), fixes }];
    });
  },
};
