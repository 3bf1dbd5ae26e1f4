/** A signal that aborts with any of several others, or when its time is up. */
export interface TimeLimit {
  readonly signal: AbortSignal;
  /** Removes the listeners and the timer. */
  release(): void;
}

/** The abort reason of a signal whose time is up. */
export const TIME_IS_UP = Symbol('time is up');

/** @param ms from now; undefined for no limit */
export function limitTime(others: readonly (AbortSignal | undefined)[], ms?: number): TimeLimit {
  const controller = new AbortController();
  const known = others.filter((other) => other !== undefined);
  const follow = (event: Event): void => controller.abort((event.target as AbortSignal).reason);
  for (const other of known) {
    if (other.aborted) controller.abort(other.reason);
    other.addEventListener('abort', follow);
  }
  const timer =
    ms === undefined ? undefined : setTimeout(() => controller.abort(TIME_IS_UP), Math.max(0, ms));
  return {
    signal: controller.signal,
    release() {
      clearTimeout(timer);
      for (const other of known) other.removeEventListener('abort', follow);
    },
  };
}

/** Settles as `work` does, or rejects with the signal's reason once it aborts; `work` can ignore the signal. */
export function orAborted<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort);
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}

/** Waits; returns early, without an error, when the signal aborts. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener('abort', end);
  });
}
