import { readCard } from '../document/read';
import type { RunEvent } from '../run/events';
import type { CardVerdict } from '../verdict/contract';
import { judgeCard } from '../verdict/judge';
import { type ReplayedProbe, toProbeRunResults } from './replay';

/** The verdict of a run, made again from its card, its log and its replayed probes. `now` is the time at which it was judged. */
export function rejudge(cardText: string, events: readonly RunEvent[], replayed: readonly ReplayedProbe[], now: Date): CardVerdict {
  const started = events[0];
  const card = readCard(cardText).value;
  if (!card || started?.type !== 'run-started') throw new Error('The card of this run cannot be read.');
  const isRequired = (stage: string, entry: string): boolean =>
    card.stages[stage as keyof typeof card.stages]?.probes?.find((probe) => (probe.name ?? probe.id) === entry)?.required ?? true;
  const capabilities = events.findLast((event) => event.type === 'capabilities')?.capabilities;
  return judgeCard({
    card,
    stages: started.stages,
    results: toProbeRunResults(events, replayed, isRequired),
    ...(capabilities === undefined ? {} : { capabilities }),
    now,
  });
}
