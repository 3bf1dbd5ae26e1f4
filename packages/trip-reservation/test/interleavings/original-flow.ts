import { type TestDatabase, until } from '@solegate/testkit';
import { Redis } from 'ioredis';
import { Pool } from 'pg';
import { type Flow, freshId, type Gateway, type GatewayOptions } from './flow.js';
import { SteppedPool } from './stepped-pool.js';

const ORIGINAL_TABLE =
  'CREATE TABLE IF NOT EXISTS original_trips (id bigint PRIMARY KEY, status text, driver_id bigint)';

/**
 * The control: the four steps that most services have. SET NX EX 10, refuse losers, UPDATE by ID, clean up
 * after a failure; ioredis as it comes. It has no epochs: a re-dispatch opens the same trip again.
 */
export class OriginalFlow implements Flow {
  readonly #database: TestDatabase;
  readonly #redisUrl: string;
  readonly #ends: (() => Promise<unknown>)[] = [];

  private constructor(database: TestDatabase, redisUrl: string) {
    this.#database = database;
    this.#redisUrl = redisUrl;
  }

  static async open(database: TestDatabase, redisUrl: string): Promise<OriginalFlow> {
    await database.pool.query(ORIGINAL_TABLE);
    return new OriginalFlow(database, redisUrl);
  }

  async openTrip(): Promise<bigint> {
    const tripId = freshId();
    await this.#run(`INSERT INTO original_trips VALUES ($1, 'FINDING')`, tripId);
    return tripId;
  }

  async gateway({ redisUrl, databaseUrl, withoutRedis }: GatewayOptions = {}): Promise<Gateway> {
    const stepped = new SteppedPool(databaseUrl ? this.#openPool(databaseUrl) : this.#database.pool);
    const redis = withoutRedis ? undefined : await this.#openRedis(redisUrl ?? this.#redisUrl);
    const reserve = async (tripId: bigint, driverId: bigint) => {
      const key = `trip_lock:${tripId}`;
      if (redis && (await redis.set(key, String(driverId), 'EX', 10, 'NX')) !== 'OK') return 'TAKEN';
      try {
        const session = await stepped.connect();
        const ignore = () => {};
        session.on?.('error', ignore);
        try {
          await session.query({
            text: `UPDATE original_trips SET status = 'ACCEPTED', driver_id = $2 WHERE id = $1`,
            values: [String(tripId), String(driverId)],
          });
        } finally {
          session.off?.('error', ignore);
          session.release();
        }
        return 'ACCEPTED';
      } catch {
        await redis?.del(key);
        return 'ERROR';
      }
    };
    return {
      accept: (tripId, driverId) => reserve(tripId, driverId).catch(() => 'ERROR'),
      stopBeforeDecision: () => stepped.stopBeforeDecision(),
      failNextDecision: () => stepped.failNextDecision(),
    };
  }

  async holdRunsOut(tripId: bigint): Promise<void> {
    const redis = await this.#openRedis(this.#redisUrl);
    await redis.del(`trip_lock:${tripId}`);
  }

  async cancelByRider(tripId: bigint): Promise<void> {
    await this.#run(`UPDATE original_trips SET status = 'CANCELLED' WHERE id = $1`, tripId);
  }

  async redispatch(tripId: bigint): Promise<number> {
    await this.#run(`UPDATE original_trips SET status = 'FINDING', driver_id = NULL WHERE id = $1`, tripId);
    await this.holdRunsOut(tripId);
    return 2;
  }

  async stored(tripId: bigint) {
    const [row] = await this.#run('SELECT status, driver_id FROM original_trips WHERE id = $1', tripId);
    return { status: row?.status ?? 'MISSING', driverId: row?.driver_id ? BigInt(row.driver_id) : undefined };
  }

  async activeTripCount(driverId: bigint): Promise<number> {
    const rows = await this.#run(
      `SELECT FROM original_trips WHERE driver_id = $1 AND status = 'ACCEPTED'`,
      driverId,
    );
    return rows.length;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const end of this.#ends) await end();
  }

  async #run(text: string, id: bigint): Promise<{ status: string; driver_id: string | null }[]> {
    return (await this.#database.pool.query(text, [String(id)])).rows;
  }

  #openPool(connectionString: string): Pool {
    const pool = new Pool({ connectionString, max: 2, query_timeout: 2000 });
    pool.on('error', () => {});
    this.#ends.push(() => pool.end());
    return pool;
  }

  async #openRedis(url: string): Promise<Redis> {
    const redis = new Redis(url);
    redis.on('error', () => {});
    this.#ends.push(async () => redis.disconnect());
    await until(() => redis.status === 'ready');
    return redis;
  }
}
