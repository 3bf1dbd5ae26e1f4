import { describe, expect, test } from '@jest/globals';
import { manualClock } from '@solegate/testkit';
import { KnownAnswers } from '../src/accept/known-answers.js';
import type { NotOffered, Taken } from '../src/index.js';

const taken: Taken = { kind: 'TAKEN', tripId: 1n, epoch: 1 };
const refusal = (reason: NotOffered['reason'], tripId = 1n): NotOffered => ({
  kind: 'NOT_OFFERED',
  tripId,
  reason,
});

function memory() {
  const clock = manualClock();
  return { clock, known: new KnownAnswers(clock.now) };
}

describe('a decision', () => {
  test('answers late drivers of its epoch for half a second, but never the winner', () => {
    const { clock, known } = memory();
    known.taken(taken, 7n, 10_000);
    expect(known.answerFor(1n, 1, 8n)).toBe(taken);
    expect(known.answerFor(1n, 1, 7n)).toBeUndefined();
    expect(known.answerFor(1n, 2, 8n)).toBeUndefined();
    clock.advance(500);
    expect(known.answerFor(1n, 1, 8n)).toBeUndefined();
  });

  test('is forgotten when it ends in Redis, or on request', () => {
    const { clock, known } = memory();
    known.taken(taken, 7n, 100);
    clock.advance(99);
    expect(known.answerFor(1n, 1, 8n)).toBe(taken);
    clock.advance(1);
    expect(known.answerFor(1n, 1, 8n)).toBeUndefined();
    known.taken(taken, 7n, 100);
    known.forgetTrip(1n);
    expect(known.answerFor(1n, 1, 8n)).toBeUndefined();
  });

  test('of at most the latest ten thousand trips is kept', () => {
    const { known } = memory();
    for (let trip = 1; trip <= 10_001; trip += 1) known.taken({ ...taken, tripId: BigInt(trip) }, 7n, 10_000);
    expect(known.answerFor(1n, 1, 8n)).toBeUndefined();
    expect(known.answerFor(10_001n, 1, 8n)).toMatchObject({ tripId: 10_001n });
  });
});

describe('a refusal', () => {
  test('for good is repeated to its driver for an hour', () => {
    const { clock, known } = memory();
    known.refused(1, 7n, { ...taken });
    known.refused(1, 8n, refusal('REJECTED'));
    known.refused(1, 9n, refusal('EXCLUDED'));
    expect([7n, 8n, 9n].map((driverId) => known.answerFor(1n, 1, driverId)?.kind)).toEqual([
      undefined,
      'NOT_OFFERED',
      'NOT_OFFERED',
    ]);
    expect(known.answerFor(1n, 2, 8n)).toBeUndefined();
    expect(known.takeRefusal(1n, 1, 8n)).toBe(false);
    clock.advance(3_599_999);
    expect(known.answerFor(1n, 1, 8n)).toMatchObject({ reason: 'REJECTED' });
    clock.advance(1);
    expect(known.answerFor(1n, 1, 8n)).toBeUndefined();
  });

  test.each([
    refusal('NOT_LISTED'),
    refusal('NO_SUCH_OFFER'),
    { kind: 'DRIVER_BUSY', tripId: 1n, activeTripId: 5n } as const,
  ])(
    'that might have passed is known once, for a second and the same offer, but not repeated: $kind $reason',
    (answer) => {
      const { clock, known } = memory();
      known.refused(1, 8n, answer);
      expect(known.answerFor(1n, 1, 8n)).toBeUndefined();
      expect(known.takeRefusal(2n, 1, 8n)).toBe(false);
      expect(known.takeRefusal(1n, 2, 8n)).toBe(false);
      expect(known.takeRefusal(1n, 1, 8n)).toBe(true);
      expect(known.takeRefusal(1n, 1, 8n)).toBe(false);
      known.refused(1, 8n, answer);
      clock.advance(999);
      known.refused(1, 9n, answer);
      clock.advance(1);
      expect(known.takeRefusal(1n, 1, 8n)).toBe(false);
      known.forgetDriver(9n);
      expect(known.takeRefusal(1n, 1, 9n)).toBe(false);
    },
  );

  test('of at most the latest fifty drivers of a trip is kept', () => {
    const { known } = memory();
    for (let driver = 1; driver <= 51; driver += 1) known.refused(1, BigInt(driver), refusal('REJECTED'));
    expect(known.answerFor(1n, 1, 1n)).toBeUndefined();
    expect(known.answerFor(1n, 1, 51n)).toMatchObject({ reason: 'REJECTED' });
  });
});
