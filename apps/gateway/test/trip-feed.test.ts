import { expect, test } from '@jest/globals';
import type { Trip, WatchTripOptions } from '@solegate/trip-reservation';
import type { Cells } from '../src/cells/cells.js';
import type { Identity } from '../src/identity/identity.js';
import type { Trips } from '../src/trips/cell-trips.js';
import { TripFeed } from '../src/trips/trip-feed.js';

test.each([
  [undefined, 4],
  [2, 2],
])('a watch of a trip read at revision 5, from %p on, begins after revision %p', async (asked, begins) => {
  const trip = {
    revision: 5,
    status: 'ACCEPTED',
    driverId: 9n,
    offeredTo: 'EVERYONE',
    excludedDriverIds: [] as readonly bigint[],
  } as Trip;
  const watches: WatchTripOptions[] = [];
  const trips = {
    findTrip: async () => trip,
    watchTrip: async (options: WatchTripOptions) => {
      watches.push(options);
      return (async function* () {})();
    },
  } as unknown as Trips;
  const feed = new TripFeed(trips, {} as Cells, {} as never);
  const driver: Identity = {
    subjectId: 9n,
    roles: new Set(['driver']),
    projects: 'ALL',
    expiresAtMs: undefined,
  };
  await feed.updates(1n, asked, driver);
  // Whatever has happened since it was read: the driver might have left it, and another one have it.
  expect(watches).toEqual([{ tripId: 1n, afterRevision: begins }]);
});
