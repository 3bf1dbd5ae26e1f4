import {
  type RequestTripOptions,
  type Trip,
  TripNotFoundError,
  type TripReservation,
} from '@solegate/trip-reservation';
import type { Cell } from '../cells/cell.js';
import type { Cells } from '../cells/cells.js';

/** The calls that name a trip. */
const OF_A_TRIP = [
  'broadcastOffer',
  'acceptTrip',
  'rejectTrip',
  'reportArrival',
  'reportNoShow',
  'startTrip',
  'completeTrip',
  'cancelTrip',
  'watchTrip',
] as const;

type OfATrip = Pick<TripReservation, (typeof OF_A_TRIP)[number]>;
/** The trip operations that resolvers use. */
export interface Trips extends OfATrip, Pick<TripReservation, 'tripHistory' | 'findTrip' | 'listTrips'> {
  /** @param isNewId whether the ID was minted for this request, so that no cell can have the trip */
  requestTrip(options: RequestTripOptions, isNewId?: boolean): Promise<Trip>;
}
type Call = (options: { readonly tripId: bigint }) => Promise<unknown>;

/**
 * Trips over several cells. A trip is in the cell that made its ID. A trip older than the second cell is in the first,
 * whatever its ID, so that is where missing trips are looked up, also before one is requested under a given ID. A driver can
 * have one active trip in each cell.
 */
export function cellTrips(cells: Cells): Trips {
  const calls = OF_A_TRIP.map((name): [string, Call] => [
    name,
    async (options) => {
      const searched = cells.ofId(options.tripId);
      let notFound: unknown;
      for (const cell of searched) {
        try {
          return await (cell.running.trips[name] as Call)(options);
        } catch (error) {
          if (!(error instanceof TripNotFoundError)) throw error;
          notFound = error;
        }
      }
      await cells.refuseIfFenced(searched);
      throw notFound;
    },
  ]);
  return {
    ...(Object.fromEntries(calls) as unknown as OfATrip),

    async requestTrip(options, isNewId = false) {
      const [made, older] = cells.ofId(options.tripId);
      const has = ({ running }: Cell) => running.trips.findTrip(options.tripId);
      // A trip that is in the cell of its ID needs no other cell.
      const isOlder = older && !isNewId && !(await has(made)) && (await has(older));
      return (isOlder ? older : made).running.trips.requestTrip(options);
    },

    async tripHistory(options) {
      const searched = cells.ofId(options.tripId);
      for (const { running } of searched) {
        const events = await running.trips.tripHistory(options);
        if (events.length > 0 || (await running.trips.findTrip(options.tripId))) return events;
      }
      await cells.refuseIfFenced(searched);
      return [];
    },

    async findTrip(tripId) {
      const [trip] = await cells.findEach([tripId], async ({ trips }) => [await trips.findTrip(tripId)]);
      return trip;
    },

    /** @throws {GatewayError} REGION_NEEDED */
    async listTrips() {
      throw cells.regionNeeded();
    },
  };
}
