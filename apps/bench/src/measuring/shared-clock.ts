/**
 * Milliseconds on the machine's monotonic clock, with fractions. Every process of one machine reads the same clock, so
 * a start time and a span may be compared across workers; a wall clock step does not touch it.
 */
export function sharedNowMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}

const NEVER_WOKEN = new Int32Array(new SharedArrayBuffer(4));

/**
 * Resolves at `momentMs` of the shared clock: a timer up to the last two milliseconds, then the thread sleeps
 * until then, so that workers leave the common barrier within tens of microseconds of each other. A worker that
 * watched the clock instead would keep a core from the others, and from the stores, at the very start.
 */
export async function waitUntil(momentMs: number): Promise<void> {
  const coarseMs = momentMs - sharedNowMs() - 2;
  if (coarseMs > 0) await new Promise((resolve) => setTimeout(resolve, coarseMs));
  for (let leftMs = momentMs - sharedNowMs(); leftMs > 0; leftMs = momentMs - sharedNowMs()) {
    Atomics.wait(NEVER_WOKEN, 0, 0, leftMs);
  }
}
