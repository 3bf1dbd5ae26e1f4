/**
 * Replaces `Date.now` for this process by a counter that goes on by a millisecond every 256 readings, so that no
 * generator ever waits for time and what is measured is the work. Peers look the clock up as a global, so do we.
 */
export interface MockedClock {
  /** Goes on to the next millisecond at once. */
  tick(): void;
  restore(): void;
}

const READINGS_PER_MS = 256;

export function mockClock(): MockedClock {
  const real = Date.now;
  let nowMs = real();
  let readings = 0;
  Date.now = () => {
    readings += 1;
    if (readings === READINGS_PER_MS) {
      readings = 0;
      nowMs += 1;
    }
    return nowMs;
  };
  return {
    tick: () => {
      nowMs += 1;
      readings = 0;
    },
    restore: () => {
      Date.now = real;
    },
  };
}
