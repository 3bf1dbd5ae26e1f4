import { createTripReservation, migrations } from '@solegate/trip-reservation';
import type { Pool } from 'pg';
import { CREATE_BASELINE_TRIPS } from './baseline-trips.js';
import { OFFER_TTL_MS, type TripFacts, type TripsRun } from './trips-request.js';
import type { StoredTrip } from './verify-trips.js';

/** Trips and drivers of different runs have nothing in common: a driver of the last run would be busy in this one. */
const IDS_PER_RUN = 1_000_000;

let runCount = 0;

/** Creates the tables of the product and of its alternatives. */
export async function migrateTrips(pool: Pool): Promise<void> {
  for (const { sql } of migrations) await pool.query(sql);
  await pool.query(CREATE_BASELINE_TRIPS);
}

/** Creates the trips of one run and returns their names. */
export async function prepareTrips(
  pool: Pool,
  subject: string,
  shape: Pick<TripsRun, 'tripCount' | 'driversPerTrip' | 'driverPool'>,
): Promise<TripFacts> {
  runCount += 1;
  const facts = {
    ...shape,
    firstTripId: runCount * IDS_PER_RUN,
    firstDriverId: runCount * IDS_PER_RUN,
  };
  const ids = Array.from({ length: facts.tripCount }, (_, index) => facts.firstTripId + index);
  if (subject.startsWith('solegate')) await requestTrips(pool, ids);
  else await pool.query('INSERT INTO baseline_trips (id) SELECT unnest($1::bigint[])', [ids]);
  return facts;
}

async function requestTrips(pool: Pool, ids: readonly number[]): Promise<void> {
  const reservation = createTripReservation({ database: pool });
  await Promise.all(
    ids.map((id) =>
      reservation.requestTrip({ tripId: BigInt(id), riderId: BigInt(id), offerTtlMs: OFFER_TTL_MS }),
    ),
  );
  await reservation.close();
}

/** Reads which driver has which trip of the run that begins with `firstTripId`. */
export async function readTrips(
  pool: Pool,
  table: 'trips' | 'baseline_trips',
  firstTripId: number,
): Promise<StoredTrip[]> {
  const { rows } = await pool.query<{ id: string; driver_id: string | null }>(
    `SELECT id, driver_id FROM ${table} WHERE id >= $1 AND id < $1 + ${IDS_PER_RUN}`,
    [firstTripId],
  );
  return rows.map((row) => ({
    trip: Number(row.id),
    driver: row.driver_id === null ? undefined : Number(row.driver_id),
  }));
}
