import type { RedisConnection } from '@solegate/redis-infra';
import { watchedPool } from '@solegate/testkit';
import type { SqlPool } from '../../../src/index.js';
import { SteppedPool } from '../../interleavings/stepped-pool.js';
import type { ChaosFlow, ChaosStores } from '../protocol.js';
import { openSolegateFlow } from './solegate.js';

/** Life of a hold and of a decision, as passed to the scripts. */
const LIVES = new Set<unknown>([800, 10_000]);
const FOR_EVER_MS = 600_000;
/** Long enough that a busy machine does not look like a Redis outage, which would act as a guard. */
const PATIENCE_MS = 2_000;

/**
 * Solegate without guards that nothing else replaces: holds and decisions in Redis do not end by themselves, no trip is
 * announced as still open, an accept does not check the expiry of the offer under the lock, and nobody asks who is on a trip
 * before an offer.
 */
export function openUnguardedFlow(stores: ChaosStores): ChaosFlow {
  return openSolegateFlow(stores, {
    redis: withoutExpiry,
    database: (database) => withoutExpiryCheck(without(UNASKED, database)),
    drivers: (drivers) => ({
      reserveNearest: (...search) => drivers.reserveNearest(...search),
      release: (...released) => drivers.release(...released),
      giveBack: (...given) => drivers.giveBack(...given),
      markBusy: () => Promise.resolve(),
    }),
    timeoutMs: PATIENCE_MS,
  });
}

function withoutExpiry(redis: RedisConnection): RedisConnection {
  return new Proxy(redis, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      if (name !== 'eval' && name !== 'evalsha') return value.bind(target);
      return (...args: unknown[]) =>
        Reflect.apply(
          value,
          target,
          args.map((argument) => (LIVES.has(argument) ? FOR_EVER_MS : argument)),
        );
    },
  });
}

/** The reminder, and the question who is on a trip: by their texts, because statements have no names behind a pooler. */
const UNASKED = ['still_open AS', 'FROM driver_active WHERE driver_id = ANY'];

function without(texts: readonly string[], database: SqlPool): SqlPool {
  return watchedPool(database, async (statement, run) =>
    texts.some((text) => statement.text.includes(text)) ? { rows: [], rowCount: 0 } : run(),
  );
}

const EXPIRY_CHECK = 'WHERE offer_expires_at > clock_timestamp()';

function withoutExpiryCheck(database: SqlPool): SqlPool {
  return new SteppedPool(database, (text) => text.replace(EXPIRY_CHECK, ''));
}
