import { connectRedis } from '@solegate/redis-infra';
import { createTripReservation, migrateTrips } from '@solegate/trip-reservation';
import { Pool } from 'pg';

const database = new Pool({ connectionString: "postgres://solegate@127.0.0.1:46857/solegate_test_56e8d09623ad89ed" });
await migrateTrips(database);
const redis = connectRedis({ url: "redis://127.0.0.1:41931/654", purpose: 'decision' });
const trips = createTripReservation({ database, redis });
trips.startSweeper();

const trip = await trips.requestTrip({ tripId: 1n, riderId: 7n });
const accept = (driverId: bigint) => trips.acceptTrip({ tripId: 1n, driverId, offerEpoch: trip.epoch });
const outcomes = await Promise.all([accept(501n), accept(502n), accept(503n)]);
process.stdout.write(JSON.stringify(outcomes.map(({ kind }) => kind)) + '\n');
await trips.close();
redis.disconnect();
await database.end();
