import { Redis } from 'ioredis';
import type pg from 'pg';
import { openPool } from '../running/database-pool.js';
import type { OpenSubject, Subject, SubjectSetup } from '../workers/subject.js';
import { type TripAnswer, type TripsRun, tripRequest, tripsRun } from './trips-request.js';

/** The trips of the algorithms that Solegate is compared with: no epoch, no offer, no record of active drivers. */
export const CREATE_BASELINE_TRIPS = `
  CREATE TABLE baseline_trips (
    id bigint PRIMARY KEY,
    status text NOT NULL DEFAULT 'FINDING',
    driver_id bigint,
    version bigint NOT NULL DEFAULT 0,
    accepted_at timestamptz
  )`;

interface Stores {
  readonly pool: pg.Pool;
  readonly redis: Redis;
  /** Counts a statement sent to PostgreSQL. */
  counted(): void;
}

type Accept = (stores: Stores, trip: number, driver: number) => Promise<TripAnswer['kind']>;

function openWith(accept: Accept): OpenSubject {
  return async (setup: SubjectSetup): Promise<Subject> => {
    const pool = openPool(setup.databaseUrl, setup.poolSize);
    const redis = new Redis(setup.redisUrl);
    let sqlCount = 0;
    const stores: Stores = {
      pool,
      redis,
      counted: () => {
        sqlCount += 1;
      },
    };
    let run: TripsRun | undefined;
    return {
      prepare: async (_round, facts) => {
        run = tripsRun(facts);
        await warm(pool, setup.poolSize);
      },
      request: async ({ sequence }) => {
        if (run === undefined) throw new Error('no run was prepared');
        const { trip, driver } = tripRequest(run, sequence, setup);
        return { kind: await accept(stores, trip, driver), trip, driver };
      },
      counts: () => {
        const counts = { sqlCount };
        sqlCount = 0;
        return counts;
      },
      close: async () => {
        redis.disconnect();
        await pool.end();
      },
    };
  };
}

/** Opens every connection of the pool before a burst; otherwise the first callers would pay for it. */
export async function warm(pool: pg.Pool, size: number): Promise<void> {
  if (pool.totalCount >= size) return;
  const clients = await Promise.all(Array.from({ length: size }, () => pool.connect()));
  for (const client of clients) client.release();
}

const LOCK_SECONDS = 10;

/**
 * The original design of trip reservation, reproduced exactly: SET `trip_lock:{trip}` NX EX 10. If the key exists, the
 * trip is taken. Otherwise the caller updates the row, and deletes the key if that fails; else the key expires.
 */
export const openOriginalTrips = openWith(async ({ pool, redis, counted }, trip, driver) => {
  const key = `trip_lock:${trip}`;
  const isFirst = await redis.set(key, String(driver), 'EX', LOCK_SECONDS, 'NX');
  if (isFirst === null) return 'lost';
  try {
    counted();
    await pool.query({
      name: 'original-accept',
      text: "UPDATE baseline_trips SET status = 'ACCEPTED', driver_id = $2, accepted_at = now() WHERE id = $1",
      values: [trip, driver],
    });
    return 'won';
  } catch (error) {
    await redis.del(key);
    throw error;
  }
});

/** PostgreSQL alone, one conditional statement per driver. */
export const openConditionalTrips = openWith(async ({ pool, counted }, trip, driver) => {
  counted();
  const { rowCount } = await pool.query({
    name: 'conditional-accept',
    text: `UPDATE baseline_trips SET status = 'ACCEPTED', driver_id = $2, accepted_at = now()
           WHERE id = $1 AND status = 'FINDING'`,
    values: [trip, driver],
  });
  return rowCount === 1 ? 'won' : 'lost';
});

/** Optimistic: read the version, then update if it is unchanged. */
export const openVersionTrips = openWith(async ({ pool, counted }, trip, driver) => {
  counted();
  const { rows } = await pool.query<{ status: string; version: string }>({
    name: 'version-read',
    text: 'SELECT status, version FROM baseline_trips WHERE id = $1',
    values: [trip],
  });
  counted();
  const { rowCount } = await pool.query({
    name: 'version-accept',
    text: `UPDATE baseline_trips SET status = 'ACCEPTED', driver_id = $2, version = version + 1, accepted_at = now()
           WHERE id = $1 AND version = $3 AND status = 'FINDING'`,
    values: [trip, driver, rows[0]?.version],
  });
  return rowCount === 1 ? 'won' : 'lost';
});

/** Pessimistic: every driver locks the row to find out. */
export const openRowLockTrips = openWith(async ({ pool, counted }, trip, driver) => {
  const client = await pool.connect();
  try {
    counted();
    await client.query('BEGIN');
    counted();
    const { rows } = await client.query<{ status: string }>({
      name: 'row-lock-read',
      text: 'SELECT status FROM baseline_trips WHERE id = $1 FOR UPDATE',
      values: [trip],
    });
    const isOpen = rows[0]?.status === 'FINDING';
    if (isOpen) {
      counted();
      await client.query({
        name: 'row-lock-accept',
        text: `UPDATE baseline_trips SET status = 'ACCEPTED', driver_id = $2, accepted_at = now() WHERE id = $1`,
        values: [trip, driver],
      });
    }
    counted();
    await client.query('COMMIT');
    return isOpen ? 'won' : 'lost';
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  } finally {
    client.release();
  }
});
