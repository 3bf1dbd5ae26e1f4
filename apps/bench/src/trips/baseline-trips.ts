import { Redis } from 'ioredis';
import type pg from 'pg';
import { inTransaction, openPool } from '../running/database-pool.js';
import type { OpenSubject, SubjectTable } from '../workers/subject.js';
import { type TripAnswer, tripsSubject } from './trips-request.js';

/** The trips of the algorithms that Solegate is compared with: no epoch, no offer, no record of active drivers. */
export const CREATE_BASELINE_TRIPS = `
  CREATE TABLE baseline_trips (
    id bigint PRIMARY KEY,
    status text NOT NULL DEFAULT 'FINDING',
    driver_id bigint,
    version bigint NOT NULL DEFAULT 0,
    accepted_at timestamptz
  );
  -- For the promises of trip-reservation made by hand: one trip per driver, and an event for each change.
  CREATE TABLE baseline_active_drivers (driver_id bigint PRIMARY KEY, trip_id bigint NOT NULL UNIQUE);
  CREATE TABLE baseline_trip_events (
    trip_id bigint NOT NULL,
    driver_id bigint NOT NULL,
    type text NOT NULL,
    occurred_at timestamptz NOT NULL,
    PRIMARY KEY (trip_id, type)
  )`;

const STATEMENTS = {
  read: 'SELECT status, version FROM baseline_trips WHERE id = $1',
  lock: 'SELECT status, driver_id FROM baseline_trips WHERE id = $1 FOR UPDATE',
  move: "UPDATE baseline_trips SET status = 'ACCEPTED', driver_id = $2, accepted_at = now() WHERE id = $1",
  moveOpen: `UPDATE baseline_trips SET status = 'ACCEPTED', driver_id = $2, accepted_at = now()
             WHERE id = $1 AND status = 'FINDING'`,
  moveVersion: `UPDATE baseline_trips SET status = 'ACCEPTED', driver_id = $2, version = version + 1, accepted_at = now()
                WHERE id = $1 AND version = $3 AND status = 'FINDING'`,
  takeDriver:
    'INSERT INTO baseline_active_drivers (trip_id, driver_id) VALUES ($1, $2) ON CONFLICT DO NOTHING',
  writeEvent: `INSERT INTO baseline_trip_events (trip_id, driver_id, type, occurred_at)
               VALUES ($1, $2, 'ACCEPTED', now())`,
} as const;

interface TripRow {
  readonly status: string;
  readonly version: string;
  readonly driver_id: string | null;
}

/** Runs a prepared statement. */
type Ask = (name: keyof typeof STATEMENTS, ...values: unknown[]) => Promise<pg.QueryResult<TripRow>>;

interface Stores {
  readonly redis: Redis;
  readonly ask: Ask;
  transact<Result>(work: (ask: Ask) => Promise<Result>): Promise<Result>;
}

type Accept = (stores: Stores, trip: number, driver: number) => Promise<TripAnswer['kind']>;

function openWith(accept: Accept): OpenSubject {
  return async (setup) => {
    const pool = openPool(setup.databaseUrl, setup.poolSize);
    const redis = new Redis(setup.redisUrl);
    let sqlCount = 0;
    const asking =
      (session: pg.Pool | pg.PoolClient): Ask =>
      (name, ...values) => {
        sqlCount += 1;
        return session.query<TripRow>({ name, text: STATEMENTS[name], values });
      };
    const stores: Stores = {
      redis,
      ask: asking(pool),
      transact: (work) => {
        // BEGIN and COMMIT.
        sqlCount += 2;
        return inTransaction(pool, (client) => work(asking(client)));
      },
    };
    return {
      ...tripsSubject(setup, (trip, driver) => accept(stores, trip, driver), pool),
      counts: () => ({ sqlCount }),
      close: async () => {
        redis.disconnect();
        await pool.end();
      },
    };
  };
}

const LOCK_SECONDS = 10;

/** All ways of assigning a trip that Solegate is compared with, by the name shown in tables. */
export const baselineTrips = {
  /**
   * The original design of trip reservation, reproduced exactly: SET `trip_lock:{trip}` NX EX 10. If the key exists, the
   * trip is taken. Otherwise the caller updates the row, and deletes the key if that fails; else the key expires.
   */
  'original design': openWith(async ({ ask, redis }, trip, driver) => {
    const key = `trip_lock:${trip}`;
    const isFirst = await redis.set(key, String(driver), 'EX', LOCK_SECONDS, 'NX');
    if (isFirst === null) return 'lost';
    try {
      await ask('move', trip, driver);
      return 'won';
    } catch (error) {
      await redis.del(key);
      throw error;
    }
  }),

  /** PostgreSQL alone, one conditional statement per driver. */
  'conditional UPDATE': openWith(async ({ ask }, trip, driver) =>
    (await ask('moveOpen', trip, driver)).rowCount === 1 ? 'won' : 'lost',
  ),

  /** Optimistic: read the version, then update if it is unchanged. */
  'version only': openWith(async ({ ask }, trip, driver) => {
    const [row] = (await ask('read', trip)).rows;
    return (await ask('moveVersion', trip, driver, row?.version)).rowCount === 1 ? 'won' : 'lost';
  }),

  /** Pessimistic: every driver locks the row to find out. */
  'FOR UPDATE': openWith(({ transact }, trip, driver) =>
    transact(async (ask) => {
      const [row] = (await ask('lock', trip)).rows;
      if (row?.status !== 'FINDING') return 'lost';
      await ask('move', trip, driver);
      return 'won';
    }),
  ),

  /**
   * What a careful engineer would write without a package: one transaction per driver that locks the trip, reserves the
   * driver, moves the trip and writes the event. Keeps the promises of trip-reservation, but every loser costs a query.
   */
  'same promises by hand': openWith(({ transact }, trip, driver) =>
    transact(async (ask) => {
      const [row] = (await ask('lock', trip)).rows;
      if (row?.status !== 'FINDING') return Number(row?.driver_id) === driver ? 'won' : 'lost';
      if ((await ask('takeDriver', trip, driver)).rowCount === 0) return 'busy';
      await ask('move', trip, driver);
      await ask('writeEvent', trip, driver);
      return 'won';
    }),
  ),
} satisfies SubjectTable;
