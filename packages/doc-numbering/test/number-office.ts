import { connectRedis, type RedisConnection } from '@solegate/redis-infra';
import { createTestDatabase, createTestRedis, type TestDatabase, testPooler, until } from '@solegate/testkit';
import pg from 'pg';
import {
  createNumbering,
  type IssueRequest,
  migrations,
  type Numbering,
  type NumberingObserver,
  type NumberingOptions,
  type SeriesDefinition,
} from '../src/index.js';

/** Commands time out after a second instead of the usual tens of milliseconds, to allow for a loaded machine. */
export function connectTo(url: string): RedisConnection {
  return connectRedis({ url, purpose: 'decision', commandTimeoutMs: 1000 });
}

/** Resolves when Redis is ready, so that the first commit already uses it. */
export function untilReady(redis: RedisConnection): Promise<void> {
  return new Promise((resolve) => {
    if (redis.status === 'ready') resolve();
    else redis.once('ready', () => resolve());
  });
}

export function disconnect(redis: RedisConnection | undefined): void {
  redis?.disconnect();
}

export interface OfficeOptions extends Partial<Omit<NumberingOptions, 'database' | 'redis'>> {
  /** `true`: the test run's Redis; a URL: the Redis there. Default: none. */
  readonly redis?: boolean | string;
  /** Connect to PostgreSQL through this URL instead of directly. */
  readonly through?: (databaseUrl: string) => Promise<string>;
  /** Stops what `through` started; runs before the database is dropped. */
  readonly beforeDrop?: () => Promise<void>;
  readonly serverUrl?: string;
  readonly poolMax?: number;
}

/** A database with the package's tables, and a numbering on it. */
export interface Office extends AsyncDisposable {
  readonly database: TestDatabase;
  readonly pool: pg.Pool;
  readonly redis: RedisConnection | undefined;
  readonly redisUrl: string | undefined;
  readonly numbering: Numbering;
  /** Another numbering on the same stores, as in another process. */
  another(options?: Partial<NumberingOptions>): Promise<Numbering>;
}

export async function openOffice(options: OfficeOptions = {}): Promise<Office> {
  const { redis: wanted = false, through, beforeDrop, serverUrl, poolMax = 10, ...rest } = options;
  const database = await createTestDatabase({ migrations, ...(serverUrl ? { serverUrl } : {}) });
  const url = through ? await through(database.url) : database.url;
  const testRedis = wanted === true ? await createTestRedis() : undefined;
  const redisUrl = typeof wanted === 'string' ? wanted : testRedis?.url;
  const named = testPooler() === 'unnamed' ? { namedStatements: false } : {};
  const opened: { pool: pg.Pool; pair: RedisConnection | undefined; numbering: Numbering }[] = [];
  const open = async (more: Partial<NumberingOptions>) => {
    const pool = new pg.Pool({ connectionString: url, max: poolMax });
    // A killed backend must not end the test run.
    pool.on('error', () => undefined);
    const pair = redisUrl === undefined ? undefined : connectTo(redisUrl);
    if (pair) await untilReady(pair);
    const numbering = createNumbering({
      database: pool,
      ...named,
      ...rest,
      ...more,
      ...(pair ? { redis: pair } : {}),
    });
    opened.push({ pool, pair, numbering });
    return { pool, pair, numbering };
  };
  const first = await open({});
  return {
    database,
    pool: first.pool,
    redis: first.pair,
    redisUrl,
    numbering: first.numbering,
    another: async (more = {}) => (await open(more)).numbering,
    async [Symbol.asyncDispose]() {
      for (const { numbering, pair, pool } of opened) {
        await numbering.close();
        disconnect(pair);
        await pool.end();
      }
      await testRedis?.drop();
      await beforeDrop?.();
      await database.drop();
    },
  };
}

export const bangkok = 'Asia/Bangkok';

/** The main example: one counter per originator, discipline and year. */
export const rfaSeries: SeriesDefinition = {
  space: 'P1',
  series: 'RFA',
  dimensions: ['ORG', 'DISCIPLINE'],
  timeZone: bangkok,
  actor: 'admin',
};

export const rfaTemplate = '{ORG_CODE}-{TYPE_CODE}-{DISCIPLINE_CODE}-{YEAR}-{SEQ:4}';

export const rfa: IssueRequest = {
  space: 'P1',
  series: 'RFA',
  dimensions: { ORG: 'PAT', DISCIPLINE: 'STR' },
  actor: 'somchai',
};

/** Defines a series and its format, and returns the numbering. */
export async function withSeries(
  numbering: Numbering,
  definition: Partial<SeriesDefinition> & { template?: string; overflow?: 'error' | 'widen' } = {},
): Promise<Numbering> {
  const { template = rfaTemplate, overflow = 'error', ...rules } = definition;
  const series = { ...rfaSeries, ...rules };
  await numbering.defineSeries(series);
  const { space, series: code, actor } = series;
  await numbering.saveFormat({ space, series: code, template, overflow, actor });
  return numbering;
}

/** Records events with their data. */
export class EventLog {
  readonly seen: { readonly name: keyof NumberingObserver; readonly facts: unknown }[] = [];

  readonly observer: NumberingObserver = {
    batchCommitted: (facts) => this.seen.push({ name: 'batchCommitted', facts }),
    lockWaited: (facts) => this.seen.push({ name: 'lockWaited', facts }),
    versionConflicted: (facts) => this.seen.push({ name: 'versionConflicted', facts }),
    fellBack: (facts) => this.seen.push({ name: 'fellBack', facts }),
    storeRetried: (facts) => this.seen.push({ name: 'storeRetried', facts }),
    widthWarned: (facts) => this.seen.push({ name: 'widthWarned', facts }),
    regressionFound: (facts) => this.seen.push({ name: 'regressionFound', facts }),
    sweepFailed: (facts) => this.seen.push({ name: 'sweepFailed', facts }),
    releaseFailed: (facts) => this.seen.push({ name: 'releaseFailed', facts }),
  };

  count(name: keyof NumberingObserver): number {
    return this.seen.filter((event) => event.name === name).length;
  }

  last(name: keyof NumberingObserver): unknown {
    return this.seen.findLast((event) => event.name === name)?.facts;
  }
}

/** Resolves once somebody waits for a lock that this connection holds. */
export async function untilBlockedBy({ database }: Office, holder: pg.PoolClient): Promise<void> {
  const { rows } = await holder.query('SELECT pg_backend_pid() AS pid');
  await until(async () => {
    const text = 'SELECT FROM pg_stat_activity WHERE $1 = ANY (pg_blocking_pids(pid))';
    return (await database.pool.query(text, [rows[0].pid])).rows.length > 0;
  });
}

/** Runs statements that only the functions may run, as an owner who takes the guards away on purpose. */
export async function unguarded(pool: pg.Pool, text: string, values?: unknown[]): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query("SET document_number.writes = 'on'");
    await client.query(text, values);
  } finally {
    await client.query('RESET document_number.writes');
    client.release();
  }
}

/**
 * Counts the numbers of all counters.
 *
 * @throws if the ledger rows of a counter are not first … last without a gap, or have other versions than it keeps
 */
export async function assertGapless(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query<{
    id: string;
    last: string;
    first: string;
    count: string;
    distinct: string;
    hasVersions: boolean;
  }>(`
    SELECT c.id, c.last_number AS last, c.first_number AS first, count(n.sequence) AS count,
      count(DISTINCT n.number) AS distinct,
      c.printed_versions = ARRAY(
        SELECT DISTINCT m.format_version FROM document_numbers m
        WHERE m.counter_id = c.id AND m.format_version IS NOT NULL ORDER BY 1
      ) AS "hasVersions"
    FROM document_number_counters c
    LEFT JOIN document_numbers n ON n.counter_id = c.id AND n.sequence BETWEEN c.first_number AND c.last_number
    GROUP BY c.id`);
  let total = 0;
  for (const row of rows) {
    const wanted = Number(row.last) - Number(row.first) + 1;
    if (Number(row.count) !== wanted || Number(row.distinct) !== wanted || !row.hasVersions) {
      throw new Error(`counter ${row.id}: ${row.count} rows, ${row.distinct} texts, for ${wanted} numbers`);
    }
    total += wanted;
  }
  return total;
}
