/** Milliseconds that work may hold a thread: messages, timers and other callbacks wait meanwhile. */
const MAX_HOLD_MS = 50;

/** Time of the last yield of this thread. */
let lastYield = 0;

/**
 * Lets the event loop of this thread run when it has not for a while; to be awaited between the steps of long work.
 * Throws the reason of the signal when it fired meanwhile.
 */
export async function yieldIfDue(signal?: AbortSignal): Promise<void> {
  if (performance.now() - lastYield < MAX_HOLD_MS) return;
  await new Promise<void>((resolve) => setImmediate(resolve));
  lastYield = performance.now();
  signal?.throwIfAborted();
}
