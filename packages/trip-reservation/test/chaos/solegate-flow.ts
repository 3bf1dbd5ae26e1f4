import { connectRedis } from '@solegate/redis-infra';
import { Pool } from 'pg';
import { createTripReservation } from '../../src/index.js';
import type { ChaosFlow, ChaosRequest, ChaosStores } from './protocol.js';

export function openSolegateFlow({ databaseUrl, redisUrl }: ChaosStores): ChaosFlow {
  const pool = new Pool({ connectionString: databaseUrl, max: 4, query_timeout: 5000 });
  pool.on('error', () => {});
  const redis = connectRedis({ url: redisUrl, purpose: 'decision' });
  const trips = createTripReservation({ database: pool, redis });

  return {
    handle: async (request: ChaosRequest) => {
      const tripId = BigInt(request.tripId);
      const driverId = BigInt(request.driverId);
      switch (request.verb) {
        case 'accept':
          return (await trips.acceptTrip({ tripId, driverId, offerEpoch: request.epoch })).kind;
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
