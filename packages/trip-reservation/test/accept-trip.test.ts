import { AsyncLocalStorage } from 'node:async_hooks';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { race, until, valuesOf, watchedPool } from '@solegate/testkit';
import { type AcceptOutcome, type AcceptRoundFacts, TripNotFoundError } from '../src/index.js';
import { CountingPool, freshId, freshIds, Stores } from './stores.js';

let stores: Stores;

beforeAll(async () => {
  stores = await Stores.open();
});

afterAll(async () => {
  await stores[Symbol.asyncDispose]();
});

function countOf(outcomes: readonly AcceptOutcome[], kind: AcceptOutcome['kind']): number {
  return outcomes.filter((outcome) => outcome.kind === kind).length;
}

describe('a crowd', () => {
  test.each([100, 1000])('of %i drivers has one winner; no loser reaches PostgreSQL', async (count) => {
    const database = new CountingPool(stores.database.directPool);
    const trips = await stores.reservation({ database });
    const { id: tripId } = await stores.openTrip();
    const drivers = freshIds(count);
    const outcomes = valuesOf(
      await race(count, (index) =>
        trips.acceptTrip({ tripId, driverId: drivers[index] ?? 0n, offerEpoch: 1 }),
      ),
    );
    expect(countOf(outcomes, 'ACCEPTED')).toBe(1);
    expect(countOf(outcomes, 'TAKEN')).toBe(count - 1);
    expect(database.names).toEqual(['solegate_decide_trips']);
    const trip = await trips.findTrip(tripId);
    expect(trip?.driverId).toBe(drivers[outcomes.findIndex(({ kind }) => kind === 'ACCEPTED')]);
  });

  test('of a trip whose row is locked delays no other trip', async () => {
    const database = new CountingPool(stores.database.directPool);
    const trips = await stores.reservation({ database });
    const [held, free] = [await stores.openTrip(), await stores.openTrip()];
    const [slow, quick] = freshIds(2) as [bigint, bigint];
    const holder = await stores.database.pool.connect();
    await holder.query("BEGIN; SET LOCAL idle_in_transaction_session_timeout = '3s'");
    await holder.query('SELECT FROM trips WHERE id = $1 FOR UPDATE', [String(held.id)]);
    const waiting = trips.acceptTrip({ tripId: held.id, driverId: slow, offerEpoch: 1 });
    await until(() => database.names.length > 0);
    const outcome = await Promise.race([
      waiting,
      trips.acceptTrip({ tripId: free.id, driverId: quick, offerEpoch: 1 }),
    ]);
    await holder.query('ROLLBACK');
    holder.release();
    expect(outcome).toMatchObject({ kind: 'ACCEPTED', tripId: free.id });
    expect(await waiting).toMatchObject({ kind: 'ACCEPTED', tripId: held.id });
  });

  test('of twenty drivers on each of a thousand trips shares few statements', async () => {
    const database = new CountingPool(stores.database.directPool);
    // On a busy machine, twenty thousand calls take longer than the limit of one.
    const trips = await stores.reservation({ database, requestTimeoutMs: 30_000 });
    const tripIds = freshIds(1000);
    await stores.database.pool.query(
      `INSERT INTO trips (id, rider_id, status, epoch, revision, offer_ttl_ms, offer_rounds_left, offer_expires_at,
                          requested_at)
       SELECT id, id, 'FINDING', 1, 1, 60000, 1, now() + interval '1 minute', now() FROM unnest($1::bigint[]) AS id`,
      [tripIds.map(String)],
    );
    const drivers = freshIds(20_000);
    const accept = (index: number) =>
      trips.acceptTrip({
        tripId: tripIds[Math.floor(index / 20)] ?? 0n,
        driverId: drivers[index] ?? 0n,
        offerEpoch: 1,
      });
    const outcomes = valuesOf(await race(20_000, accept));
    expect(countOf(outcomes, 'ACCEPTED')).toBe(1000);
    // On a busy machine a decision can take longer than the crowd waits; the next answer is decided.
    const undecided = outcomes.flatMap(({ kind }, index) => (kind === 'UNDECIDED' ? [index] : []));
    const later = await Promise.all(undecided.map(accept));
    expect(countOf([...outcomes, ...later], 'TAKEN')).toBe(19_000);
    expect(database.names.length).toBeLessThanOrEqual(200);
  });

  test('gets each driver at most one trip when trips compete for few drivers', async () => {
    const trips = await stores.reservation();
    const tripIds = (await Promise.all(Array.from({ length: 30 }, () => stores.openTrip()))).map(
      ({ id }) => id,
    );
    const drivers = freshIds(10);
    const outcomes = valuesOf(
      await race(300, (index) =>
        trips.acceptTrip({
          tripId: tripIds[index % 30] ?? 0n,
          driverId: drivers[Math.floor(index / 30)] ?? 0n,
          offerEpoch: 1,
        }),
      ),
    );
    const winners = outcomes.flatMap((outcome) => (outcome.kind === 'ACCEPTED' ? [outcome.driverId] : []));
    expect(new Set(winners).size).toBe(winners.length);
    expect(winners.length).toBeGreaterThan(0);
  });
});

describe('a round', () => {
  test('continues with the next driver when the first is on another trip', async () => {
    const trips = await stores.reservation();
    const [busy, free] = freshIds(2);
    const { id: other } = await stores.openTrip();
    await trips.acceptTrip({ tripId: other, driverId: busy ?? 0n, offerEpoch: 1 });
    const { id: tripId } = await stores.openTrip();
    const [first, second] = await Promise.all([
      trips.acceptTrip({ tripId, driverId: busy ?? 0n, offerEpoch: 1 }),
      trips.acceptTrip({ tripId, driverId: free ?? 0n, offerEpoch: 1 }),
    ]);
    expect(first).toEqual({ kind: 'DRIVER_BUSY', tripId, activeTripId: other });
    expect(second).toMatchObject({ kind: 'ACCEPTED', driverId: free });
  });

  test('leaves the crowd undecided when the decision takes long; only the first few drivers wait for it', async () => {
    let decide = () => {};
    const isDecided = new Promise<void>((resolve) => {
      decide = resolve;
    });
    const { pool } = stores.database;
    const trips = await stores.reservation({
      database: watchedPool(pool, async (statement, run) => {
        if (statement.name === 'solegate_decide_trips') await isDecided;
        return run();
      }),
    });
    const { id: tripId } = await stores.openTrip();
    const drivers = freshIds(10);
    const answers = drivers.map((driverId) => trips.acceptTrip({ tripId, driverId, offerEpoch: 1 }));
    const crowd = await Promise.all(answers.slice(4));
    const undecided = {
      kind: 'UNDECIDED',
      tripId,
      epoch: 1,
      retryAfterMs: expect.any(Number),
      afterRevision: 1,
    };
    expect(crowd).toEqual(crowd.map(() => undecided));
    expect(await trips.acceptTrip({ tripId, driverId: freshId(), offerEpoch: 1 })).toEqual(undecided);
    decide();
    const [first, ...next] = await Promise.all(answers.slice(0, 4));
    expect(first).toMatchObject({ kind: 'ACCEPTED', driverId: drivers[0] });
    expect(next).toEqual(next.map(() => ({ kind: 'TAKEN', tripId, epoch: 1 })));
  });

  test('gives one driver who accepts twice concurrently the same answer', async () => {
    const trips = await stores.reservation();
    const { id: tripId } = await stores.openTrip();
    const driverId = freshId();
    const ask = () => trips.acceptTrip({ tripId, driverId, offerEpoch: 1 });
    const [first, second] = await Promise.all([ask(), ask()]);
    expect(first.kind).toBe('ACCEPTED');
    expect(second).toEqual(first);
  });

  test('is not harmed by an observer that fails', async () => {
    const emitWarning = jest.spyOn(process, 'emitWarning').mockImplementation(() => {});
    const fail = () => {
      throw new Error('metrics are broken');
    };
    const trips = await stores.reservation({ observer: { decisionEnded: fail, acceptRoundEnded: fail } });
    const { id: tripId } = await stores.openTrip();
    const answered = await trips.acceptTrip({ tripId, driverId: freshId(), offerEpoch: 1 });
    expect(answered.kind).toBe('ACCEPTED');
    expect(emitWarning).toHaveBeenCalledWith(expect.stringContaining('metrics are broken'));
    emitWarning.mockRestore();
  });

  test('passes to its decision the origin of every driver who waited for it, as recorded when they joined', async () => {
    const caller = new AsyncLocalStorage<string>();
    const served: unknown[][] = [];
    const trips = await stores.reservation({
      observer: {
        acceptJoined: () => caller.getStore(),
        decisionEnded: ({ origins }) => served.push([...origins]),
      },
    });
    const { id: tripId } = await stores.openTrip();
    const accept = (driverId: bigint) => trips.acceptTrip({ tripId, driverId, offerEpoch: 1 });
    const [first = 0n, second = 0n, third = 0n] = freshIds(3);
    await Promise.all([
      caller.run('first', () => accept(first)),
      accept(second),
      caller.run('third', () => accept(third)),
    ]);
    expect(served).toEqual([['first', 'third']]);
  });

  test('reports its answers by kind to the observer', async () => {
    const rounds: AcceptRoundFacts[] = [];
    const trips = await stores.reservation({ observer: { acceptRoundEnded: (facts) => rounds.push(facts) } });
    const { id: tripId } = await stores.openTrip();
    await Promise.all(freshIds(5).map((driverId) => trips.acceptTrip({ tripId, driverId, offerEpoch: 1 })));
    await until(() => rounds.length === 1);
    expect(rounds).toMatchObject([
      { tripId, epoch: 1, callerCount: 5, gate: 'HELD', outcomeCounts: { ACCEPTED: 1, TAKEN: 4 } },
    ]);
  });
});

describe('a driver gets the answer', () => {
  test('ACCEPTED, and the same again from every process at any later time', async () => {
    const trips = await stores.reservation();
    const elsewhere = await stores.reservation();
    const direct = stores.withoutRedis();
    const { id: tripId } = await stores.openTrip();
    const driverId = freshId();
    const offer = { tripId, driverId, offerEpoch: 1 };
    const answered = await trips.acceptTrip(offer);
    expect(answered).toMatchObject({ kind: 'ACCEPTED', tripId, driverId, epoch: 1 });
    expect(await trips.acceptTrip(offer)).toEqual(answered);
    expect(await elsewhere.acceptTrip(offer)).toEqual(answered);
    await trips.startTrip({ tripId, driverId });
    expect(await direct.acceptTrip(offer)).toEqual(answered);
    await trips.completeTrip({ tripId, driverId });
    expect(await direct.acceptTrip(offer)).toEqual(answered);
  });

  test('TAKEN from memory, from the gate and from the database', async () => {
    const trips = await stores.reservation();
    const { id: tripId } = await stores.openTrip();
    await trips.acceptTrip({ tripId, driverId: freshId(), offerEpoch: 1 });
    const taken = { kind: 'TAKEN', tripId, epoch: 1 };
    for (const process of [trips, await stores.reservation(), stores.withoutRedis()]) {
      expect(await process.acceptTrip({ tripId, driverId: freshId(), offerEpoch: 1 })).toEqual(taken);
    }
  });

  test('NOT_OPEN with the status once the trip is over', async () => {
    const trips = await stores.reservation();
    const { id: tripId, riderId } = await stores.openTrip();
    const winner = freshId();
    await trips.acceptTrip({ tripId, driverId: winner, offerEpoch: 1 });
    await trips.cancelTrip({ tripId, riderId });
    for (const driverId of [winner, freshId()]) {
      expect(await trips.acceptTrip({ tripId, driverId, offerEpoch: 1 })).toEqual({
        kind: 'NOT_OPEN',
        tripId,
        status: 'CANCELLED',
      });
    }
  });

  test('NOT_OPEN, EXPIRED, when the offer has expired, even before a sweep', async () => {
    const trips = await stores.reservation();
    const { id: tripId } = await stores.openTrip();
    await stores.letOfferRunOut(tripId);
    expect(await trips.acceptTrip({ tripId, driverId: freshId(), offerEpoch: 1 })).toEqual({
      kind: 'NOT_OPEN',
      tripId,
      status: 'EXPIRED',
    });
  });

  test('STALE_OFFER with the current epoch after a re-dispatch', async () => {
    const trips = await stores.reservation();
    const { id: tripId } = await stores.openTrip();
    const leaver = freshId();
    await trips.acceptTrip({ tripId, driverId: leaver, offerEpoch: 1 });
    await trips.cancelTrip({ tripId, driverId: leaver });
    expect(await trips.acceptTrip({ tripId, driverId: freshId(), offerEpoch: 1 })).toEqual({
      kind: 'STALE_OFFER',
      tripId,
      offerEpoch: 1,
      currentEpoch: 2,
    });
  });

  test('ACCEPTED for one epoch only, when they accept offers of two epochs in one group', async () => {
    const trips = stores.withoutRedis();
    const { id: tripId } = await stores.openTrip();
    const driverId = freshId();
    const answered = await Promise.all([
      trips.acceptTrip({ tripId, driverId, offerEpoch: 2 }),
      trips.acceptTrip({ tripId, driverId, offerEpoch: 1 }),
    ]);
    expect(answered).toMatchObject([{ kind: 'NOT_OFFERED' }, { kind: 'ACCEPTED', epoch: 1 }]);
  });

  test('NOT_OFFERED and the reason, while eligible drivers can still accept', async () => {
    const trips = await stores.reservation();
    const [listed, rejecting, stranger] = freshIds(3) as [bigint, bigint, bigint];
    const { id: tripId } = await stores.openTrip({ offeredTo: [listed, rejecting] });
    await trips.rejectTrip({ tripId, driverId: rejecting, offerEpoch: 1 });
    const accept = (driverId: bigint, offerEpoch = 1) => trips.acceptTrip({ tripId, driverId, offerEpoch });
    expect(await accept(stranger)).toEqual({ kind: 'NOT_OFFERED', tripId, reason: 'NOT_LISTED' });
    expect(await accept(rejecting)).toEqual({ kind: 'NOT_OFFERED', tripId, reason: 'REJECTED' });
    expect(await accept(listed, 2)).toEqual({ kind: 'NOT_OFFERED', tripId, reason: 'NO_SUCH_OFFER' });
    expect(await accept(listed)).toMatchObject({ kind: 'ACCEPTED' });
    await trips.cancelTrip({ tripId, driverId: listed });
    expect(await accept(listed, 2)).toEqual({ kind: 'NOT_OFFERED', tripId, reason: 'EXCLUDED' });
  });

  test('that there is no such trip', async () => {
    const trips = await stores.reservation();
    const tripId = freshId();
    const call = trips.acceptTrip({ tripId, driverId: freshId(), offerEpoch: 1 });
    await expect(call).rejects.toThrow(TripNotFoundError);
    await expect(call).rejects.toMatchObject({ code: 'TRIP_NOT_FOUND', tripId });
  });
});

describe('the gate', () => {
  test('has one key per offer, which shows the decision for ten seconds', async () => {
    const trips = await stores.reservation();
    const { id: tripId } = await stores.openTrip();
    const driverId = freshId();
    await trips.acceptTrip({ tripId, driverId, offerEpoch: 1 });
    const key = stores.gateKey(tripId);
    await until(async () => (await stores.redis.client.get(key)) === `${driverId}:DECIDED`);
    const lifeMs = await stores.redis.client.pttl(key);
    expect(lifeMs).toBeGreaterThan(5_000);
    expect(lifeMs).toBeLessThanOrEqual(10_000);
  });

  test('opens immediately when its holder cannot have the trip', async () => {
    const trips = await stores.reservation();
    const { id: tripId } = await stores.openTrip({ offeredTo: [freshId()] });
    const key = stores.gateKey(tripId);
    const answered = await trips.acceptTrip({ tripId, driverId: freshId(), offerEpoch: 1 });
    expect(answered.kind).toBe('NOT_OFFERED');
    // Well before the hold expires.
    await until(async () => (await stores.redis.client.exists(key)) === 0, { timeoutMs: 500 });
  });

  test('is skipped when its key holds a foreign value', async () => {
    const trips = await stores.reservation();
    const { id: tripId } = await stores.openTrip();
    await stores.redis.client.set(stores.gateKey(tripId), 'not a hold', 'PX', 60_000);
    const answered = await trips.acceptTrip({ tripId, driverId: freshId(), offerEpoch: 1 });
    expect(answered.kind).toBe('ACCEPTED');
  });
});

describe('attempts', () => {
  test('are counted by offer and outcome, with one row for a crowd, if asked for', async () => {
    const trips = await stores.reservation({ countAttempts: true });
    const { id: tripId } = await stores.openTrip();
    await Promise.all(freshIds(50).map((driverId) => trips.acceptTrip({ tripId, driverId, offerEpoch: 1 })));
    await trips.acceptTrip({ tripId, driverId: freshId(), offerEpoch: 1 });
    await trips.close();
    const { rows } = await stores.database.pool.query(
      'SELECT outcome, attempt_count::int AS count FROM trip_attempts WHERE trip_id = $1 ORDER BY outcome',
      [String(tripId)],
    );
    expect(rows).toEqual([
      { outcome: 'ACCEPTED', count: 1 },
      { outcome: 'TAKEN', count: 50 },
    ]);
  });
});
