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
  test('is repeated to its driver: a rejection for an hour, an unlisted driver for a second', () => {
    const { clock, known } = memory();
    known.refused(1, 8n, refusal('REJECTED'));
    known.refused(1, 9n, refusal('NOT_LISTED'));
    known.refused(1, 7n, { ...taken });
    expect([7n, 8n, 9n].map((driverId) => known.answerFor(1n, 1, driverId)?.kind)).toEqual([
      undefined,
      'NOT_OFFERED',
      'NOT_OFFERED',
    ]);
    expect(known.answerFor(1n, 2, 8n)).toBeUndefined();
    clock.advance(1_000);
    expect(known.answerFor(1n, 1, 9n)).toBeUndefined();
    clock.advance(3_598_999);
    expect(known.answerFor(1n, 1, 8n)).toMatchObject({ reason: 'REJECTED' });
    clock.advance(1);
    expect(known.answerFor(1n, 1, 8n)).toBeUndefined();
  });

  test('of a busy driver counts for the same offer only, and ends when they are freed', () => {
    const { known } = memory();
    known.refused(1, 8n, { kind: 'DRIVER_BUSY', tripId: 1n, activeTripId: 5n });
    expect(known.answerFor(1n, 1, 8n)).toMatchObject({ activeTripId: 5n });
    expect(known.answerFor(2n, 1, 8n)).toBeUndefined();
    expect(known.answerFor(1n, 2, 8n)).toBeUndefined();
    known.forgetDriver(8n);
    expect(known.answerFor(1n, 1, 8n)).toBeUndefined();
  });

  test('of at most the latest fifty drivers of a trip is kept', () => {
    const { known } = memory();
    for (let driver = 1; driver <= 51; driver += 1) known.refused(1, BigInt(driver), refusal('REJECTED'));
    expect(known.answerFor(1n, 1, 1n)).toBeUndefined();
    expect(known.answerFor(1n, 1, 51n)).toMatchObject({ reason: 'REJECTED' });
  });
});
