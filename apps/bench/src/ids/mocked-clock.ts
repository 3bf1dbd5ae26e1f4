/**
 * Replaces `Date.now` in this process with a counter that advances by a millisecond every 256 readings, so that no
 * generator waits for time and only the work is measured. Like our generator, peers read the clock as a global.
 */
export interface MockedClock {
  /** Advances to the next millisecond immediately. */
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
