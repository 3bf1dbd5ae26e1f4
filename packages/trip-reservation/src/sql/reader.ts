import { checkList, type ListTripsOptions } from '../trip/commands.js';
import { assertId } from '../trip/input.js';
import type { Trip } from '../trip/trip.js';
import type { StoreCall, TripStatement } from './database.js';
import { idArray, TRIP_COLUMNS, tripOf } from './row.js';

const FIND_TRIPS: TripStatement = {
  name: 'solegate_find_trips',
  text: `SELECT ${TRIP_COLUMNS} FROM trips WHERE id = ANY ($1::bigint[])`,
};

export async function findTrip(call: StoreCall, tripId: bigint): Promise<Trip | undefined> {
  assertId('tripId', tripId);
  const [trip] = await findTrips(call, [tripId]);
  return trip;
}

/** Returns trips in the order of the IDs; undefined where there is none. */
export async function findTrips(call: StoreCall, tripIds: readonly bigint[]): Promise<(Trip | undefined)[]> {
  for (const tripId of tripIds) assertId('tripIds', tripId);
  const rows = await call.read(FIND_TRIPS, [idArray(tripIds)]);
  const tripById = new Map(rows.map(tripOf).map((trip) => [trip.id, trip]));
  return tripIds.map((tripId) => tripById.get(tripId));
}

/** One page of trips. */
export interface TripPage {
  readonly trips: readonly Trip[];
  /** Whether another page follows. */
  readonly hasMore: boolean;
}

/** Returns one page, newest first. Reads one extra trip to find out whether another page follows. */
export async function listTrips(call: StoreCall, options: ListTripsOptions): Promise<TripPage> {
  checkList(options);
  const { first = 20, ...filter } = options;
  const values: unknown[] = [first + 1];
  const conditions: string[] = [];
  const filterBy = (condition: string, value: bigint | string | undefined) => {
    if (value === undefined) return;
    values.push(String(value));
    conditions.push(`${condition} $${values.length}`);
  };
  filterBy('rider_id =', filter.riderId);
  filterBy('driver_id =', filter.driverId);
  filterBy('status =', filter.status);
  filterBy('id <', filter.after);
  const where = conditions.length === 0 ? 'true' : conditions.join(' AND ');
  const rows = await call.read(
    {
      name: `solegate_list_trips where ${where}`,
      text: `SELECT ${TRIP_COLUMNS} FROM trips WHERE ${where} ORDER BY id DESC LIMIT $1`,
    },
    values,
  );
  const trips = rows.map(tripOf);
  return { trips: trips.slice(0, first), hasMore: trips.length > first };
}
