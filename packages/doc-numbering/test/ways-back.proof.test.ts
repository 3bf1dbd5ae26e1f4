import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import {
  type PostgresTestServer,
  type RedisTestServer,
  startFaultProxy,
  startPostgresServer,
  startRedisServer,
  until,
} from '@solegate/testkit';
import pg from 'pg';
import { createNumbering, type Numbering } from '../src/index.js';
import {
  connectTo,
  disconnect,
  type Office,
  openOffice,
  rfa,
  untilReady,
  withSeries,
} from './number-office.js';

/*
 * Every way in which PostgreSQL comes to be older than the numbers that callers have. In each, one process has drawn more
 * than another that keeps running: neither that one nor a new one issues any of these numbers again.
 */
let postgres: PostgresTestServer;
let redis: RedisTestServer;
let office: Office;
const opened: { stop(): Promise<void> }[] = [];

beforeEach(async () => {
  [postgres, redis] = await Promise.all([startPostgresServer(), startRedisServer()]);
  opened.push(postgres, redis);
  office = await openOffice({ serverUrl: postgres.url, redis: redis.url });
  await withSeries(office.numbering);
});

afterEach(async () => {
  await Promise.resolve(office[Symbol.asyncDispose]()).catch(() => undefined);
  for (const server of opened.splice(0).reverse()) await server.stop();
});

const to = (org: string) => ({ ...rfa, dimensions: { ORG: org, DISCIPLINE: 'STR' } });
const database = () => new URL(office.database.url).pathname.slice(1);

/** Marks of the only series, by organization. */
async function marks(): Promise<Record<string, number>> {
  const client = redis.client();
  const found: Record<string, number> = {};
  for (const key of await client.keys('doc_num:*')) {
    if ((await client.type(key)) === 'hash')
      found[key.split(':')[3] ?? ''] = Number(await client.hget(key, 'last'));
  }
  return found;
}

const untilMarked = (org: string, last: number) =>
  until(async () => (await marks())[org] === last, { what: `the mark ${last} of ${org}` });

/** Asks until the store has settled; then every process refuses, however often it is asked. */
async function expectRefusals(asked: readonly Numbering[], org: string, facts: Record<string, unknown>) {
  for (const numbering of asked) {
    let refusal: unknown;
    await until(async () => {
      refusal = await numbering.issue(to(org)).then(
        (issued) => issued,
        (error: { code: string }) => error,
      );
      return !/STORE_UNAVAILABLE|OUTCOME_UNKNOWN/.test(String((refusal as { code?: string }).code));
    });
    expect(refusal).toMatchObject({ code: 'COUNTER_REGRESSION', ...facts });
    await expect(numbering.issue(to(org))).rejects.toMatchObject({ code: 'COUNTER_REGRESSION' });
  }
}

/** Copies the database, as a dump of this moment. */
async function copyDatabase(): Promise<void> {
  await until(async () => {
    await postgres.terminateBackends(database());
    await postgres.pool.query(`CREATE DATABASE older TEMPLATE ${database()}`);
    return true;
  });
}

/** Puts the copy in the place of the database. */
async function restoreCopy(): Promise<void> {
  await postgres.pool.query(`DROP DATABASE ${database()} WITH (FORCE)`);
  await postgres.pool.query(`ALTER DATABASE older RENAME TO ${database()}`);
}

const TABLES = ['document_number_counters', 'document_numbers'];

/** Keeps the rows of this moment, and puts them back under running programs, ids included. */
async function keepRows(): Promise<void> {
  for (const table of TABLES) await office.pool.query(`CREATE TABLE older_${table} AS TABLE ${table}`);
}

async function restoreRows(): Promise<void> {
  const client = await office.database.pool.connect();
  await client.query('BEGIN');
  await client.query('SET LOCAL session_replication_role = replica');
  await client.query(`TRUNCATE ${TABLES.join(', ')} RESTART IDENTITY`);
  for (const table of TABLES) await client.query(`INSERT INTO ${table} SELECT * FROM older_${table}`);
  const identity = "pg_get_serial_sequence('document_number_counters', 'id')";
  await client.query(
    `SELECT setval(${identity}, (SELECT coalesce(max(id), 0) + 1 FROM document_number_counters), false)`,
  );
  await client.query('COMMIT');
  client.release();
}

test('Redis is killed while numbers are told and comes back empty; then an older copy is restored', async () => {
  await office.numbering.issueMany(to('A'), 8);
  await untilMarked('A', 8);
  await copyDatabase();
  await redis.kill();
  for (let time = 0; time < 6; time += 1) await office.numbering.issue(to('A'));
  await redis.restart({ keepData: false });
  await untilMarked('A', 14);
  await restoreCopy();
  const restarted = await office.another();
  await expectRefusals([restarted, office.numbering], 'A', { lastNumber: 8, highWaterMark: 14 });
});

test('Redis comes back only after the older copy', async () => {
  await office.numbering.issueMany(to('A'), 8);
  await copyDatabase();
  await redis.kill();
  for (let time = 0; time < 6; time += 1) await office.numbering.issue(to('A'));
  await restoreCopy();
  await redis.restart();
  await untilMarked('A', 14);
  const restarted = await office.another();
  await expectRefusals([restarted, office.numbering], 'A', { lastNumber: 8, highWaterMark: 14 });
});

test('Redis comes back empty and the fleet starts anew, before an older copy is restored', async () => {
  await office.numbering.issueMany(to('A'), 8);
  await copyDatabase();
  await office.numbering.issueMany(to('A'), 6);
  await office.numbering.close();
  await redis.restart({ keepData: false });
  const other = await office.another();
  await untilMarked('A', 14);
  await restoreCopy();
  await expectRefusals([await office.another(), other], 'A', { lastNumber: 8, highWaterMark: 14 });
});

test('a process is killed that was to raise the marks from the rows: another one does it', async () => {
  await office.numbering.issueMany(to('A'), 8);
  await untilMarked('A', 8);
  const client = redis.client();
  await client.flushall();
  const { rows } = await office.pool.query('SELECT identity FROM document_number_series');
  await client.set(`doc_num:raised:${rows[0].identity}`, 'raising', 'PX', 1000);
  await office.another();
  await untilMarked('A', 8);
});

test('a back end is killed under synchronous_commit = off, and PostgreSQL recovers what was written', async () => {
  for (const setting of [
    'synchronous_commit = off',
    "wal_writer_delay = '10s'",
    "wal_writer_flush_after = '1GB'",
  ])
    await postgres.pool.query(`ALTER SYSTEM SET ${setting}`);
  await postgres.pool.query('SELECT pg_reload_conf()');
  const behind = await office.another();
  let lostCount = 0;
  for (let round = 1; round <= 3; round += 1) {
    const org = `CRASH${round}`;
    await behind.issue(to(org));
    await postgres.pool.query('CHECKPOINT');
    let last = 0;
    for (let time = 0; time < 40; time += 1) last = (await office.numbering.issue(to(org))).sequence;
    await untilMarked(org, last);
    await postgres.crash();
    const { rows } = await postgres.pool.query('SELECT 1');
    expect(rows).toHaveLength(1);
    const [counter] = (await behind.listCounters({ space: 'P1', dimensions: to(org).dimensions })).items;
    const kept = counter?.item.lastNumber ?? 0;
    lostCount += last - kept;
    if (kept < last) await expectRefusals([behind, office.numbering], org, { highWaterMark: last });
    else expect((await behind.issue(to(org))).sequence).toBe(last + 1);
  }
  expect(lostCount).toBeGreaterThan(0);
});

test('a restored copy takes the name of the database', async () => {
  const behind = await office.another();
  await office.numbering.issueMany(to('A'), 5);
  await behind.issue(to('A'));
  await copyDatabase();
  await office.numbering.issueMany(to('A'), 6);
  await untilMarked('A', 12);
  await restoreCopy();
  await expectRefusals([behind, office.numbering], 'A', { lastNumber: 6, highWaterMark: 12 });
});

test('an asynchronous standby takes over, without the last commits', async () => {
  const line = await startFaultProxy(postgres.url);
  const standby = await postgres.startReplica({ synchronous: false, through: line.url });
  opened.push(standby);
  const pool = (port: number) => {
    const url = new URL(office.database.url);
    url.port = String(port);
    const made = new pg.Pool({ connectionString: url.href, max: 5 });
    made.on('error', () => undefined);
    return made;
  };
  const pools = [pool(postgres.port), pool(standby.port)] as const;
  // The address that leads to whichever server is the primary.
  let primary: pg.Pool = pools[0];
  const pair = connectTo(redis.url);
  await untilReady(pair);
  const behind = createNumbering({ database: { connect: () => primary.connect() }, redis: pair });
  await office.numbering.issueMany(to('A'), 5);
  await behind.issue(to('A'));
  await until(async () => {
    const { rows } = await standby.pool.query('SELECT pg_last_wal_replay_lsn() >= $1::pg_lsn AS is_there', [
      (await postgres.pool.query('SELECT pg_current_wal_lsn()::text AS lsn')).rows[0].lsn,
    ]);
    return rows[0].is_there;
  });
  // The standby receives nothing more; later commits are lost with the primary.
  line.set('reset');
  await office.numbering.issueMany(to('A'), 6);
  await untilMarked('A', 12);
  await postgres.kill();
  await standby.promote();
  primary = pools[1];
  await expectRefusals([behind], 'A', { lastNumber: 6, highWaterMark: 12 });
  await behind.close();
  disconnect(pair);
  for (const one of pools) await one.end();
  await line.close();
});

describe('a restore in place, under running programs', () => {
  test('leaves every counter refused that is below its mark', async () => {
    const behind = await office.another();
    await office.numbering.issueMany(to('A'), 5);
    await behind.issue(to('A'));
    await keepRows();
    await office.numbering.issueMany(to('A'), 6);
    await untilMarked('A', 12);
    await restoreRows();
    await expectRefusals([behind, office.numbering], 'A', { lastNumber: 6, highWaterMark: 12 });
  });

  test('leaves a counter refused that had no number yet, and its number in no other counter', async () => {
    const behind = await office.another();
    await keepRows();
    await behind.issue(to('LATE'));
    await office.numbering.issueMany(to('LATE'), 3);
    await untilMarked('LATE', 4);
    await restoreRows();
    // The first counter that is opened now has the id of the one that is gone.
    const restarted = await office.another();
    expect((await restarted.issue(to('OTHER'))).sequence).toBe(1);
    await expectRefusals([behind, office.numbering, restarted], 'LATE', { lastNumber: 0, highWaterMark: 4 });
    const lost = { ...to('LATE'), upTo: 4, reason: 'lost in the restore', actor: 'admin' };
    expect(await behind.skipTo(lost)).toBe(4);
    expect((await behind.issue(to('LATE'))).number).toMatch(/LATE-.*-0005$/);
    expect((await office.numbering.issue(to('OTHER'))).number).toMatch(/OTHER-.*-0002$/);
  });
});
