/** Time that moves only when a test says so. The functions need no `this`: `{ now: clock.now }` works. */
export interface ManualClock {
  /** Present time in milliseconds since 1970-01-01T00:00:00Z. */
  readonly now: () => number;
  /** Moves time by `ms`; a negative figure moves it back, as a corrected clock would. */
  readonly advance: (ms: number) => void;
  /** Jumps to `ms` since 1970, forward or back. */
  readonly set: (ms: number) => void;
}

/**
 * A clock for code that takes its time from outside.
 *
 * @param startMs first reading, in milliseconds since 1970; default 2026-01-01T00:00:00Z
 */
export function manualClock(startMs = Date.UTC(2026, 0, 1)): ManualClock {
  let nowMs = startMs;
  return {
    now: () => nowMs,
    advance: (ms) => {
      nowMs += ms;
    },
    set: (ms) => {
      nowMs = ms;
    },
  };
}
