import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { race, valuesOf } from '@solegate/testkit';
import {
  InvalidRequestError,
  TripConflictError,
  TripNotFoundError,
  TripReservationClosedError,
} from '../src/index.js';
import { freshId, freshIds, Stores } from './stores.js';

let stores: Stores;

beforeAll(async () => {
  stores = await Stores.open();
});

afterAll(async () => {
  await stores[Symbol.asyncDispose]();
});

/** A trip that a driver has. */
async function acceptedTrip() {
  const trips = await stores.reservation();
  const { id: tripId, riderId } = await stores.openTrip();
  const driverId = freshId();
  await trips.acceptTrip({ tripId, driverId, offerEpoch: 1 });
  return { trips, tripId, riderId, driverId };
}

async function eventsOf(tripId: bigint): Promise<string[]> {
  const history = await stores.withoutRedis().tripHistory({ tripId });
  return history.map(({ type }) => type);
}

describe('requestTrip', () => {
  const pickup = { latitude: 13.75, longitude: 100.5, address: 'Sanam Chai Road' };

  test('opens an offer to everyone at epoch 1, and returns the same trip to a repeat', async () => {
    const trips = stores.withoutRedis();
    const request = { tripId: freshId(), riderId: freshId(), pickup };
    const trip = await trips.requestTrip(request);
    expect(trip).toMatchObject({
      id: request.tripId,
      riderId: request.riderId,
      status: 'FINDING',
      epoch: 1,
      revision: 1,
      driverId: null,
      pickup,
      dropoff: null,
      offeredTo: 'EVERYONE',
      acceptedAt: null,
    });
    expect(trip.offerExpiresAt.getTime() - trip.requestedAt.getTime()).toBeCloseTo(15_000, -2);
    expect(await trips.requestTrip(request)).toEqual(trip);
    expect(await eventsOf(trip.id)).toEqual(['TRIP_REQUESTED']);
  });

  test('returns the first trip of an idempotency key, whatever ID the repeat has', async () => {
    const trips = stores.withoutRedis();
    const request = { riderId: freshId(), idempotencyKey: 'tap-1', pickup };
    const [first, second] = freshIds(2) as [bigint, bigint];
    const trip = await trips.requestTrip({ ...request, tripId: first });
    expect(await trips.requestTrip({ ...request, tripId: second })).toEqual(trip);
    expect(await trips.findTrip(second)).toBeUndefined();
  });

  test('creates one trip when a key arrives a hundred times concurrently', async () => {
    const trips = stores.withoutRedis();
    const riderId = freshId();
    const answered = valuesOf(
      await race(100, () => trips.requestTrip({ tripId: freshId(), riderId, idempotencyKey: 'tap' })),
    );
    expect(new Set(answered.map(({ id }) => id)).size).toBe(1);
  });

  test.each([
    ['another rider', { riderId: 1_000_001n }],
    ['another idempotency key', { idempotencyKey: 'other' }],
    ['another pickup', { pickup: { latitude: 1, longitude: 1 } }],
  ])('refuses an ID that belongs to a request with %s', async (_difference, change) => {
    const trips = stores.withoutRedis();
    const request = { tripId: freshId(), riderId: 1_000_000n, idempotencyKey: `key-${freshId()}`, pickup };
    await trips.requestTrip(request);
    const repeat = trips.requestTrip({ ...request, ...change });
    await expect(repeat).rejects.toThrow(TripConflictError);
    await expect(repeat).rejects.toMatchObject({ code: 'TRIP_CONFLICT', tripId: request.tripId });
  });
});

describe('a ride', () => {
  test('starts and completes once, and a repeat returns the same outcome', async () => {
    const { trips, tripId, driverId } = await acceptedTrip();
    const own = { tripId, driverId };
    expect(await trips.completeTrip(own)).toEqual({ kind: 'NOT_OPEN', tripId, status: 'ACCEPTED' });
    const started = await trips.startTrip(own);
    expect(started).toMatchObject({ kind: 'STARTED', trip: { status: 'IN_PROGRESS' } });
    expect(await trips.startTrip(own)).toEqual(started);
    const completed = await trips.completeTrip(own);
    expect(completed).toMatchObject({ kind: 'COMPLETED', trip: { status: 'COMPLETED', driverId } });
    expect(await trips.completeTrip(own)).toEqual(completed);
    expect(await trips.startTrip(own)).toEqual({ kind: 'NOT_OPEN', tripId, status: 'COMPLETED' });
    expect(await eventsOf(tripId)).toEqual([
      'TRIP_REQUESTED',
      'TRIP_ACCEPTED',
      'TRIP_STARTED',
      'TRIP_COMPLETED',
    ]);
  });

  test('frees its driver for the next trip', async () => {
    const { trips, tripId, driverId } = await acceptedTrip();
    await trips.startTrip({ tripId, driverId });
    await trips.completeTrip({ tripId, driverId });
    const { id: next } = await stores.openTrip();
    expect(await trips.acceptTrip({ tripId: next, driverId, offerEpoch: 1 })).toMatchObject({
      kind: 'ACCEPTED',
    });
  });

  test('cannot be changed by another driver or rider', async () => {
    const { trips, tripId } = await acceptedTrip();
    const stranger = freshId();
    const notYours = { kind: 'NOT_YOURS', tripId };
    expect(await trips.startTrip({ tripId, driverId: stranger })).toEqual(notYours);
    expect(await trips.completeTrip({ tripId, driverId: stranger })).toEqual(notYours);
    expect(await trips.cancelTrip({ tripId, driverId: stranger })).toEqual(notYours);
    expect(await trips.cancelTrip({ tripId, riderId: stranger })).toEqual(notYours);
  });
});

describe('cancelTrip by the rider', () => {
  test('ends the trip at any point before it is completed, and frees the driver', async () => {
    const { trips, tripId, riderId, driverId } = await acceptedTrip();
    const cancelled = await trips.cancelTrip({ tripId, riderId });
    expect(cancelled).toMatchObject({ kind: 'CANCELLED', trip: { status: 'CANCELLED', driverId } });
    expect(await trips.cancelTrip({ tripId, riderId })).toEqual(cancelled);
    const { id: next } = await stores.openTrip();
    expect(await trips.acceptTrip({ tripId: next, driverId, offerEpoch: 1 })).toMatchObject({
      kind: 'ACCEPTED',
    });
  });

  test('is refused once the trip is completed', async () => {
    const { trips, tripId, riderId, driverId } = await acceptedTrip();
    await trips.startTrip({ tripId, driverId });
    await trips.completeTrip({ tripId, driverId });
    expect(await trips.cancelTrip({ tripId, riderId })).toEqual({
      kind: 'NOT_OPEN',
      tripId,
      status: 'COMPLETED',
    });
  });

  test('against a crowd of accepts: all answers match what is stored, and no driver stays busy', async () => {
    const trips = await stores.reservation();
    for (let round = 0; round < 20; round += 1) {
      const { id: tripId, riderId } = await stores.openTrip();
      const drivers = freshIds(10);
      const [cancelled, ...answered] = await Promise.all([
        trips.cancelTrip({ tripId, riderId }),
        ...drivers.map((driverId) => trips.acceptTrip({ tripId, driverId, offerEpoch: 1 })),
      ]);
      expect(cancelled?.kind).toBe('CANCELLED');
      expect(answered.filter(({ kind }) => kind === 'ACCEPTED').length).toBeLessThanOrEqual(1);
      expect((await trips.findTrip(tripId))?.status).toBe('CANCELLED');
      const { rows } = await stores.database.pool.query('SELECT FROM driver_active WHERE trip_id = $1', [
        String(tripId),
      ]);
      expect(rows).toEqual([]);
    }
  });
});

describe('a dispatcher', () => {
  test('cancels any trip, and the trip and its event say so', async () => {
    const { trips, tripId } = await acceptedTrip();
    const cancelled = await trips.cancelTrip({ tripId, byDispatcher: true });
    expect(cancelled).toMatchObject({
      kind: 'CANCELLED',
      trip: { status: 'CANCELLED', cancelReason: 'BY_DISPATCHER' },
    });
    expect(await trips.cancelTrip({ tripId, byDispatcher: true })).toEqual(cancelled);
    expect((await trips.tripHistory({ tripId })).at(-1)).toMatchObject({ reason: 'BY_DISPATCHER' });
    const both = { tripId, byDispatcher: true, riderId: freshId() } as const;
    await expect(trips.cancelTrip(both)).rejects.toThrow(InvalidRequestError);
  });

  test('lists the open trips whose offers end first, and continues after one of them', async () => {
    const trips = stores.withoutRedis();
    const riderId = freshId();
    const [late, last, first] = freshIds(3) as [bigint, bigint, bigint];
    await trips.requestTrip({ tripId: late, riderId, offerTtlMs: 600_000 });
    await trips.requestTrip({ tripId: last, riderId, offerTtlMs: 900_000 });
    await trips.requestTrip({ tripId: first, riderId, offerTtlMs: 300_000 });
    const idsOf = async (options: object) => {
      const page = await trips.listTrips({ riderId, lateFirst: true, ...options });
      return [page.trips.map(({ id }) => id), page.hasMore];
    };
    expect(await idsOf({})).toEqual([[first, late, last], false]);
    expect(await idsOf({ first: 1, after: first })).toEqual([[late], true]);
    await trips.cancelTrip({ tripId: late, riderId });
    expect(await idsOf({})).toEqual([[first, last], false]);
  });
});

describe('cancelTrip by the driver', () => {
  test('re-dispatches the trip in the next epoch, without them', async () => {
    const { trips, tripId, driverId } = await acceptedTrip();
    const left = await trips.cancelTrip({ tripId, driverId });
    expect(left).toMatchObject({
      kind: 'REDISPATCHED',
      trip: { status: 'FINDING', epoch: 2, driverId: null, acceptedAt: null, excludedDriverIds: [driverId] },
    });
    expect(await trips.cancelTrip({ tripId, driverId })).toEqual(left);
    const next = freshId();
    expect(await trips.acceptTrip({ tripId, driverId: next, offerEpoch: 2 })).toMatchObject({
      kind: 'ACCEPTED',
      epoch: 2,
    });
    expect(await trips.cancelTrip({ tripId, driverId })).toMatchObject({ kind: 'REDISPATCHED' });
    const history = await trips.tripHistory({ tripId, afterRevision: 2 });
    expect(history).toMatchObject([
      { id: `${tripId}-3`, type: 'TRIP_REDISPATCHED', driverId, epoch: 2, status: 'FINDING' },
      { id: `${tripId}-4`, type: 'TRIP_ACCEPTED', driverId: next, epoch: 2, status: 'ACCEPTED' },
    ]);
  });

  test('clears earlier rejections of the offer', async () => {
    const trips = await stores.reservation();
    const { id: tripId } = await stores.openTrip();
    const [leaver, rejecting] = freshIds(2) as [bigint, bigint];
    await trips.rejectTrip({ tripId, driverId: rejecting, offerEpoch: 1 });
    await trips.acceptTrip({ tripId, driverId: leaver, offerEpoch: 1 });
    await trips.cancelTrip({ tripId, driverId: leaver });
    expect(await trips.acceptTrip({ tripId, driverId: rejecting, offerEpoch: 2 })).toMatchObject({
      kind: 'ACCEPTED',
    });
  });
});

describe('rejectTrip', () => {
  test('returns the same to a repeat, and the reason to drivers who cannot reject', async () => {
    const trips = await stores.reservation();
    const { id: tripId, riderId } = await stores.openTrip();
    const [rejecting, winner] = freshIds(2) as [bigint, bigint];
    const rejected = { kind: 'REJECTED', tripId, offerEpoch: 1 };
    expect(await trips.rejectTrip({ tripId, driverId: rejecting, offerEpoch: 1 })).toEqual(rejected);
    expect(await trips.rejectTrip({ tripId, driverId: rejecting, offerEpoch: 1 })).toEqual(rejected);
    await trips.acceptTrip({ tripId, driverId: winner, offerEpoch: 1 });
    expect(await trips.rejectTrip({ tripId, driverId: winner, offerEpoch: 1 })).toMatchObject({
      kind: 'ACCEPTED',
    });
    expect(await trips.rejectTrip({ tripId, driverId: freshId(), offerEpoch: 1 })).toMatchObject({
      kind: 'TAKEN',
    });
    await trips.cancelTrip({ tripId, riderId });
    expect(await trips.rejectTrip({ tripId, driverId: freshId(), offerEpoch: 1 })).toMatchObject({
      kind: 'NOT_OPEN',
    });
    await expect(trips.rejectTrip({ tripId: freshId(), driverId: winner, offerEpoch: 1 })).rejects.toThrow(
      TripNotFoundError,
    );
  });

  test('and a concurrent accept by the same driver never both succeed', async () => {
    const trips = stores.withoutRedis();
    for (let round = 0; round < 20; round += 1) {
      const { id: tripId } = await stores.openTrip();
      const answer = { tripId, driverId: freshId(), offerEpoch: 1 };
      const [accepted, rejected] = await Promise.all([trips.acceptTrip(answer), trips.rejectTrip(answer)]);
      const isAccepted = (await trips.findTrip(tripId))?.status === 'ACCEPTED';
      expect(accepted.kind).toBe(isAccepted ? 'ACCEPTED' : 'NOT_OFFERED');
      expect(rejected.kind).toBe(isAccepted ? 'ACCEPTED' : 'REJECTED');
    }
  });
});

describe('broadcastOffer', () => {
  test('adds drivers and time within the epoch', async () => {
    const trips = await stores.reservation();
    const [first, second, third] = freshIds(3) as [bigint, bigint, bigint];
    const { id: tripId, offerExpiresAt } = await stores.openTrip({ offeredTo: [first] });
    const wider = await trips.broadcastOffer({ tripId, epoch: 1, offeredTo: [second], offerTtlMs: 600_000 });
    expect(wider).toMatchObject({ kind: 'OFFERED', trip: { epoch: 1, status: 'FINDING' } });
    const trip = await trips.findTrip(tripId);
    expect(trip?.offeredTo).toHaveLength(2);
    expect(trip?.offeredTo).toEqual(expect.arrayContaining([first, second]));
    expect(trip?.offerExpiresAt.getTime()).toBeGreaterThan(offerExpiresAt.getTime() + 500_000);
    expect(await trips.broadcastOffer({ tripId, epoch: 1 })).toMatchObject({
      trip: { offeredTo: 'EVERYONE' },
    });
    expect(await trips.acceptTrip({ tripId, driverId: third, offerEpoch: 1 })).toMatchObject({
      kind: 'ACCEPTED',
    });
    expect(await trips.broadcastOffer({ tripId, epoch: 1 })).toMatchObject({ kind: 'TAKEN' });
    await trips.cancelTrip({ tripId, driverId: third });
    expect(await trips.broadcastOffer({ tripId, epoch: 1 })).toMatchObject({
      kind: 'STALE_OFFER',
      currentEpoch: 2,
    });
    expect(await trips.broadcastOffer({ tripId, epoch: 3 })).toMatchObject({ kind: 'NOT_OFFERED' });
  });

  test('does not revive an expired offer', async () => {
    const trips = stores.withoutRedis();
    const { id: tripId } = await stores.openTrip();
    await stores.letOfferRunOut(tripId);
    expect(await trips.broadcastOffer({ tripId, epoch: 1 })).toEqual({
      kind: 'NOT_OPEN',
      tripId,
      status: 'EXPIRED',
    });
  });
});

describe('pages', () => {
  test('go from the newest to the oldest without a gap or a repeat', async () => {
    const trips = stores.withoutRedis();
    const riderId = freshId();
    const tripIds = freshIds(7);
    for (const tripId of tripIds) await trips.requestTrip({ tripId, riderId });
    const seen: bigint[] = [];
    let page = await trips.listTrips({ riderId, first: 3 });
    for (;;) {
      seen.push(...page.trips.map(({ id }) => id));
      const after = seen.at(-1);
      if (!page.hasMore || after === undefined) break;
      page = await trips.listTrips({ riderId, first: 3, after });
    }
    expect(seen).toEqual([...tripIds].reverse());
    expect((await trips.listTrips({ riderId, status: 'ACCEPTED' })).trips).toEqual([]);
  });

  test('many trips are found with one call, in the order requested', async () => {
    const trips = stores.withoutRedis();
    const [first, second] = [await stores.openTrip(), await stores.openTrip()];
    const missing = freshId();
    expect((await trips.findTrips([second.id, missing, first.id])).map((trip) => trip?.id)).toEqual([
      second.id,
      undefined,
      first.id,
    ]);
  });
});

describe('invalid input is rejected before anything is sent', () => {
  const good = { tripId: 1n, driverId: 1n, offerEpoch: 1 };
  const trips = () => stores.withoutRedis();

  test.each([
    ['tripId', () => trips().acceptTrip({ ...good, tripId: 0n })],
    ['tripId', () => trips().acceptTrip({ ...good, tripId: 2n ** 63n })],
    ['driverId', () => trips().acceptTrip({ ...good, driverId: -1n })],
    ['driverId', () => trips().acceptTrip({ ...good, driverId: 7 as unknown as bigint })],
    ['offerEpoch', () => trips().acceptTrip({ ...good, offerEpoch: 1.5 })],
    ['offerEpoch', () => trips().rejectTrip({ ...good, offerEpoch: 0 })],
    [
      'pickup.latitude',
      () => trips().requestTrip({ tripId: 1n, riderId: 1n, pickup: { latitude: 91, longitude: 0 } }),
    ],
    [
      'dropoff.longitude',
      () => trips().requestTrip({ tripId: 1n, riderId: 1n, dropoff: { latitude: 0, longitude: Number.NaN } }),
    ],
    ['offeredTo', () => trips().requestTrip({ tripId: 1n, riderId: 1n, offeredTo: [] })],
    ['offeredTo[1]', () => trips().requestTrip({ tripId: 1n, riderId: 1n, offeredTo: [1n, 0n] })],
    ['offerTtlMs', () => trips().requestTrip({ tripId: 1n, riderId: 1n, offerTtlMs: 3_600_001 })],
    ['idempotencyKey', () => trips().requestTrip({ tripId: 1n, riderId: 1n, idempotencyKey: '' })],
    ['epoch', () => trips().broadcastOffer({ tripId: 1n, epoch: 0 })],
    ['first', () => trips().listTrips({ first: 101 })],
    ['status', () => trips().listTrips({ status: 'LOST' as 'FINDING' })],
    ['afterRevision', () => trips().tripHistory({ tripId: 1n, afterRevision: -1 })],
    ['batchMax', () => trips().expireOffers({ batchMax: 0 })],
    ['riderId', () => trips().cancelTrip({ tripId: 1n } as { tripId: bigint; riderId: bigint })],
  ])('%s', async (field, call) => {
    const refusal = call();
    await expect(refusal).rejects.toThrow(InvalidRequestError);
    await expect(refusal).rejects.toMatchObject({ code: 'INVALID_REQUEST', field });
  });

  test('as are invalid options of the reservation', () => {
    expect(() => stores.withoutRedis({ offerTtlMs: 0 })).toThrow(InvalidRequestError);
    expect(() => stores.withoutRedis({ database: {} as never })).toThrow(/pass a Pool of pg/);
    expect(() => stores.withoutRedis().startOutboxRelay()).toThrow(/redis must be given/);
    expect(() => stores.withoutRedis().startSweeper({ intervalMs: 1 })).toThrow(InvalidRequestError);
  });
});

test('a closed reservation accepts no more calls', async () => {
  const trips = stores.withoutRedis();
  await trips.close();
  await trips.close();
  await expect(trips.acceptTrip({ tripId: 1n, driverId: 1n, offerEpoch: 1 })).rejects.toThrow(
    TripReservationClosedError,
  );
  await expect(trips.findTrip(1n)).rejects.toMatchObject({ code: 'TRIP_RESERVATION_CLOSED' });
});
