import { describe, expect, test } from '@jest/globals';
import { manualClock } from '@solegate/testkit';
import { DecidedOffers } from '../src/accept/decided-offers.js';
import type { Taken } from '../src/index.js';

const taken: Taken = { kind: 'TAKEN', tripId: 1n, epoch: 1, certainty: 'DECIDED' };

describe('decided offers', () => {
  test('answer late drivers for a while, but never the winner', () => {
    const clock = manualClock();
    const offers = new DecidedOffers(500, clock.now);
    offers.remember(taken, 7n, 10_000);
    expect(offers.answerFor(1n, 1, 8n)).toBe(taken);
    expect(offers.answerFor(1n, 1, 7n)).toBeUndefined();
    expect(offers.answerFor(1n, 2, 8n)).toBeUndefined();
    clock.advance(500);
    expect(offers.answerFor(1n, 1, 8n)).toBeUndefined();
  });

  test('are forgotten when their decision in Redis expires', () => {
    const clock = manualClock();
    const offers = new DecidedOffers(500, clock.now);
    offers.remember(taken, 7n, 100);
    clock.advance(99);
    expect(offers.answerFor(1n, 1, 8n)).toBe(taken);
    clock.advance(1);
    expect(offers.answerFor(1n, 1, 8n)).toBeUndefined();
  });

  test('are forgotten on request', () => {
    const offers = new DecidedOffers(500, manualClock().now);
    offers.remember(taken, 7n, 10_000);
    offers.forget(1n);
    expect(offers.answerFor(1n, 1, 8n)).toBeUndefined();
  });

  test('keep at most the latest ten thousand', () => {
    const offers = new DecidedOffers(500, manualClock().now);
    for (let trip = 1; trip <= 10_001; trip += 1)
      offers.remember({ ...taken, tripId: BigInt(trip) }, 7n, 10_000);
    expect(offers.answerFor(1n, 1, 8n)).toBeUndefined();
    expect(offers.answerFor(10_001n, 1, 8n)).toMatchObject({ tripId: 10_001n });
  });
});
