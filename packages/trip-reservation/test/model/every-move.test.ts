import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { TRIP_MOVES, type TripEvent, type TripMove, type TripReservation } from '../../src/index.js';
import { freshId, Stores } from '../stores.js';

let stores: Stores;

beforeAll(async () => {
  stores = await Stores.open();
});

afterAll(async () => {
  await stores[Symbol.asyncDispose]();
});

interface Stage {
  readonly trips: TripReservation;
  readonly tripId: bigint;
  readonly drivers: readonly [bigint, bigint];
}

/** Actions that can happen at any time, possibly with an old epoch. */
const ACTIONS: Readonly<Record<string, (stage: Stage, who: 0 | 1, epoch: number) => Promise<unknown>>> = {
  accept: ({ trips, tripId, drivers }, who, offerEpoch) =>
    trips.acceptTrip({ tripId, driverId: drivers[who], offerEpoch }),
  reject: ({ trips, tripId, drivers }, who, offerEpoch) =>
    trips.rejectTrip({ tripId, driverId: drivers[who], offerEpoch }),
  arrive: ({ trips, tripId, drivers }, who) => trips.reportArrival({ tripId, driverId: drivers[who] }),
  noShow: ({ trips, tripId, drivers }, who) => trips.reportNoShow({ tripId, driverId: drivers[who] }),
  start: ({ trips, tripId, drivers }, who) => trips.startTrip({ tripId, driverId: drivers[who] }),
  complete: ({ trips, tripId, drivers }, who) => trips.completeTrip({ tripId, driverId: drivers[who] }),
  leave: ({ trips, tripId, drivers }, who) =>
    trips.cancelTrip({ tripId, driverId: drivers[who], reason: 'OTHER' }),
  cancel: ({ trips, tripId }) => trips.cancelTrip({ tripId, riderId: tripId, reason: 'OTHER' }),
  widen: ({ trips, tripId }, _who, epoch) => trips.broadcastOffer({ tripId, epoch }),
  timeComes: ({ tripId }) =>
    stores.database.pool.query(
      'UPDATE trips SET offer_at = least(offer_at, clock_timestamp()) WHERE id = $1',
      [String(tripId)],
    ),
  sweep: ({ trips }) => trips.expireOffers(),
};

const action = fc.record({
  name: fc.constantFrom(...Object.keys(ACTIONS)),
  who: fc.constantFrom(0 as const, 1 as const),
  epoch: fc.constantFrom(1, 1, 1, 2, 3),
});

/** Every event must be a listed move from the status of the previous event. */
function faultsOf(events: readonly TripEvent[]): string[] {
  return events.flatMap((event, index) => {
    const before = events[index - 1];
    const isMove = Object.values<TripMove>(TRIP_MOVES).some(
      ({ from, to, event: type, raisesEpoch }) =>
        type === event.type &&
        to === event.status &&
        (before ? from.includes(before.status) : from.length === 0) &&
        event.epoch === (before?.epoch ?? 1) + (raisesEpoch ? 1 : 0),
    );
    const isNext = event.revision === index + 1;
    return isMove && isNext
      ? []
      : [`${before?.status} → ${event.type} ${event.status}, revision ${event.revision}`];
  });
}

describe('whatever riders, drivers and time do', () => {
  test('a trip makes only the listed moves, and its driver is busy exactly while they have it', async () => {
    await fc.assert(
      fc.asyncProperty(fc.boolean(), fc.array(action, { maxLength: 14 }), async (isLater, actions) => {
        const trips = stores.withoutRedis({ noShowAfterMs: 0 });
        const tripId = freshId();
        const stage: Stage = { trips, tripId, drivers: [freshId(), freshId()] };
        const offerAt = new Date(Date.now() + 3_600_000);
        await trips.requestTrip({
          tripId,
          riderId: tripId,
          offerTtlMs: 600_000,
          ...(isLater && { offerAt }),
        });
        // Two at a time, so that they can conflict.
        for (let index = 0; index < actions.length; index += 2) {
          await Promise.all(
            actions.slice(index, index + 2).map(async ({ name, who, epoch }) => {
              await ACTIONS[name]?.(stage, who, epoch);
            }),
          );
        }
        const trip = await trips.findTrip(tripId);
        const { rows } = await stores.database.pool.query<{ driver_id: string }>(
          'SELECT driver_id FROM driver_active WHERE trip_id = $1',
          [String(tripId)],
        );
        const isUnderWay = trip?.status === 'ACCEPTED' || trip?.status === 'IN_PROGRESS';
        expect(rows.map(({ driver_id }) => BigInt(driver_id))).toEqual(isUnderWay ? [trip.driverId] : []);
        const events = await trips.tripHistory({ tripId });
        expect(faultsOf(events)).toEqual([]);
        expect(events.at(-1)).toMatchObject({ revision: trip?.revision, status: trip?.status });
        await trips.close();
      }),
      { numRuns: 60 },
    );
  });

  test('a history with any other move is detected', () => {
    const event = { type: 'TRIP_STARTED', status: 'IN_PROGRESS', epoch: 1 } as TripEvent;
    const requested = { type: 'TRIP_REQUESTED', status: 'SCHEDULED', epoch: 1, revision: 1 } as TripEvent;
    expect(faultsOf([requested, { ...event, revision: 2 }])).toHaveLength(1);
    expect(faultsOf([requested, { ...requested, revision: 2 }])).toHaveLength(1);
  });
});
