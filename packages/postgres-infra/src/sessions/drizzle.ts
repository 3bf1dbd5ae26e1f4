import { type Adapter, type Handle, handleOf } from './adapter.js';
import { pg } from './pg.js';
import { pglite } from './pglite.js';
import { postgresJs } from './postgres-js.js';

/** Of `db.transaction((tx) => …)`. */
export interface DrizzleTransaction {
  execute(query: never): PromiseLike<unknown>;
  rollback(): never;
}

const KIND = Symbol.for('drizzle:entityKind');

function kindOf(handle: Handle): string {
  const kind = handleOf(handle.constructor)?.[KIND];
  return typeof kind === 'string' ? kind : '';
}

const driverOf = (client: Handle): Adapter =>
  [postgresJs, pglite].find((driver) => driver.recognizes(client)) ?? pg;

/** Drizzle over `pg`, postgres.js or PGlite. Statements go to the driver, past the wrapping of results and errors. */
export const drizzle: Adapter = {
  recognizes: (handle) => /(?:Database|Transaction)$/.test(kindOf(handle)),
  session: (handle) => {
    const client = handleOf(handleOf(handle.session)?.client);
    return kindOf(handle).endsWith('Transaction') && client ? driverOf(client).session(client) : undefined;
  },
  pool: (handle) => {
    const client = handleOf(handle.$client);
    return client && driverOf(client).pool?.(client);
  },
  transactionLine: 'db.transaction((tx) => …), and pass tx',
  poolLine: 'db of drizzle({ client: pool }), with a Pool of pg, or PGlite',
};
