import { expect, test } from '@jest/globals';
import { manualClock } from '../src/index.js';

test('time stands still until it is moved', () => {
  const clock = manualClock(1_000);
  expect([clock.now(), clock.now()]).toEqual([1_000, 1_000]);
});

test('time moves forward, back, and to any moment', () => {
  const { now, advance, set } = manualClock(1_000);
  advance(500);
  expect(now()).toBe(1_500);
  advance(-2_000);
  expect(now()).toBe(-500);
  set(9);
  expect(now()).toBe(9);
});
