import { connectRedis } from '@solegate/redis-infra';
import { createTripReservation, migrateTrips } from '@solegate/trip-reservation';
import pg from 'pg';

/** One reservation a process, also across the reloads of `next dev`; made with the first request. */
export function openTrips() {
  globalThis.solegateTrips ??= open();
  return globalThis.solegateTrips;
}

async function open() {
  const database = new pg.Pool({ connectionString: process.env.DATABASE_URL });
  await migrateTrips(database);
  const redis = connectRedis({ url: process.env.REDIS_URL, purpose: 'decision' });
  const trips = createTripReservation({ database, redis });
  trips.startSweeper();
  return trips;
}
