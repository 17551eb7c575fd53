/** So long a computation may keep the thread before progress, timers and Ctrl-C have their turn, in milliseconds. */
const turn = 40;

/** Called between two pieces of a long computation. */
export type Pace = () => Promise<void>;

/**
 * Lets the event loop run where a turn is over, and then ends with the signal's reason if it was aborted. It never
 * changes a number.
 */
export function paceOf(signal: AbortSignal | undefined): Pace {
  signal?.throwIfAborted();
  let since = performance.now();
  return async () => {
    if (performance.now() - since < turn) return;
    await new Promise<void>((resolve) => setTimeout(resolve, 0));
    signal?.throwIfAborted();
    since = performance.now();
  };
}
