import type { Finding, Rule } from '../../contract';
import { fix, setPath } from '../../edits';
import { isLatency, objectivesOf } from '../../objectives';

export const rule: Rule = {
  id: 'brief-objective-percentile-missing',
  title: 'Latency objective without a percentile',
  severity: 'warning',
  appliesTo: ['brief'],
  docs: { why: 'A latency without a percentile can be met by its mean while one user in ten waits for seconds.', advice: 'p95 is usual for people who wait; p99 needs more samples.' },
  check: ({ brief, document, at }) =>
    objectivesOf(brief).flatMap(({ objective, name, path }): Finding[] => {
      if (!isLatency(objective)) return [];
      if (objective.percentile === 'mean') return [{ message: `The mean of "${name}" hides its tail; bound a percentile too.`, severity: 'information', ...at([...path, 'percentile']) }];
      if (document.nodeAt([...path, 'percentile'])) return [];
      return [{ message: `"${name}" is a latency: say for which percentile the bound holds.`, ...at([...path, 'metric']), fixes: fix('Bound the 95th percentile', setPath(document, [...path, 'percentile'], 'p95')) }];
    }),
};
