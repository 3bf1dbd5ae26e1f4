import { expect, test } from '@jest/globals';
import { manualClock } from '@solegate/testkit';
import fc from 'fast-check';

import { CircuitBreaker } from '../src/index.js';

function breakerAt(startMs: number) {
  const clock = manualClock(startMs);
  const breaker = new CircuitBreaker({ failureMax: 3, openMs: 1000, now: () => clock.now() });
  return { clock, breaker };
}

function open(breaker: CircuitBreaker): void {
  for (let count = 0; count < 3; count += 1) breaker.failed();
}

test('stays closed while failures do not come in a row', () => {
  const { breaker } = breakerAt(0);
  for (let round = 0; round < 10; round += 1) {
    breaker.failed();
    breaker.failed();
    breaker.succeeded();
  }
  expect(breaker.state).toBe('CLOSED');
  expect(breaker.allows()).toBe(true);
});

test('refuses for openMs after failureMax failures in a row', () => {
  const { breaker, clock } = breakerAt(0);
  open(breaker);
  expect(breaker.state).toBe('OPEN');
  clock.advance(999);
  expect(breaker.allows()).toBe(false);
  clock.advance(1);
  expect(breaker.allows()).toBe(true);
});

test('lets one probe through, and closes when it succeeds', () => {
  const { breaker, clock } = breakerAt(0);
  open(breaker);
  clock.advance(1000);
  expect([breaker.allows(), breaker.allows(), breaker.allows()]).toEqual([true, false, false]);
  expect(breaker.state).toBe('HALF_OPEN');
  breaker.succeeded();
  expect([breaker.allows(), breaker.allows()]).toEqual([true, true]);
});

test('opens again for openMs when the probe fails, whatever failureMax is', () => {
  const { breaker, clock } = breakerAt(0);
  open(breaker);
  clock.advance(1000);
  breaker.allows();
  breaker.failed();
  clock.advance(999);
  expect(breaker.allows()).toBe(false);
  clock.advance(1);
  expect(breaker.allows()).toBe(true);
});

test('is not closed by a late success of a call that began before it opened', () => {
  const { breaker } = breakerAt(0);
  open(breaker);
  breaker.succeeded();
  expect(breaker.allows()).toBe(false);
});

test('is not kept open longer by late failures of calls that began before it opened', () => {
  const { breaker, clock } = breakerAt(0);
  open(breaker);
  clock.advance(999);
  breaker.failed();
  clock.advance(1);
  expect(breaker.allows()).toBe(true);
});

test('probes again when a probe is never reported', () => {
  const { breaker, clock } = breakerAt(0);
  open(breaker);
  clock.advance(1000);
  expect(breaker.allows()).toBe(true);
  clock.advance(999);
  expect(breaker.allows()).toBe(false);
  clock.advance(1);
  expect(breaker.allows()).toBe(true);
});

test.each([
  { failureMax: 0, openMs: 1 },
  { failureMax: 1, openMs: 0 },
  { failureMax: Number.NaN, openMs: 1 },
])('refuses the settings %p', (settings) => {
  expect(() => new CircuitBreaker(settings)).toThrow(RangeError);
});

test('refuses a setting that does not exist', () => {
  const settings = { failureMax: 1, openMs: 1, openMS: 5 };
  expect(() => new CircuitBreaker(settings)).toThrow(/no option openMS: use .*openMs/);
});

test('calls a dead store at most failureMax times and then once per openMs', () => {
  const pauses = fc.array(fc.integer({ min: 0, max: 400 }), { minLength: 1, maxLength: 200 });
  fc.assert(
    fc.property(pauses, (pausesMs) => {
      const { breaker, clock } = breakerAt(0);
      let askedCount = 0;
      for (const pauseMs of pausesMs) {
        clock.advance(pauseMs);
        if (!breaker.allows()) continue;
        askedCount += 1;
        breaker.failed();
      }
      expect(askedCount).toBeLessThanOrEqual(3 + Math.floor(clock.now() / 1000));
    }),
  );
});
