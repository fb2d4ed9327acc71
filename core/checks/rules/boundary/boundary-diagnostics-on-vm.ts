import type { Rule } from '../../contract';
import { entriesOf } from '../../criteria';

/** DCGM levels from which the diagnostic stresses memory, links and power. */
const STRESS_LEVEL = 3;

export const rule: Rule = {
  id: 'boundary-diagnostics-on-vm',
  title: 'Stress diagnostics inside a virtual machine',
  severity: 'information',
  appliesTo: ['card'],
  docs: { why: 'A VM shows a virtual topology and often hides counters and clocks: tests of links and power are skipped or are slow there, and the host belongs to the provider.', advice: 'Ask for a level 1 or 2 run, or for the provider\'s own diagnostics of the host.', source: 'NVIDIA DCGM user guide, run levels' },
  check: ({ card, at }) =>
    card?.allocationBoundary?.class !== 'vm'
      ? []
      : entriesOf(card).flatMap(({ entry, path }) => {
          const level = (entry.with as { level?: unknown } | undefined)?.level;
          return entry.id === 'dcgmi-diag' && typeof level === 'number' && level >= STRESS_LEVEL ? [{ message: `Level ${level} stresses what a virtual machine often hides; skipped tests will leave the verdict inconclusive.`, ...at([...path, 'with', 'level']) }] : [];
        }),
};
