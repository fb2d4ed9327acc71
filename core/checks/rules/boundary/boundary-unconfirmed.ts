import type { CheckContext, Fix, Rule } from '../../contract';
import { fix, setPath } from '../../edits';
import { insertFix, saysSomething } from '../../missing-rule';

const PATH = ['allocationBoundary', 'includes'];
const SIX = { gpuCapacity: 'GPU capacity', runtimeAccess: 'runtime access', storagePersistence: 'storage persistence', network: 'network', supportBoundary: 'support boundary', interruptionBehaviour: 'interruption behaviour' } as const;
type Key = keyof typeof SIX;

export const rule: Rule = {
  id: 'boundary-unconfirmed',
  title: 'What the rental includes is not confirmed',
  severity: 'warning',
  appliesTo: ['card'],
  docs: { why: 'Providers use the same words for different things: a volume that is gone after a stop, "dedicated" GPUs on a shared host, a machine that is taken back with 30 seconds of notice.', advice: 'Ask the provider, and write the answers down: confirm, never assume.' },
  check: (context) => {
    const boundary = context.card?.allocationBoundary;
    const open = (Object.keys(SIX) as Key[]).filter((key) => !saysSomething(boundary?.includes?.[key]));
    if (boundary === undefined || open.length === 0) return [];
    return [{ message: `Not confirmed yet: ${open.map((key) => SIX[key]).join(', ')}.`, ...context.at(PATH, 'key'), fixes: insertOpen(context, open) }];
  },
};

function insertOpen(context: CheckContext, open: readonly Key[]): Fix[] {
  const { card, document } = context;
  const absent = open.filter((key) => !document.pairAt([...PATH, key]));
  if (absent.length === Object.keys(SIX).length && Object.keys(card?.allocationBoundary?.includes ?? {}).length === 0) return insertFix(context, PATH, Object.fromEntries(absent.map((key) => [key, ''])));
  return fix('Insert what is missing', absent.flatMap((key) => setPath(document, [...PATH, key], '')));
}
