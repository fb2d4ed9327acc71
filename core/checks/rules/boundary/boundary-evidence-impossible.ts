import type { Rule } from '../../contract';
import { entriesOf } from '../../criteria';

/** Probes that look at links, the kernel or what only the host's administrator sees. */
const OF_THE_HOST = /^(?:nvidia-smi-topo|nvidia-smi-nvlink|dcgmi-.*|kernel-xid|nccl-.*)$/;

export const rule: Rule = {
  id: 'boundary-evidence-impossible',
  title: 'Evidence that a serverless rental cannot give',
  severity: 'error',
  appliesTo: ['card'],
  docs: {
    why: 'A serverless worker shows its requests and not its host: these probes end inconclusive every time, and the card can never be accepted.',
    advice: 'Serverless can prove cold start, queue time, latency, errors and cost by requests. For topology and diagnostics rent a VM, a node or a cluster.',
  },
  check: ({ card, at }) =>
    card?.allocationBoundary?.class !== 'serverless'
      ? []
      : entriesOf(card).flatMap(({ entry, path }) =>
          entry.id !== undefined && OF_THE_HOST.test(entry.id) && entry.required !== false ? [{ message: `"${entry.id}" needs the host, which a serverless rental does not show.`, ...at([...path, 'id']) }] : [],
        ),
};
