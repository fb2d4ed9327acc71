import type { Finding, Rule } from '../../contract';
import { isBegun, missingFinding, saysSomething } from '../../missing-rule';

const PATH = ['questions', 'capacityLoss'];
const PARTS = { checkpointCadence: 'how much work may be lost', retryRule: 'what is retried', queueVisibility: 'how users see that work waits', alternativeClass: 'which other capacity can do it', degradedPath: 'what users get meanwhile' } as const;

export const rule: Rule = {
  id: 'brief-question-capacity-loss',
  title: 'What happens when capacity disappears is not answered',
  severity: 'warning',
  appliesTo: ['brief'],
  docs: { why: 'Rented capacity is reclaimed, breaks and sells out. What was not decided before is decided at night by whoever is awake.' },
  check: (context): Finding[] => {
    const answer = context.brief?.questions?.capacityLoss;
    if (!isBegun(context)) return [];
    if (!saysSomething(answer)) return [missingFinding(context, PATH, 'Answer what happens when capacity disappears (`questions.capacityLoss`).', Object.fromEntries(Object.keys(PARTS).map((key) => [key, ''])))];
    const open = Object.entries(PARTS).filter(([key]) => !saysSomething(answer?.[key as keyof typeof PARTS]));
    if (open.length === 0) return [];
    return [{ message: `Not said yet: ${open.map(([key, meaning]) => `${meaning} (${key})`).join(', ')}.`, severity: 'information', ...context.at(PATH, 'key') }];
  },
};
