import type { RedisConnection } from '@solegate/redis-infra';
import type { SqlPool } from '../../../src/index.js';
import { watchedPool } from '../../watched-pool.js';
import type { ChaosFlow, ChaosStores } from '../protocol.js';
import { openSolegateFlow } from './solegate.js';

/** Lives of a hold and of a decision, as the scripts are given them. */
const LIVES = new Set<unknown>([800, 10_000]);
const FOR_EVER_MS = 600_000;
/** So patient that a busy machine is not taken for a Redis that is away: that would be a guard too. */
const PATIENCE_MS = 2_000;

/**
 * Solegate with guards taken away against which nothing else stands: holds and decisions in Redis do not end by themselves,
 * and no trip is announced as still open.
 */
export function openUnguardedFlow(stores: ChaosStores): ChaosFlow {
  return openSolegateFlow(stores, {
    redis: withoutExpiry,
    database: withoutReminders,
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

/** Known by its text, since statements have no names behind a pooler. */
function withoutReminders(database: SqlPool): SqlPool {
  return watchedPool(database, async (statement, run) =>
    statement.text.includes('still_open AS') ? { rows: [], rowCount: 0 } : run(),
  );
}
