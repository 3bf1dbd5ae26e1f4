/**
 * Milliseconds on the machine's monotonic clock, with fractions. Every process of one machine reads the same clock, so
 * a start time and a span may be compared across workers; a wall clock step does not touch it.
 */
export function sharedNowMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}

/**
 * Resolves at `momentMs` of the shared clock: a timer up to the last two milliseconds, then turns of the event loop, so
 * that workers leave the common barrier within tens of microseconds of each other.
 */
export async function waitUntil(momentMs: number): Promise<void> {
  const coarseMs = momentMs - sharedNowMs() - 2;
  if (coarseMs > 0) await new Promise((resolve) => setTimeout(resolve, coarseMs));
  while (sharedNowMs() < momentMs) await new Promise((resolve) => setImmediate(resolve));
}
