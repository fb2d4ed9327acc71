import type { Rule } from '../../contract';

const STORAGE = /\b(?:volumes?|disks?|nfs|pvc|nvme|ssd|mount(?:ed|s)?|attached|storage|bucket|snapshots?|raid)\b/i;
/** Words of doing: something is brought back, or there is a test of it. */
const RESTORES = /\b(?:restor|resum|recover|pull|cop(?:y|ied|ies)|continu|back\b|mov|read\b(?![- ]?(?:only|write))|writ|rsync|clon|mirror|replicat|br(?:ing|ought)|com(?:e|es)\b|download|rebuil|reload|re-?creat|re-?deploy|re-?attach|replay|import|fetch|sync|load|start|retrain|repeat|test|minutes?|hours?|min\b)/i;
/** A longer plan says more than that there is storage, in words that are not known here. */
const LONGEST_LENGTH = 120;

export const rule: Rule = {
  id: 'brief-restore-plan-volume',
  title: 'Attached storage as the restore plan',
  severity: 'warning',
  appliesTo: ['brief'],
  docs: { why: '"A volume is attached" is not a restore plan: the volume goes with the machine, the zone or the account, and nobody has read from it on another one.', advice: 'Say what is read from where, on which other machine, how long that may take, and which test proves it.' },
  check: ({ brief, at }) => {
    const plan = brief?.questions?.persist?.restorePlan ?? '';
    return plan.length <= LONGEST_LENGTH && STORAGE.test(plan) && !RESTORES.test(plan) ? [{ message: 'Storage alone is not a restore plan. Say how the state comes back on another machine, and in which time.', ...at(['questions', 'persist', 'restorePlan']) }] : [];
  },
};
