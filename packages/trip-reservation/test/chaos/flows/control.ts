import { Redis } from 'ioredis';
import { Pool } from 'pg';
import type { ChaosFlow, ChaosRequest, ChaosStores } from '../protocol.js';

/** Shorter than the usual 10 s, so that keys expire during a short run. */
const KEY_LIFE_MS = 1000;

/**
 * The control: SET NX, reject losers, UPDATE by ID, unconditionally.
 */
export function openControlFlow({ databaseUrl, redisUrl }: ChaosStores): ChaosFlow {
  const pool = new Pool({ connectionString: databaseUrl, max: 4, query_timeout: 5000 });
  pool.on('error', () => {});
  const redis = new Redis(redisUrl);
  redis.on('error', () => {});
  const store = (set: string, { tripId, driverId }: ChaosRequest) =>
    pool.query(`UPDATE control_trips SET ${set} WHERE id = $1 AND $2::bigint IS NOT NULL`, [
      tripId,
      driverId,
    ]);

  return {
    handle: async (request: ChaosRequest) => {
      const key = `control_lock:${request.tripId}`;
      switch (request.verb) {
        case 'stall':
        case 'near':
          return 'UNKNOWN';
        case 'accept': {
          if ((await redis.set(key, request.driverId, 'PX', KEY_LIFE_MS, 'NX')) !== 'OK') return 'TAKEN';
          await store(`status = 'ACCEPTED', driver_id = $2`, request);
          return 'ACCEPTED';
        }
        // Rejections are not stored.
        case 'reject':
          return 'REJECTED';
        case 'leave':
          await store(`status = 'FINDING', driver_id = NULL, epoch = epoch + 1`, request);
          await redis.del(key);
          return 'REDISPATCHED';
        case 'complete':
          await store(`status = 'COMPLETED'`, request);
          return 'COMPLETED';
        case 'cancel':
          await store(`status = 'CANCELLED'`, request);
          return 'CANCELLED';
      }
    },
  };
}
