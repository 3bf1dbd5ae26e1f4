/**
 * Returns fractional milliseconds of the machine's monotonic clock. Every process of one machine reads the same clock,
 * so start times and durations are comparable across workers; a step of the wall clock does not affect it.
 */
export function sharedNowMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}

const NEVER_WOKEN = new Int32Array(new SharedArrayBuffer(4));

/**
 * Resolves at `momentMs` of the shared clock: uses a timer up to the last two milliseconds, then blocks the thread,
 * so that workers leave the common barrier within tens of microseconds of each other. A worker that polled the
 * clock instead would take a core from the others, and from the stores, right at the start.
 */
export async function waitUntil(momentMs: number): Promise<void> {
  const coarseMs = momentMs - sharedNowMs() - 2;
  if (coarseMs > 0) await new Promise((resolve) => setTimeout(resolve, coarseMs));
  for (let leftMs = momentMs - sharedNowMs(); leftMs > 0; leftMs = momentMs - sharedNowMs()) {
    Atomics.wait(NEVER_WOKEN, 0, 0, leftMs);
  }
}
