import type { TestDatabase } from '@solegate/testkit';
import pg from 'pg';
import { AS_LEFT, CLOCK, SERVER } from '../../src/node-lease/postgres/fleet-memory.js';
import { postgresLeaseStore } from '../../src/node-lease/postgres/index.js';
import { nodeLeaseMigrations } from '../../src/node-lease/postgres/migrations.js';
import type { Weakening } from '../fleet/weakened-redis.js';
import { NODE_COUNT } from './lease-rules.js';
import { type ReplayedStore, sorted, writtenNodes } from './replay.js';
import type { Action } from './world.js';

/*
 * A real PostgreSQL that runs the real functions. Only here do they take the clock, the identity of the server and whether
 * the row of the fleet is a copy from settings of the session. Each lane is a schema, and what happens to a server happens to copies of its tables.
 */

/** A row holds the window of a node and its grant, so one is not lost without the other. */
export const isPossible = (order: readonly Action[]) =>
  order.every(({ kind }) => kind !== 'evict slots' && kind !== 'evict grants');

const TABLES = ['tsid_nodes', 'tsid_allocator'];

/** Returns the stores of the lanes, with the functions as they are or with a mutation. */
export function onPostgres(database: TestDatabase, mutation: Weakening = ['', '']) {
  const clients: pg.Client[] = [];
  const [original] = nodeLeaseMigrations;
  const changed = [
    mutation,
    [SERVER, `current_setting('test.server')`],
    [CLOCK, `current_setting('test.now')::bigint`],
    [AS_LEFT, `current_setting('test.as_left')::boolean`],
  ]
    .filter(([from]) => from !== '')
    .reduce((all, [from, to]) => all.replaceAll(from as string, () => to as string), original?.sql ?? '');
  const isMutated = mutation[0] !== '' && (original?.sql ?? '').includes(mutation[0]);
  return {
    async end() {
      await Promise.all(clients.map((client) => client.end()));
    },
    async storeOf(lane: string): Promise<ReplayedStore> {
      const client = new pg.Client(database.directUrl);
      clients.push(client);
      await client.connect();
      await client.query(
        `DROP SCHEMA IF EXISTS ${lane} CASCADE; CREATE SCHEMA ${lane}; SET search_path = ${lane}`,
      );
      await client.query(changed);
      for (const place of ['frozen', 'dump'])
        for (const table of TABLES)
          await client.query(`CREATE TABLE ${place}_${table} AS SELECT * FROM ${table}`);
      const nameOf = (place: string, table: string) => (place === 'current' ? table : `${place}_${table}`);
      const session = { query: (statement: pg.QueryConfig) => client.query(statement), release() {} };
      return {
        store: postgresLeaseStore({ connect: async () => session }),
        isMutated,
        async be({ run, nowMs, isAsLeft }) {
          await client.query(
            `SELECT set_config('test.server', $1, false), set_config('test.now', $2, false),
              set_config('test.as_left', $3, false)`,
            [run, String(nowMs), String(isAsLeft)],
          );
        },
        async copy(from, to) {
          const moves = TABLES.map(
            (table) =>
              `DELETE FROM ${nameOf(to, table)}; INSERT INTO ${nameOf(to, table)} SELECT * FROM ${nameOf(from, table)}`,
          );
          await client.query(moves.join(';'));
        },
        async forget(place, part) {
          const lost = part === undefined ? TABLES : [part === 'nodes' ? 'tsid_nodes' : 'tsid_allocator'];
          await client.query(lost.map((table) => `DELETE FROM ${nameOf(place, table)}`).join(';'));
        },
        async remembered() {
          const nodes = (await client.query('SELECT * FROM tsid_nodes')).rows;
          const [fleet] = (await client.query('SELECT * FROM tsid_allocator WHERE server IS NOT NULL')).rows;
          const rows = Array.from({ length: NODE_COUNT }, (_, node) =>
            nodes.find((row) => row.node === node),
          );
          return {
            slots: rows.map((row) => row?.ceiling_ms),
            grants: rows.map(
              (row) => row && `${row.token} ${row.claim} ${row.floor_ms} ${row.life} ${row.holder}`,
            ),
            meta: sorted({
              run: fleet?.server,
              slotCount: fleet?.node_count,
              life: fleet?.life,
              reason: fleet?.reason,
              version: some(fleet?.version),
              quarantineMs: some(fleet?.quarantine_ms),
              touched: fleet?.touched_ms,
              safeAfter: fleet?.safe_after_ms,
            }),
          };
        },
        expected(memory) {
          const { grantCount: _grants, fresh: _fresh, written: _written, ...meta } = memory.meta;
          return { ...writtenNodes(memory), meta: sorted(meta) };
        },
      };
    },
  };
}

/** 0 is the default of a column that was never written. */
const some = (count: string | undefined) => (count === '0' ? undefined : count);
