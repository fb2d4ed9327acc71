import { createHash } from 'node:crypto';
import type { RunEvent } from '../run/events';

const FIRST = '0'.repeat(64);

/** Reads a whole event log strictly: every line, every number, every seal. A live log is read by the run room, which forgives a torn last line. */
export function readSealedLog(text: string): { events: RunEvent[] } | { problem: string } {
  const lines = text.split('\n');
  if (lines.pop() !== '') return { problem: 'The last event is cut.' };
  const events: RunEvent[] = [];
  let previous = FIRST;
  for (const [index, line] of lines.entries()) {
    let event: RunEvent;
    try {
      event = JSON.parse(line) as RunEvent;
    } catch {
      return { problem: `Event ${index} cannot be read.` };
    }
    if (typeof event !== 'object' || event === null || typeof event.type !== 'string') return { problem: `Event ${index} cannot be read.` };
    if (event.seq !== index) return { problem: `Event ${index} has the number ${event.seq}.` };
    if (event.previous !== previous) return { problem: `Event ${index} does not fit the one before it.` };
    previous = createHash('sha256').update(line).digest('hex');
    events.push(event);
  }
  return { events };
}
