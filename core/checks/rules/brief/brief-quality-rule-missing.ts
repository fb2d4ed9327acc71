import { missingRule } from '../../missing-rule';

/** Words by which a unit of work depends on a judgement. */
const JUDGED = /accept|approv|valid|correct|pass(?:es|ed)?\b|quality|grade|reviewed|good\b/i;

export const rule = missingRule({
  id: 'brief-quality-rule-missing',
  title: 'Accepted output without a rule of acceptance',
  docs: { why: 'When the cost is counted by accepted outputs and nobody says what is accepted, a fast rental hides bad outputs.' },
  path: ['quality', 'acceptanceRule'],
  message: 'The completed work is an accepted output: say how an output is judged (`quality.acceptanceRule`).',
  onlyIf: ({ brief }) => JUDGED.test(`${brief?.workload?.completedWork ?? ''} ${brief?.cost?.completedWork ?? ''}`),
});
