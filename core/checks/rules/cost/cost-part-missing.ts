import type { BilledKind } from '../../../cost/record';
import type { Rule } from '../../contract';
import { ownCost } from '../../cost-record';

const PARTS: readonly { name: string; kinds: readonly BilledKind[] }[] = [
  { name: 'storage and snapshots', kinds: ['storage', 'snapshots'] },
  { name: 'network and egress', kinds: ['network', 'egress'] },
  { name: 'support and licences', kinds: ['support', 'licence'] },
];

export const rule: Rule = {
  id: 'cost-part-missing',
  title: 'Bill without storage, transfer or support',
  severity: 'warning',
  appliesTo: ['brief', 'card'],
  docs: { why: 'Checkpoints, snapshots, egress and support are billed apart and often decide which offer is cheaper.', advice: 'What is free or inside another line is said by `amount: 0` or by `includes`.' },
  check: (context) => {
    const lines = ownCost(context)?.components ?? [];
    const covered = lines.flatMap(({ kind, includes = [] }) => [...(kind === undefined ? [] : [kind]), ...includes]);
    const open = PARTS.filter(({ kinds }) => !kinds.some((kind) => covered.includes(kind))).map(({ name }) => name);
    return lines.length === 0 || open.length === 0 ? [] : [{ message: `No line covers ${open.join(', nor ')}: add it, with amount 0 if it is free, or name it in \`includes\`.`, ...context.at(['cost', 'components'], 'key') }];
  },
};
