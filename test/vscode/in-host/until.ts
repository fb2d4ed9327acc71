import type { Event } from 'vscode';

const UNTIL_TIMEOUT_MS = 15_000;

/** Looks again at each event until the condition holds, or the time is over: the caller asserts what it needs. */
export function until(condition: () => boolean, event: Event<unknown>): Promise<void> {
  return new Promise((resolve) => {
    const finish = (): void => {
      clearTimeout(timer);
      listener.dispose();
      resolve();
    };
    const look = (): void => (condition() ? finish() : undefined);
    const listener = event(look);
    const timer = setTimeout(finish, UNTIL_TIMEOUT_MS);
    look();
  });
}
