/** The result of a promise, or `reason` as soon as the signal aborts. The promise itself goes on; its later failure is nobody's. */
export function orAbort<T>(promise: Promise<T>, signal: AbortSignal | undefined, reason: () => Error): Promise<T> {
  if (signal === undefined) return promise;
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(reason());
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}
