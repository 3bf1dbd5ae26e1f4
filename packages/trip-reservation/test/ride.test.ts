import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { channelsOf } from '../src/events/channels.js';
import { type CancelTripOptions, type TripEvent, tripEventChannel, tripOfferChannel } from '../src/index.js';
import { freshId, freshIds, Stores } from './stores.js';

let stores: Stores;

beforeAll(async () => {
  stores = await Stores.open();
});

afterAll(async () => {
  await stores[Symbol.asyncDispose]();
});

async function acceptedTrip(noShowAfterMs = 300_000) {
  const trips = stores.withoutRedis({ noShowAfterMs });
  const { id: tripId, riderId } = await stores.openTrip();
  const driverId = freshId();
  await trips.acceptTrip({ tripId, driverId, offerEpoch: 1 });
  return { trips, tripId, riderId, driverId };
}

const inAnHour = () => new Date(Date.now() + 3_600_000);
/** Makes the scheduled trip due. */
const letTimeCome = (tripId: bigint) =>
  stores.database.pool.query(
    "UPDATE trips SET offer_at = clock_timestamp() - interval '1 second' WHERE id = $1",
    [String(tripId)],
  );

describe('an arrival', () => {
  test('is returned to a repeat with the original time, and only to the driver of the trip', async () => {
    const { trips, tripId, driverId } = await acceptedTrip();
    const arrived = await trips.reportArrival({ tripId, driverId });
    expect(arrived).toMatchObject({
      kind: 'ARRIVED',
      trip: { status: 'ACCEPTED', arrivedAt: expect.any(Date) },
    });
    expect(await trips.reportArrival({ tripId, driverId })).toEqual(arrived);
    expect(await trips.reportArrival({ tripId, driverId: freshId() })).toEqual({ kind: 'NOT_YOURS', tripId });
    expect(await trips.startTrip({ tripId, driverId })).toMatchObject({ kind: 'STARTED' });
    expect(await trips.reportArrival({ tripId, driverId })).toMatchObject({ kind: 'NOT_OPEN' });
    const events = await trips.tripHistory({ tripId });
    expect(events.map(({ type }) => type)).toEqual([
      'TRIP_REQUESTED',
      'TRIP_ACCEPTED',
      'DRIVER_ARRIVED',
      'TRIP_STARTED',
    ]);
  });

  test('is cleared when the driver leaves', async () => {
    const { trips, tripId, driverId } = await acceptedTrip();
    await trips.reportArrival({ tripId, driverId });
    await trips.cancelTrip({ tripId, driverId, reason: 'VEHICLE_PROBLEM' });
    expect(await trips.findTrip(tripId)).toMatchObject({ arrivedAt: null, cancelReason: null, epoch: 2 });
    expect((await trips.tripHistory({ tripId })).at(-1)).toMatchObject({
      type: 'TRIP_REDISPATCHED',
      reason: 'VEHICLE_PROBLEM',
    });
  });
});

describe('a no-show', () => {
  test('ends the trip and frees the driver who waited', async () => {
    const { trips, tripId, driverId } = await acceptedTrip(0);
    await trips.reportArrival({ tripId, driverId });
    const ended = await trips.reportNoShow({ tripId, driverId });
    expect(ended).toMatchObject({
      kind: 'CANCELLED',
      trip: { status: 'CANCELLED', cancelReason: 'RIDER_NO_SHOW', driverId },
    });
    expect(await trips.reportNoShow({ tripId, driverId })).toEqual(ended);
    const next = await stores.openTrip();
    expect(await trips.acceptTrip({ tripId: next.id, driverId, offerEpoch: 1 })).toMatchObject({
      kind: 'ACCEPTED',
    });
    expect((await trips.tripHistory({ tripId })).at(-1)).toMatchObject({
      type: 'TRIP_CANCELLED',
      reason: 'RIDER_NO_SHOW',
    });
  });

  test('needs an arrival and a wait, by the driver who has the trip', async () => {
    const { trips, tripId, driverId, riderId } = await acceptedTrip();
    expect(await trips.reportNoShow({ tripId, driverId })).toEqual({
      kind: 'TOO_EARLY',
      tripId,
      allowedAt: null,
    });
    const arrived = await trips.reportArrival({ tripId, driverId });
    const allowedAt =
      arrived.kind === 'ARRIVED' && new Date((arrived.trip.arrivedAt?.getTime() ?? 0) + 300_000);
    expect(await trips.reportNoShow({ tripId, driverId })).toEqual({ kind: 'TOO_EARLY', tripId, allowedAt });
    expect(await trips.reportNoShow({ tripId, driverId: riderId })).toEqual({ kind: 'NOT_YOURS', tripId });
    await trips.startTrip({ tripId, driverId });
    expect(await trips.reportNoShow({ tripId, driverId })).toMatchObject({
      kind: 'NOT_OPEN',
      status: 'IN_PROGRESS',
    });
  });

  test('and a concurrent start never both succeed', async () => {
    for (let round = 0; round < 20; round += 1) {
      const { trips, tripId, driverId } = await acceptedTrip(0);
      await trips.reportArrival({ tripId, driverId });
      const [started, ended] = await Promise.all([
        trips.startTrip({ tripId, driverId }),
        trips.reportNoShow({ tripId, driverId }),
      ]);
      const isStarted = (await trips.findTrip(tripId))?.status === 'IN_PROGRESS';
      expect([started.kind, ended.kind]).toEqual(
        isStarted ? ['STARTED', 'NOT_OPEN'] : ['NOT_OPEN', 'CANCELLED'],
      );
    }
  });
});

describe('the reason of a cancellation', () => {
  test('is in the trip and its event', async () => {
    const { trips, tripId, riderId } = await acceptedTrip();
    await trips.cancelTrip({ tripId, riderId, reason: 'WAITED_TOO_LONG' });
    expect(await trips.findTrip(tripId)).toMatchObject({
      status: 'CANCELLED',
      cancelReason: 'WAITED_TOO_LONG',
    });
    expect((await trips.tripHistory({ tripId })).at(-1)).toMatchObject({ reason: 'WAITED_TOO_LONG' });
  });

  test('must be one of the rider when a rider cancels', async () => {
    const options = { tripId: 1n, riderId: 1n, reason: 'VEHICLE_PROBLEM' } as unknown as CancelTripOptions;
    await expect(stores.withoutRedis().cancelTrip(options)).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
      field: 'reason',
    });
  });
});

describe('a scheduled trip', () => {
  test('is offered by the sweep when it is due, for its full duration, and not before', async () => {
    const trips = stores.withoutRedis();
    const [tripId, driverId] = [freshId(), freshId()];
    const offerAt = inAnHour();
    const request = { tripId, riderId: tripId, offerAt };
    const trip = await trips.requestTrip(request);
    expect(trip).toMatchObject({ status: 'SCHEDULED', epoch: 1, revision: 1, offerAt });
    expect(await trips.requestTrip(request)).toEqual(trip);
    const accept = () => trips.acceptTrip({ tripId, driverId, offerEpoch: 1 });
    expect(await accept()).toEqual({ kind: 'NOT_OPEN', tripId, status: 'SCHEDULED' });
    expect(await trips.broadcastOffer({ tripId, epoch: 1 })).toMatchObject({ kind: 'NOT_OPEN' });
    expect(await trips.expireOffers()).toMatchObject({ openedCount: 0, expiredCount: 0 });
    await letTimeCome(tripId);
    const reports = await Promise.all(
      [stores.withoutRedis(), stores.withoutRedis()].map((other) => other.expireOffers()),
    );
    expect(reports.reduce((sum, { openedCount }) => sum + openedCount, 0)).toBe(1);
    expect((await trips.findTrip(tripId))?.offerExpiresAt.getTime()).toBeGreaterThan(Date.now() + 5_000);
    expect(await accept()).toMatchObject({ kind: 'ACCEPTED' });
    expect(await trips.tripHistory({ tripId })).toMatchObject([
      { type: 'TRIP_REQUESTED', status: 'SCHEDULED' },
      { type: 'TRIP_OFFERED', status: 'FINDING' },
      { type: 'TRIP_ACCEPTED' },
    ]);
  });

  test('can be cancelled before', async () => {
    const trips = stores.withoutRedis();
    const tripId = freshId();
    await trips.requestTrip({ tripId, riderId: tripId, offerAt: inAnHour() });
    expect(await trips.cancelTrip({ tripId, riderId: tripId })).toMatchObject({ kind: 'CANCELLED' });
    await letTimeCome(tripId);
    expect(await trips.expireOffers()).toMatchObject({ openedCount: 0 });
    const events = await trips.tripHistory({ tripId });
    expect(events).toMatchObject([{ type: 'TRIP_REQUESTED' }, { type: 'TRIP_CANCELLED', offeredTo: [] }]);
    for (const event of events) expect(channelsOf('one', event)).toEqual([tripEventChannel('one', tripId)]);
  });

  test('is offered immediately when its time has passed', async () => {
    const tripId = freshId();
    const trip = await stores.withoutRedis().requestTrip({ tripId, riderId: tripId, offerAt: new Date(0) });
    expect(trip).toMatchObject({ status: 'FINDING' });
    expect(trip.offerExpiresAt.getTime()).toBeGreaterThan(Date.now() + 5_000);
  });

  test('searches for the nearest drivers when it is due, not when it was requested', async () => {
    const pool = stores.driverPool(await stores.connectPatiently());
    const trips = stores.withoutRedis({ drivers: pool });
    const pickup = { latitude: 13.75, longitude: 100.5 };
    const tripId = freshId();
    const [early, late] = [freshId(), freshId()];
    await pool.updatePosition({ driverId: early, place: pickup });
    const nearest = { batchSize: 1, everyMs: 60_000, radiiMeters: [500] };
    const trip = await trips.requestTrip({ tripId, riderId: tripId, pickup, nearest, offerAt: inAnHour() });
    expect(trip.offeredTo).toEqual([]);
    await pool.forgetPosition(early);
    await pool.updatePosition({ driverId: late, place: pickup });
    await letTimeCome(tripId);
    await stores.database.pool.query(
      'UPDATE trip_nearest SET next_at = clock_timestamp() WHERE trip_id = $1',
      [String(tripId)],
    );
    await trips.expireOffers();
    expect(await trips.findTrip(tripId)).toMatchObject({ status: 'FINDING', offeredTo: [late] });
  });

  test('is at most 30 days ahead', async () => {
    const offerAt = new Date(Date.now() + 31 * 86_400_000);
    const call = stores.withoutRedis().requestTrip({ tripId: 1n, riderId: 1n, offerAt });
    await expect(call).rejects.toMatchObject({ code: 'INVALID_REQUEST', field: 'offerAt' });
  });
});

test.each(['everyone', 'a list'])(
  'every event after a driver left says so: offered to %s',
  async (audience) => {
    const trips = stores.withoutRedis();
    const [driverId, next, added] = freshIds(3) as [bigint, bigint, bigint];
    const isList = audience === 'a list';
    const { id: tripId } = await stores.openTrip(isList ? { offeredTo: [driverId, next] } : {});
    await trips.acceptTrip({ tripId, driverId, offerEpoch: 1 });
    await trips.cancelTrip({ tripId, driverId });
    await trips.broadcastOffer({ tripId, epoch: 2, ...(isList && { offeredTo: [driverId, added] }) });
    await trips.acceptTrip({ tripId, driverId: next, offerEpoch: 2 });
    const left = (offeredTo: readonly bigint[]) => ({
      excludedDriverIds: [driverId],
      offeredTo: isList ? new Set(offeredTo) : 'EVERYONE',
    });
    const events = await trips.tripHistory({ tripId, afterRevision: 1 });
    const facts = events.map(({ type, excludedDriverIds, offeredTo }) => {
      return {
        type,
        excludedDriverIds,
        offeredTo: offeredTo === 'EVERYONE' ? offeredTo : new Set(offeredTo),
      };
    });
    expect(facts).toMatchObject([
      { type: 'TRIP_ACCEPTED', excludedDriverIds: [] },
      { type: 'TRIP_REDISPATCHED', ...left([next]) },
      { type: 'TRIP_OFFERED', ...left([next, added]) },
      { type: 'TRIP_ACCEPTED', ...left([next, added]) },
    ]);
  },
);

test('drivers receive nothing about a scheduled trip', () => {
  const event = {
    tripId: 1n,
    type: 'TRIP_REQUESTED',
    status: 'SCHEDULED',
    offeredTo: 'EVERYONE',
  } as TripEvent;
  expect(channelsOf('one', event)).toEqual([tripEventChannel('one', 1n)]);
  expect(channelsOf('one', { ...event, status: 'FINDING' })).toContain(tripOfferChannel('one'));
});
