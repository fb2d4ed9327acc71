import type { HostMessage } from '../core/messages/workbench';
import type { RunEvent } from '../core/run/events';

export type PageEvents = Extract<HostMessage, { type: 'events' }>['events'];

const DRAWN = new Set(['dcgm.field', 'nccl.busbw', 'topology.link']);

/** Events as the page needs them: of the measurements only what is drawn, without what only the verdict reads. A log of an hour stays small. */
export function pageEvents(events: readonly RunEvent[]): PageEvents {
  return events.flatMap((event): RunEvent[] => {
    if (event.type !== 'measurements') return [event];
    const measurements = event.measurements.filter(({ metric, labels }) => DRAWN.has(metric) || labels?.['scrape'] !== undefined).map(({ metric, value, labels }) => ({ metric, value, ...(labels ? { labels } : {}) }));
    return measurements.length > 0 ? [{ ...event, measurements }] : [];
  });
}
