import { setTimeout as pause } from 'node:timers/promises';

export interface UntilOptions {
  /** How long to keep polling, in milliseconds; default 60,000. A bound for liveness, not a measure of speed. */
  readonly timeoutMs?: number;
  /** Pause between two checks, in milliseconds; default 10. */
  readonly intervalMs?: number;
  /** A description of the condition, for the error message. */
  readonly what?: string;
}

/** The condition did not become true in time. `cause` is the error of its last check, if it threw. */
export class UntilTimeoutError extends Error {
  readonly code = 'UNTIL_TIMEOUT';

  constructor(
    readonly timeoutMs: number,
    what: string,
    cause: unknown,
  ) {
    super(`${what} did not come true within ${timeoutMs} ms`, { cause });
    this.name = 'UntilTimeoutError';
  }
}

/**
 * Polls the condition until it returns something truthy, and resolves with that. A condition that throws counts as
 * "not yet", so `until(() => client.ping())` waits for a server that is still starting.
 *
 * @throws UntilTimeoutError once `timeoutMs` has passed; the condition is checked at least once
 */
export async function until<T>(
  condition: () => T | Promise<T>,
  { timeoutMs = 60_000, intervalMs = 10, what = 'The condition' }: UntilOptions = {},
): Promise<T> {
  const endsAtMs = performance.now() + timeoutMs;
  for (;;) {
    let failure: unknown;
    try {
      const answer = await condition();
      if (answer) return answer;
    } catch (error) {
      failure = error;
    }
    if (performance.now() >= endsAtMs) throw new UntilTimeoutError(timeoutMs, what, failure);
    await pause(intervalMs);
  }
}
