import { connectRedis, type RedisConnection } from '@solegate/redis-infra';
import { type TestDatabase, until } from '@solegate/testkit';
import { Pool } from 'pg';
import { createTripReservation, type TripReservation } from '../../src/index.js';
import { type Flow, freshId, type Gateway, type GatewayOptions } from './flow.js';
import { SteppedPool } from './stepped-pool.js';

/** The guard to remove. Default: none. */
export interface Weakening {
  readonly rewrite?: (text: string) => string;
  readonly weakenRedis?: (redis: RedisConnection) => void;
  /** For the gate and the Redis connection. */
  readonly timeoutMs?: number;
}

/** The package, or the package without one guard. Gateways share only the stores. */
export class OurFlow implements Flow {
  readonly #database: TestDatabase;
  readonly #redisUrl: string;
  readonly #weakening: Weakening;
  readonly #admin: TripReservation;
  readonly #ends: (() => Promise<unknown>)[] = [];

  constructor(database: TestDatabase, redisUrl: string, weakening: Weakening = {}) {
    this.#database = database;
    this.#redisUrl = redisUrl;
    this.#weakening = weakening;
    this.#admin = createTripReservation({ database: database.pool, offerTtlMs: 60_000 });
  }

  async openTrip(): Promise<bigint> {
    const tripId = freshId();
    await this.#admin.requestTrip({ tripId, riderId: tripId });
    return tripId;
  }

  async gateway({ redisUrl, databaseUrl, withoutRedis }: GatewayOptions = {}): Promise<Gateway> {
    const pool = databaseUrl ? this.#openPool(databaseUrl) : this.#database.pool;
    const stepped = new SteppedPool(pool, this.#weakening.rewrite);
    const redis = withoutRedis ? undefined : await this.#openRedis(redisUrl ?? this.#redisUrl);
    const { timeoutMs } = this.#weakening;
    const trips = createTripReservation({
      database: stepped,
      ...(redis ? { redis } : {}),
      ...(timeoutMs === undefined ? {} : { gateTimeoutMs: timeoutMs }),
    });
    return {
      accept: (tripId, driverId, epoch = 1) =>
        trips.acceptTrip({ tripId, driverId, offerEpoch: epoch }).then(
          ({ kind }) => kind,
          () => 'ERROR',
        ),
      stopBeforeDecision: () => stepped.stopBeforeDecision(),
      failNextDecision: () => stepped.failNextDecision(),
    };
  }

  async holdRunsOut(tripId: bigint): Promise<void> {
    // Not a process under test: a busy machine is no reason to give up.
    const redis = await this.#openRedis(this.#redisUrl, 60_000);
    const namespace = await this.#admin.namespace();
    await redis.del(...[1, 2].map((epoch) => `trip_lock:${namespace}:${tripId}:${epoch}`));
  }

  async cancelByRider(tripId: bigint): Promise<void> {
    await this.#admin.cancelTrip({ tripId, riderId: tripId });
  }

  async redispatch(tripId: bigint, driverId: bigint): Promise<number> {
    const outcome = await this.#admin.cancelTrip({ tripId, driverId });
    return outcome.kind === 'REDISPATCHED' ? outcome.trip.epoch : 0;
  }

  async stored(tripId: bigint) {
    const trip = await this.#admin.findTrip(tripId);
    return { status: trip?.status ?? 'MISSING', driverId: trip?.driverId ?? undefined };
  }

  async activeTripCount(driverId: bigint): Promise<number> {
    const { trips } = await this.#admin.listTrips({ driverId, status: 'ACCEPTED' });
    return trips.length;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const end of this.#ends) await end();
    await this.#admin.close();
  }

  #openPool(connectionString: string): Pool {
    const pool = new Pool({ connectionString, max: 2, query_timeout: 2000 });
    pool.on('error', () => {});
    this.#ends.push(() => pool.end());
    return pool;
  }

  async #openRedis(url: string, commandTimeoutMs = this.#weakening.timeoutMs): Promise<RedisConnection> {
    const { weakenRedis } = this.#weakening;
    const redis = connectRedis({
      url,
      purpose: 'decision',
      ...(commandTimeoutMs === undefined ? {} : { commandTimeoutMs }),
    });
    this.#ends.push(async () => redis.disconnect());
    await until(() => redis.status === 'ready');
    weakenRedis?.(redis);
    return redis;
  }
}
