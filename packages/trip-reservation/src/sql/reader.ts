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

/** Returns one page. Reads one extra trip to find out whether another page follows. */
export async function listTrips(call: StoreCall, options: ListTripsOptions): Promise<TripPage> {
  checkList(options);
  const { first = 20, lateFirst = false, ...filter } = options;
  const values: unknown[] = [first + 1];
  // Text of the statement, so that the planner knows that the index of open offers has these trips.
  const conditions: string[] = lateFirst ? ["status = 'FINDING'"] : [];
  const after = lateFirst
    ? '(offer_expires_at, id) > (SELECT a.offer_expires_at, a.id FROM trips a WHERE a.id = ?)'
    : 'id < ?';
  const wanted = { riderId: 'rider_id = ?', driverId: 'driver_id = ?', status: 'status = ?', after } as const;
  // PostgreSQL reads 63 characters of a name.
  let name = lateFirst ? 'solegate_list_late_trips' : 'solegate_list_trips';
  for (const [key, condition] of Object.entries(wanted)) {
    const value = filter[key as keyof typeof wanted];
    if (value === undefined) continue;
    name += ` ${key}`;
    values.push(String(value));
    conditions.push(condition.replace('?', `$${values.length}`));
  }
  const where = conditions.length === 0 ? 'true' : conditions.join(' AND ');
  const order = lateFirst ? 'offer_expires_at, id' : 'id DESC';
  const text = `SELECT ${TRIP_COLUMNS} FROM trips WHERE ${where} ORDER BY ${order} LIMIT $1`;
  const rows = await call.read({ name, text }, values);
  const trips = rows.map(tripOf);
  return { trips: trips.slice(0, first), hasMore: trips.length > first };
}
