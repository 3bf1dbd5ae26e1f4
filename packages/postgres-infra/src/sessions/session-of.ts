import type { SqlPool, SqlSession } from '../sql-session.js';
import { type Adapter, handleOf } from './adapter.js';
import { type DrizzleTransaction, drizzle } from './drizzle.js';
import { type KnexDatabase, type KnexTransaction, knex } from './knex.js';
import { type KyselyTransaction, kysely } from './kysely.js';
import { type PgTransaction, pg } from './pg.js';
import { type PgliteDatabase, type PgliteTransaction, pglite } from './pglite.js';
import { type PostgresJsTransaction, postgresJs } from './postgres-js.js';
import { type PrismaTransaction, prisma } from './prisma.js';
import { type SequelizeDatabase, type SequelizeTransaction, sequelize } from './sequelize.js';
import { type TypeormDatabase, type TypeormTransaction, typeorm } from './typeorm.js';

/** The caller's transaction: as its library passes it, or an object with `query({ text, values })`. */
export type SqlTransaction =
  | PgTransaction
  | PrismaTransaction
  | DrizzleTransaction
  | KyselyTransaction
  | KnexTransaction
  | SequelizeTransaction
  | TypeormTransaction
  | PostgresJsTransaction
  | PgliteTransaction;

/** A source of connections: `pg.Pool`, or the instance of a library that gives out its connections. */
export type SqlDatabase =
  | SqlPool
  | TypeormDatabase
  | { readonly $client: object }
  | KnexDatabase
  | SequelizeDatabase
  | PgliteDatabase;

/** The first that recognizes an object applies: whatever has a `query` may be a client of `pg`. */
const ADAPTERS: Readonly<Record<string, Adapter>> = {
  Prisma: prisma,
  Drizzle: drizzle,
  Kysely: kysely,
  Knex: knex,
  Sequelize: sequelize,
  TypeORM: typeorm,
  'postgres.js': postgresJs,
  PGlite: pglite,
  pg,
};

const LIBRARIES = Object.keys(ADAPTERS).join(', ');

/** Makes the caller's error of what is wrong with an argument, such as `is undefined; pass …`. */
export type Refuse = (problem: string) => Error;

/**
 * Returns the session of a transaction. Nothing is sent.
 *
 * @param refuse default: a TypeError
 * @throws what `refuse` returns, for anything else
 */
export function sessionOf(
  source: unknown,
  refuse: Refuse = (problem) => new TypeError(`The session ${problem}`),
): SqlSession {
  const { library, handle, adapter } = recognize(source);
  if (!adapter) {
    const own = 'an object with query({ text, values }) that resolves with { rows, rowCount }';
    throw refuse(`is ${shapeOf(source)}; pass a transaction of ${LIBRARIES}, or ${own}`);
  }
  const session = adapter.session(handle);
  if (session) return session;
  throw refuse(`is an object of ${library}, but no open transaction; write ${adapter.transactionLine}`);
}

/**
 * Returns the pool behind a `database` option. Nothing is sent.
 *
 * @param refuse default: a TypeError
 * @throws what `refuse` returns, for anything else
 */
export function poolOf(
  source: unknown,
  refuse: Refuse = (problem) => new TypeError(`The database ${problem}`),
): SqlPool {
  const { library, handle, adapter } = recognize(source);
  if (!adapter) {
    const line = typeof source === 'string' ? 'new Pool({ connectionString }) of pg' : 'a Pool of pg';
    throw refuse(`is ${shapeOf(source)}; pass ${line}, or an instance of ${LIBRARIES}`);
  }
  const pool = adapter.pool?.(handle);
  if (pool) return pool;
  throw refuse(`is an object of ${library} without connections; pass ${adapter.poolLine}`);
}

function recognize(source: unknown) {
  const handle = handleOf(source) ?? {};
  const [library, adapter] = Object.entries(ADAPTERS).find(([, one]) => one.recognizes(handle)) ?? [];
  return { library, handle, adapter };
}

function shapeOf(value: unknown): string {
  const handle = handleOf(value);
  // A URL may have a password.
  if (!handle) return typeof value === 'string' ? 'a string' : String(value);
  const names = Object.keys(handle).slice(0, 5).join(', ');
  return names === '' ? 'an object without properties' : `an object with ${names}`;
}
