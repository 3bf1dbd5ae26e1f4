import { afterEach, expect, test } from '@jest/globals';
import {
  createTestRedis,
  type PostgresTestServer,
  race,
  startPostgresServer,
  type TestRedis,
  until,
} from '@solegate/testkit';
import pg from 'pg';
import { createNumbering, type IssuedNumber, type Numbering } from '../src/index.js';
import {
  assertGapless,
  connectTo,
  disconnect,
  openOffice,
  rfa,
  untilReady,
  withSeries,
} from './number-office.js';

const opened: { stop(): Promise<void> }[] = [];

afterEach(async () => {
  for (const server of opened.splice(0).reverse()) await server.stop();
});

/** A numbering on the same database on another server, with the same Redis as before the fail-over. */
async function onServer(server: PostgresTestServer, databaseUrl: string, redis: TestRedis) {
  const url = new URL(databaseUrl);
  url.port = String(server.port);
  const pool = new pg.Pool({ connectionString: url.href, max: 5 });
  pool.on('error', () => undefined);
  const pair = connectTo(redis.url);
  await untilReady(pair);
  const numbering = createNumbering({ database: pool, redis: pair });
  return {
    pool,
    numbering,
    async close() {
      await numbering.close();
      disconnect(pair);
      await pool.end();
    },
  };
}

async function issueFor(numbering: Numbering, ms: number): Promise<IssuedNumber[]> {
  const issued: IssuedNumber[] = [];
  const untilMs = Date.now() + ms;
  await race(20, async () => {
    while (Date.now() < untilMs) issued.push(await numbering.issue(rfa));
  });
  return issued;
}

async function begin(synchronous: boolean) {
  const primary = await startPostgresServer();
  opened.push(primary);
  const office = await openOffice({ serverUrl: primary.url });
  await withSeries(office.numbering, { template: '{ORG}-{TYPE}-{DISCIPLINE}-{YEAR}-{SEQ:8}' });
  const databaseUrl = office.database.url;
  const replica = await primary.startReplica({ synchronous });
  opened.push(replica);
  const redis = await createTestRedis();
  return { primary, replica, redis, databaseUrl, office };
}

test('a synchronous replica takes over without losing a number', async () => {
  const { primary, replica, redis, databaseUrl, office } = await begin(true);
  const before = await onServer(primary, databaseUrl, redis);
  const answered = await issueFor(before.numbering, 700);
  await primary.kill();
  await replica.promote();
  const after = await onServer(replica, databaseUrl, redis);
  const next = await after.numbering.issue(rfa);
  expect(next.sequence).toBeGreaterThan(Math.max(...answered.map(({ sequence }) => sequence)));
  const { rows } = await after.pool.query<{ sequence: string }>('SELECT sequence FROM document_numbers');
  const kept = new Set(rows.map(({ sequence }) => Number(sequence)));
  expect(answered.filter(({ sequence }) => !kept.has(sequence))).toEqual([]);
  await assertGapless(after.pool);
  await after.close();
  await before.close();
  await Promise.resolve(office[Symbol.asyncDispose]()).catch(() => undefined);
  await redis.drop();
});

test('a lagging replica takes over: the regression is reported before a number is issued twice', async () => {
  const { primary, replica, redis, databaseUrl, office } = await begin(false);
  const before = await onServer(primary, databaseUrl, redis);
  const kept = await issueFor(before.numbering, 200);
  const highest = Math.max(...kept.map(({ sequence }) => sequence));
  await until(async () => {
    const { rows } = await replica.pool.query('SELECT pg_last_wal_replay_lsn() >= $1::pg_lsn AS caught_up', [
      (await primary.pool.query('SELECT pg_current_wal_lsn()::text AS lsn')).rows[0]?.lsn,
    ]);
    return rows[0]?.caught_up === true;
  });
  // The replica receives nothing more; later commits are lost with the primary.
  await replica.pause();
  const lost = await issueFor(before.numbering, 300);
  const last = Math.max(...lost.map(({ sequence }) => sequence));
  await primary.kill();
  await replica.resume();
  await replica.promote();
  const after = await onServer(replica, databaseUrl, redis);
  const standing = (await after.numbering.listCounters({})).items[0]?.item.lastNumber ?? 0;
  expect(standing).toBeGreaterThanOrEqual(highest);
  if (standing < last) {
    for (let time = 0; time < 3; time += 1) {
      await expect(after.numbering.issue(rfa)).rejects.toMatchObject({
        code: 'COUNTER_REGRESSION',
        lastNumber: standing,
        highWaterMark: last,
      });
    }
    const reason = 'lost in the fail-over';
    expect(await after.numbering.skipTo({ ...rfa, upTo: last, reason })).toBe(last - standing);
  }
  expect((await after.numbering.issue(rfa)).sequence).toBe(last + 1);
  await assertGapless(after.pool);
  await after.close();
  await before.close();
  await Promise.resolve(office[Symbol.asyncDispose]()).catch(() => undefined);
  await redis.drop();
});
