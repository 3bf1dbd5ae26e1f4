/** A clock that moves only when a test moves it. The functions need no `this`: `{ now: clock.now }` works. */
export interface ManualClock {
  /** Current time in milliseconds since 1970-01-01T00:00:00Z. */
  readonly now: () => number;
  /** Moves time by `ms`; a negative value moves it back, like a clock correction. */
  readonly advance: (ms: number) => void;
  /** Jumps to `ms` since 1970, forward or back. */
  readonly set: (ms: number) => void;
}

/**
 * Creates a clock for code with an injectable clock.
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
