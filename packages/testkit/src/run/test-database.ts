import { randomBytes } from 'node:crypto';
import { Client, Pool, type QueryConfig } from 'pg';
import { type PgBouncer, startPgBouncer } from '../servers/pgbouncer.js';
import { ConnectionLeakError, leftOpen } from './connection-leak.js';
import { ensureTemplate, type TestMigration, urlOf } from './template-database.js';
import { testPooler, testServerUrl } from './test-run.js';

/*
 * Each test database belongs to one session, its keeper, which holds an advisory lock on the database's name from
 * before it is created until after it is dropped. The lock ends with the session, however the process dies. So on the
 * server of the test run, a test database whose lock is free is a leftover, which the next file that creates a database
 * removes. On a test's own server there are no leftovers, but faults can disconnect keepers: no check is made there.
 */

export interface TestDatabaseOptions {
  /** Run in this order, once per distinct set, in the template from which the database is cloned. */
  readonly migrations: readonly TestMigration[];
  /** URL of the PostgreSQL server, such as one from `startPostgresServer()`; default: the server of the test run. */
  readonly serverUrl?: string;
}

const PREFIX = 'solegate_test_';

/** Enough for tests that hold rows in open transactions. */
const POOLER_CONNECTIONS = 60;

/**
 * Creates a database for this file alone, cloned from a template in which the migrations have run. Safe to call
 * concurrently from many workers and packages. End it with `await using` or `drop()`.
 *
 * @throws TestServerError if there is no server, TestMigrationError if a migration fails
 */
export async function createTestDatabase(options: TestDatabaseOptions): Promise<TestDatabase> {
  const serverUrl = options.serverUrl ?? (await testServerUrl('postgres'));
  const keeper = new Client({ connectionString: serverUrl, application_name: 'testkit keeper' });
  keeper.on('error', () => {});
  await keeper.connect();
  try {
    if (options.serverUrl === undefined) await dropLeftovers(keeper);
    const template = await ensureTemplate(keeper, serverUrl, options.migrations);
    const name = PREFIX + randomBytes(8).toString('hex');
    await keeper.query('SELECT pg_advisory_lock(hashtextextended($1, 0))', [name]);
    // FILE_COPY takes half the time of copying through the write-ahead log, and the clone has warm catalog caches.
    await keeper.query(`CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY FILE_COPY`);
    const isPooled = testPooler() !== undefined && options.serverUrl === undefined;
    const directUrl = urlOf(serverUrl, name);
    const pooler = isPooled ? await startPgBouncer(directUrl, { poolSize: POOLER_CONNECTIONS }) : undefined;
    return new TestDatabase(serverUrl, name, keeper, pooler);
  } catch (error) {
    await keeper.end();
    throw error;
  }
}

/** A database for one test file; see `createTestDatabase`. */
export class TestDatabase implements AsyncDisposable {
  /** Where clients connect: the pooler if the run uses one, else the server. */
  readonly url: string;
  /** The server itself. */
  readonly directUrl: string;
  /** At most ten connections. Losing them (a killed backend) raises no uncaught error. */
  readonly pool: Pool;
  /** The same without a pooler, for tests that inspect sessions or count statements by name. */
  readonly directPool: Pool;
  readonly #serverUrl: string;
  readonly #name: string;
  readonly #keeper: Client;
  readonly #pooler: PgBouncer | undefined;
  #dropped: Promise<void> | undefined;

  constructor(serverUrl: string, name: string, keeper: Client, pooler?: PgBouncer) {
    this.#serverUrl = serverUrl;
    this.#name = name;
    this.#keeper = keeper;
    this.#pooler = pooler;
    this.directUrl = urlOf(serverUrl, name);
    this.url = pooler?.url ?? this.directUrl;
    this.pool = calmPool(this.url, testPooler() === 'unnamed' ? NamelessClient : Client);
    this.directPool = pooler ? calmPool(this.directUrl, Client) : this.pool;
  }

  /**
   * Closes the pool and removes the database. Can be called twice. Does nothing more if the server has already ended.
   *
   * @throws ConnectionLeakError if a client was not released or another connection is still open; the database is
   * removed anyway
   */
  drop(): Promise<void> {
    this.#dropped ??= this.#drop();
    return this.#dropped;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.drop();
  }

  async #drop(): Promise<void> {
    // Not awaited: an unreleased client would keep it pending. The leak check detects such clients.
    for (const pool of new Set([this.pool, this.directPool])) pool.end().catch(() => {});
    await this.#pooler?.stop();
    const admin = new Client({ connectionString: this.#serverUrl, application_name: 'testkit drop' });
    admin.on('error', () => {});
    try {
      await admin.connect();
      const leaks = await this.#leaks(admin);
      await admin.query(`DROP DATABASE IF EXISTS ${this.#name} WITH (FORCE)`);
      if (leaks.length > 0) throw new ConnectionLeakError(`database ${this.#name}`, leaks);
    } catch (error) {
      if (!isServerGone(error)) throw error;
    } finally {
      await Promise.all([admin.end(), this.#keeper.end()]);
    }
  }

  #leaks(admin: Client): Promise<string[]> {
    return leftOpen(async () => {
      const { rows } = await admin.query(OPEN_CONNECTIONS, [this.#name]);
      return rows.map(
        (row) => `back end ${row.pid}, ${row.name || 'no application name'}, ${row.state}: ${row.query}`,
      );
    });
  }
}

function calmPool(connectionString: string, client: typeof Client): Pool {
  const pool = new Pool({ connectionString, max: 10, Client: client });
  pool.on('connect', (connected) => connected.on('error', () => {}));
  pool.on('error', () => {});
  return pool;
}

/** Sends every statement without its name, below any code that observes statements by name. */
class NamelessClient extends Client {
  override query(...args: unknown[]): never {
    const [statement, ...rest] = args;
    const isNamed = typeof statement === 'object' && statement !== null && 'name' in statement;
    const nameless = isNamed ? { ...(statement as QueryConfig), name: undefined } : statement;
    return Reflect.apply(super.query, this, [nameless, ...rest]) as never;
  }
}

function isServerGone(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ECONNREFUSED';
}

const OPEN_CONNECTIONS = `
  SELECT pid, application_name AS name, coalesce(state, 'starting') AS state, left(query, 200) AS query
    FROM pg_stat_activity
   WHERE datname = $1 AND backend_type = 'client backend'
   ORDER BY backend_start`;

async function dropLeftovers(keeper: Client): Promise<void> {
  const { rows } = await keeper.query(UNLOCKED);
  for (const { name } of rows.filter(({ locked }) => locked)) {
    await keeper.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    await keeper.query('SELECT pg_advisory_unlock(hashtextextended($1, 0))', [name]);
  }
}

const UNLOCKED = `
  SELECT datname AS name, pg_try_advisory_lock(hashtextextended(datname, 0)) AS locked
    FROM pg_database
   WHERE starts_with(datname, '${PREFIX}')`;
