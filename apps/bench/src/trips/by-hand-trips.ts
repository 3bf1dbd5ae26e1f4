import type pg from 'pg';
import { openPool } from '../running/database-pool.js';
import type { OpenSubject, Subject, SubjectSetup } from '../workers/subject.js';
import { warm } from './baseline-trips.js';
import { type TripAnswer, type TripsRun, tripRequest, tripsRun } from './trips-request.js';

/** Tables for the same promises, in addition to `baseline_trips`: one trip per driver, and an event for each change. */
export const CREATE_BY_HAND_TABLES = `
  CREATE TABLE baseline_active_drivers (driver_id bigint PRIMARY KEY, trip_id bigint NOT NULL UNIQUE);
  CREATE TABLE baseline_trip_events (
    trip_id bigint NOT NULL,
    driver_id bigint NOT NULL,
    type text NOT NULL,
    occurred_at timestamptz NOT NULL,
    PRIMARY KEY (trip_id, type)
  )`;

const LOCK_TRIP = {
  name: 'by-hand-lock',
  text: 'SELECT status, driver_id FROM baseline_trips WHERE id = $1 FOR UPDATE',
};
const TAKE_DRIVER = {
  name: 'by-hand-driver',
  text: 'INSERT INTO baseline_active_drivers (driver_id, trip_id) VALUES ($1, $2) ON CONFLICT DO NOTHING',
};
const MOVE_TRIP = {
  name: 'by-hand-move',
  text: `UPDATE baseline_trips SET status = 'ACCEPTED', driver_id = $2, accepted_at = now() WHERE id = $1`,
};
const WRITE_EVENT = {
  name: 'by-hand-event',
  text: `INSERT INTO baseline_trip_events (trip_id, driver_id, type, occurred_at) VALUES ($1, $2, 'ACCEPTED', now())`,
};

/**
 * What a careful engineer would write without a package: one transaction per driver that locks the trip, reserves the
 * driver, moves the trip and writes the event. Keeps the promises of trip-reservation, but every loser costs a query.
 */
export const openByHandTrips: OpenSubject = async (setup: SubjectSetup): Promise<Subject> => {
  const pool = openPool(setup.databaseUrl, setup.poolSize);
  let sqlCount = 0;
  let run: TripsRun | undefined;
  const accept = async (client: pg.PoolClient, trip: number, driver: number): Promise<TripAnswer['kind']> => {
    const ask = (statement: { name?: string; text: string }, values: unknown[] = []) => {
      sqlCount += 1;
      return client.query({ ...statement, values });
    };
    await ask({ text: 'BEGIN' });
    const [row] = (await ask(LOCK_TRIP, [trip])).rows as { status: string; driver_id: string | null }[];
    let kind: TripAnswer['kind'] = Number(row?.driver_id) === driver ? 'won' : 'lost';
    if (row?.status === 'FINDING') {
      kind = (await ask(TAKE_DRIVER, [driver, trip])).rowCount === 1 ? 'won' : 'busy';
      if (kind === 'won') {
        await ask(MOVE_TRIP, [trip, driver]);
        await ask(WRITE_EVENT, [trip, driver]);
      }
    }
    await ask({ text: 'COMMIT' });
    return kind;
  };
  return {
    prepare: async (_round, facts) => {
      run = tripsRun(facts);
      await warm(pool, setup.poolSize);
    },
    request: async ({ sequence }) => {
      if (run === undefined) throw new Error('no run was prepared');
      const { trip, driver } = tripRequest(run, sequence, setup);
      const client = await pool.connect();
      try {
        return { kind: await accept(client, trip, driver), trip, driver };
      } catch (error) {
        await client.query('ROLLBACK').catch(() => undefined);
        throw error;
      } finally {
        client.release();
      }
    },
    counts: () => {
      const counts = { sqlCount };
      sqlCount = 0;
      return counts;
    },
    close: () => pool.end(),
  };
};
