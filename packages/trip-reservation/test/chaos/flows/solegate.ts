import { connectRedis, createPubSub, type RedisConnection } from '@solegate/redis-infra';
import { watchedPool } from '@solegate/testkit';
import { Pool } from 'pg';
import { createDriverPool } from '../../../src/driver-pool/index.js';
import { createTripReservation, type SqlPool } from '../../../src/index.js';
import type { DriverPositions } from '../../../src/moves/nearest-search.js';
import type { ChaosFlow, ChaosRequest, ChaosStores } from '../protocol.js';

/** Recognizes the statement that gives a trip to a driver. */
const DECIDES = /SET status = 'ACCEPTED'/;

/** Removes guards from the outside. */
export interface Tampering {
  readonly redis: (redis: RedisConnection) => RedisConnection;
  readonly database: (database: SqlPool) => SqlPool;
  readonly drivers: (drivers: DriverPositions) => DriverPositions;
  /** The gate's timeout. */
  readonly timeoutMs: number;
}

export function openSolegateFlow({ databaseUrl, redisUrl }: ChaosStores, tampering?: Tampering): ChaosFlow {
  const pool = new Pool({ connectionString: databaseUrl, max: 4, query_timeout: 5000 });
  pool.on('error', () => {});
  const redis = connectRedis({
    url: redisUrl,
    purpose: 'decision',
    ...(tampering ? { commandTimeoutMs: tampering.timeoutMs } : {}),
  });
  const background = connectRedis({ url: redisUrl, purpose: 'background' });
  const subscriber = connectRedis({ url: redisUrl, purpose: 'subscriber' });
  const drivers = createDriverPool({ redis: background, database: pool });
  let isStalled = false;
  // By text, because statements have no names behind a pooler.
  const stalling = watchedPool(pool, (statement, run) =>
    isStalled && DECIDES.test(statement.text) ? new Promise(() => {}) : run(),
  );
  const trips = createTripReservation({
    database: tampering ? tampering.database(stalling) : stalling,
    redis: tampering ? tampering.redis(redis) : redis,
    pubSub: createPubSub({ subscriber, publisher: background }),
    drivers: tampering ? tampering.drivers(drivers) : drivers,
    ...(tampering ? { gateTimeoutMs: tampering.timeoutMs } : {}),
  });
  trips.startSweeper();

  return {
    handle: async (request: ChaosRequest) => {
      const tripId = BigInt(request.tripId);
      const driverId = BigInt(request.driverId);
      switch (request.verb) {
        case 'accept':
        case 'stall':
          isStalled ||= request.verb === 'stall';
          return (await trips.acceptTrip({ tripId, driverId, offerEpoch: request.epoch })).kind;
        case 'near': {
          const pickup = { latitude: Number(tripId % 89n), longitude: 0 };
          await drivers.updatePosition({ driverId, place: pickup });
          await drivers.updatePosition({ driverId: driverId + 1n, place: { ...pickup, longitude: 0.001 } });
          const nearest = { batchSize: 5, everyMs: 5000, radiiMeters: [1000] };
          const { offeredTo } = await trips.requestTrip({ tripId, riderId: tripId, pickup, nearest });
          return String(offeredTo);
        }
        case 'reject':
          return (await trips.rejectTrip({ tripId, driverId, offerEpoch: request.epoch })).kind;
        case 'leave':
          return (await trips.cancelTrip({ tripId, driverId })).kind;
        case 'complete':
          await trips.startTrip({ tripId, driverId });
          return (await trips.completeTrip({ tripId, driverId })).kind;
        case 'cancel':
          return (await trips.cancelTrip({ tripId, riderId: tripId })).kind;
      }
    },
  };
}
