import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { race, until, valuesOf, watchedPool } from '@solegate/testkit';
import type { AcceptOutcome, TripReservation } from '../src/index.js';
import { CountingPool, freshId, freshIds, Stores } from './stores.js';

const TRIALS = 50;

let stores: Stores;
let processes: TripReservation[];

beforeAll(async () => {
  stores = await Stores.open();
  processes = await Promise.all([0, 1, 2].map(() => stores.reservation()));
});

afterAll(async () => {
  await stores[Symbol.asyncDispose]();
});

const processAt = (index: number) => processes[index % processes.length] as TripReservation;

/** A trip that the driver won on the first process. */
async function wonTrip(): Promise<{ tripId: bigint; winner: bigint }> {
  const [{ id: tripId }, winner] = [await stores.openTrip(), freshId()];
  await processAt(0).acceptTrip({ tripId, driverId: winner, offerEpoch: 1 });
  return { tripId, winner };
}

/** The winner repeats on one process while twenty late drivers call another; neither saw the win. */
async function repeatInACrowd({ tripId, winner }: { tripId: bigint; winner: bigint }) {
  const drivers = [...freshIds(10), winner, ...freshIds(10)];
  const answers = valuesOf(
    await race(drivers.length, (index) => {
      const driverId = drivers[index] ?? 0n;
      return processAt(driverId === winner ? 1 : 2).acceptTrip({ tripId, driverId, offerEpoch: 1 });
    }),
  );
  const own = answers[drivers.indexOf(winner)] as AcceptOutcome;
  return { own, others: answers.filter((answer) => answer !== own) };
}

const kindsOf = (outcomes: readonly AcceptOutcome[]) => [...new Set(outcomes.map(({ kind }) => kind))];

describe('a winner who retries among late drivers never gets TAKEN', () => {
  const moments: Readonly<Record<string, (tripId: bigint) => Promise<unknown>>> = {
    'right after the win': async () => undefined,
    'after the end of the offer, when Redis has forgotten it': async (tripId) => {
      await stores.letOfferRunOut(tripId);
      await stores.redis.client.del(stores.gateKey(tripId));
    },
    'after Redis was emptied': () => stores.redis.client.flushdb(),
  };

  test.each(Object.entries(moments))('%s', async (_name, passes) => {
    for (let trial = 0; trial < TRIALS; trial += 1) {
      const won = await wonTrip();
      await passes(won.tripId);
      const { own, others } = await repeatInACrowd(won);
      expect(['ACCEPTED', 'UNDECIDED']).toContain(own.kind);
      for (const kind of kindsOf(others)) expect(['TAKEN', 'UNDECIDED']).toContain(kind);
    }
  });

  test('while the commit of the first call takes longer than the hold lasts', async () => {
    let commit = () => {};
    const isCommitted = new Promise<void>((resolve) => {
      commit = resolve;
    });
    const slow = await stores.reservation({
      database: watchedPool(stores.database.directPool, async (statement, run) => {
        if (statement.name === 'solegate_decide_trips') await isCommitted;
        return run();
      }),
    });
    const [{ id: tripId }, winner] = [await stores.openTrip(), freshId()];
    const first = slow.acceptTrip({ tripId, driverId: winner, offerEpoch: 1 });
    await until(async () => (await stores.redis.client.exists(stores.gateKey(tripId))) === 1);
    await until(async () => (await stores.redis.client.exists(stores.gateKey(tripId))) === 0);
    const { own } = await repeatInACrowd({ tripId, winner });
    commit();
    const stored = await stores.withoutRedis().findTrip(tripId);
    // The row must agree with every answer, whoever won.
    for (const { kind } of [own, await first]) {
      if (kind === 'ACCEPTED') expect(stored?.driverId).toBe(winner);
      if (kind === 'TAKEN') expect(stored?.driverId).not.toBe(winner);
    }
  });
});

describe('a driver behind a hold', () => {
  test('waits briefly for its result and then gets UNDECIDED, never TAKEN', async () => {
    const { id: tripId } = await stores.openTrip();
    await stores.redis.client.set(stores.gateKey(tripId), `${freshId()}:elsewhere`, 'PX', 60_000);
    // A new process, to which no earlier test has been slow: a circuit that is open leaves the decision to PostgreSQL.
    const answer = await (await stores.reservation()).acceptTrip({
      tripId,
      driverId: freshId(),
      offerEpoch: 1,
    });
    expect(answer).toEqual({
      kind: 'UNDECIDED',
      tripId,
      epoch: 1,
      retryAfterMs: expect.any(Number),
      afterRevision: 1,
    });
  });

  test('gets the trip when the hold ends without a winner in the meantime', async () => {
    const { id: tripId } = await stores.openTrip();
    // Ends while a caller still waits.
    await stores.redis.client.set(stores.gateKey(tripId), `${freshId()}:elsewhere`, 'PX', 15);
    const answer = await processAt(0).acceptTrip({ tripId, driverId: freshId(), offerEpoch: 1 });
    expect(answer.kind).toBe('ACCEPTED');
  });

  test('of five busy drivers gets a turn: the sixth of the burst gets the trip', async () => {
    const busy = freshIds(5);
    for (const driverId of busy) {
      await processAt(0).acceptTrip({ tripId: (await stores.openTrip()).id, driverId, offerEpoch: 1 });
    }
    const [{ id: tripId }, free] = [await stores.openTrip(), freshId()];
    const answers = await Promise.all(
      [...busy, free].map((driverId) => processAt(1).acceptTrip({ tripId, driverId, offerEpoch: 1 })),
    );
    expect(answers.map(({ kind }) => kind)).toEqual([...busy.map(() => 'DRIVER_BUSY'), 'ACCEPTED']);
  });
});

describe('a driver who cannot win', () => {
  interface Loser {
    readonly tripId: bigint;
    readonly driverId: bigint;
    readonly winner: bigint;
  }

  const losers: Readonly<Record<string, () => Promise<Loser>>> = {
    'was not offered it': async () => {
      const winner = freshId();
      return { tripId: (await stores.openTrip({ offeredTo: [winner] })).id, driverId: freshId(), winner };
    },
    'is on another trip': async () => {
      const [{ id: tripId }, driverId] = [await stores.openTrip(), freshId()];
      await processAt(0).acceptTrip({ tripId: (await stores.openTrip()).id, driverId, offerEpoch: 1 });
      return { tripId, driverId, winner: freshId() };
    },
    'rejected it': async () => {
      const [{ id: tripId }, driverId] = [await stores.openTrip(), freshId()];
      await processAt(0).rejectTrip({ tripId, driverId, offerEpoch: 1 });
      return { tripId, driverId, winner: freshId() };
    },
  };

  test.each(Object.entries(losers))(
    'because they %s costs one decision, and at most a read for each attempt',
    async (why, make) => {
      const { tripId, driverId } = await make();
      const database = new CountingPool(stores.database.directPool);
      const trips = await stores.reservation({ database });
      for (let count = 0; count < 20; count += 1) {
        const answer = await trips.acceptTrip({ tripId, driverId, offerEpoch: 1 });
        expect(['DRIVER_BUSY', 'NOT_OFFERED']).toContain(answer.kind);
      }
      const reads = database.names.filter((name) => name === 'solegate_read_standing');
      // A driver who was busy or not listed might have the trip by now; one who rejected it cannot.
      expect(reads).toHaveLength(why === 'rejected it' ? 1 : 20);
      expect(database.names).toEqual(['solegate_decide_trips', ...reads]);
    },
  );

  test.each(Object.entries(losers))('because they %s keeps out no eligible driver', async (_why, make) => {
    for (let trial = 0; trial < TRIALS; trial += 1) {
      const { tripId, driverId, winner } = await make();
      let isOver = false;
      const pest = (async () => {
        while (!isOver) {
          await processAt(1).acceptTrip({ tripId, driverId, offerEpoch: 1 });
          await new Promise((resolve) => setImmediate(resolve));
        }
      })();
      const ask = () => processAt(2).acceptTrip({ tripId, driverId: winner, offerEpoch: 1 });
      let answer = await ask();
      // The first of the repeated calls does hold the gate, on a busy machine for longer than several callers wait.
      await until(async () => {
        if (answer.kind === 'UNDECIDED') answer = await ask();
        return answer.kind !== 'UNDECIDED';
      });
      isOver = true;
      await pest;
      expect(answer.kind).toBe('ACCEPTED');
    }
  });

  test('can win once the offer is widened or their other trip has ended, in the process that did it', async () => {
    const [trips, driverId] = [processAt(0), freshId()];
    const { id: listed } = await stores.openTrip({ offeredTo: [freshId()] });
    expect((await trips.acceptTrip({ tripId: listed, driverId, offerEpoch: 1 })).kind).toBe('NOT_OFFERED');
    await trips.broadcastOffer({ tripId: listed, epoch: 1, offeredTo: [driverId] });
    expect((await trips.acceptTrip({ tripId: listed, driverId, offerEpoch: 1 })).kind).toBe('ACCEPTED');
    const { id: next } = await stores.openTrip();
    expect((await trips.acceptTrip({ tripId: next, driverId, offerEpoch: 1 })).kind).toBe('DRIVER_BUSY');
    await trips.startTrip({ tripId: listed, driverId });
    await trips.completeTrip({ tripId: listed, driverId });
    expect((await trips.acceptTrip({ tripId: next, driverId, offerEpoch: 1 })).kind).toBe('ACCEPTED');
  });
});

describe('a decision that PostgreSQL has lost', () => {
  test('is repeated by Redis for at most ten seconds, then the next driver gets the trip', async () => {
    const { tripId, winner } = await wonTrip();
    const key = stores.gateKey(tripId);
    await until(async () => (await stores.redis.client.get(key)) === `${winner}:DECIDED`);
    const lifeMs = await stores.redis.client.pttl(key);
    expect(lifeMs).toBeGreaterThan(0);
    expect(lifeMs).toBeLessThanOrEqual(10_000);
    // As after a failover to a standby without the commit.
    await stores.database.pool.query(
      `WITH freed AS (DELETE FROM driver_active WHERE trip_id = $1)
       UPDATE trips SET status = 'FINDING', driver_id = NULL, accepted_at = NULL, revision = 1 WHERE id = $1`,
      [String(tripId)],
    );
    await stores.database.pool.query('DELETE FROM trip_outbox WHERE trip_id = $1 AND revision = 2', [
      String(tripId),
    ]);
    await stores.redis.client.pexpire(key, 1);
    await until(async () => (await stores.redis.client.exists(key)) === 0);
    const fresh = await stores.reservation();
    expect((await fresh.acceptTrip({ tripId, driverId: freshId(), offerEpoch: 1 })).kind).toBe('ACCEPTED');
  });

  test('is verified by one caller of each offer, and Redis answers the others again', async () => {
    const { tripId, winner } = await wonTrip();
    const key = stores.gateKey(tripId);
    await stores.redis.client.del(key);
    const late = await stores.reservation();
    expect((await late.acceptTrip({ tripId, driverId: freshId(), offerEpoch: 1 })).kind).toBe('TAKEN');
    await until(async () => (await stores.redis.client.get(key)) === `${winner}:DECIDED`);
    const database = new CountingPool(stores.database.directPool);
    const later = await stores.reservation({ database });
    expect((await later.acceptTrip({ tripId, driverId: freshId(), offerEpoch: 1 })).kind).toBe('TAKEN');
    expect(database.names).toEqual([]);
  });
});
