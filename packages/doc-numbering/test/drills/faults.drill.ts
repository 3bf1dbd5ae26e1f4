import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  createTestRedis,
  type PostgresTestServer,
  startPostgresServer,
  type TestRedis,
  type TypeScriptChild,
} from '@solegate/testkit';
import pg from 'pg';
import { createNumbering } from '../../src/index.js';
import { compareWithLedger, DrillTeam } from '../drill.js';
import {
  assertGapless,
  connectTo,
  disconnect,
  type Office,
  openOffice,
  rfa,
  untilReady,
  withSeries,
} from '../number-office.js';
import { LOCKS, REPEATS, TIMEOUT_MS } from './drill-size.js';

/** Repeated failures of processes and stores while four processes issue, in each lock mode. */
const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
const request = { ...rfa, dimensions: { ORG: 'O0', DISCIPLINE: 'STR' } };
const times = Array.from({ length: REPEATS }, (_, index) => index + 1);

/** Opens a ledger and a separate Redis for one drill. */
async function open(postgres: PostgresTestServer): Promise<{ office: Office; redis: TestRedis }> {
  const [office, redis] = await Promise.all([openOffice({ serverUrl: postgres.url }), createTestRedis()]);
  await withSeries(office.numbering, { template: '{ORG}-{TYPE}-{DISCIPLINE}-{YEAR}-{SEQ:8}' });
  return { office, redis };
}

/** The mark of the only counter in Redis. */
async function markOf({ client }: TestRedis): Promise<number> {
  const keys = await client.keys('doc_num:*');
  const marks = await Promise.all(
    keys.map(async (key) =>
      (await client.type(key)) === 'hash' ? Number(await client.hget(key, 'last')) : 0,
    ),
  );
  return Math.max(0, ...marks);
}

describe.each(LOCKS)('lock: %s', (lock) => {
  let postgres: PostgresTestServer;

  beforeAll(async () => {
    postgres = await startPostgresServer();
  }, TIMEOUT_MS);

  afterAll(() => postgres.stop());

  const strikes: [string, (clerks: readonly TypeScriptChild[]) => Promise<void>][] = [
    ['a process is killed', async ([clerk]) => clerk?.kill().then(() => pause(500))],
    [
      'a process is stopped for five seconds, past the end of its lock',
      async ([clerk]) => {
        clerk?.pause();
        await pause(5000);
        clerk?.resume();
        await pause(300);
      },
    ],
    ['PostgreSQL crashes and recovers', async () => postgres.crash().then(() => pause(500))],
  ];

  test.each(strikes.flatMap(([name, strike]) => times.map((time) => [name, time, strike] as const)))(
    '%s, time %i',
    async (_name, _time, strike) => {
      const { office, redis } = await open(postgres);
      await using team = new DrillTeam(4);
      const { url: databaseUrl } = office.database;
      const drill = { databaseUrl, redisUrl: redis.url, lock, strike, timeoutMs: TIMEOUT_MS };
      const result = await team.drill(drill);
      expect(result.failures).toEqual([]);
      await compareWithLedger(office.database.pool, result);
      await assertGapless(office.database.pool);
      await office[Symbol.asyncDispose]();
      await redis.drop();
    },
    TIMEOUT_MS,
  );

  test(
    'all processes are killed at once: how many numbers Redis does not remember',
    async () => {
      const tails: number[] = [];
      for (const _ of times) {
        const { office, redis } = await open(postgres);
        await using team = new DrillTeam(4);
        const { url: databaseUrl } = office.database;
        const strike = async (clerks: readonly TypeScriptChild[]) => {
          await Promise.all(clerks.map((clerk) => clerk.kill()));
        };
        await team.drill({ databaseUrl, redisUrl: redis.url, lock, strike, timeoutMs: TIMEOUT_MS });
        const [counter] = (await office.numbering.listCounters({})).items;
        tails.push((counter?.item.lastNumber ?? 0) - (await markOf(redis)));
        await office[Symbol.asyncDispose]();
        await redis.drop();
      }
      process.stderr.write(`lock ${lock}: unmarked tail ${tails.join(', ')} numbers\n`);
      expect(Math.min(...tails)).toBeGreaterThanOrEqual(0);
    },
    TIMEOUT_MS,
  );

  test.each(times.flatMap((time) => [true, false].map((synchronous) => [time, synchronous] as const)))(
    'fail-over %i to a replica, synchronous: %p',
    async (_time, synchronous) => {
      const primary = await startPostgresServer();
      const { office, redis } = await open(primary);
      const replica = await primary.startReplica({ synchronous });
      const team = new DrillTeam(4);
      const { url: databaseUrl } = office.database;
      const { answered } = await team.drill({
        databaseUrl,
        redisUrl: redis.url,
        lock,
        timeoutMs: TIMEOUT_MS,
        strike: async () => {
          // Once the socket buffers are full, commits acknowledged while the replica is paused are lost with the primary.
          if (!synchronous) await replica.pause();
          await pause(synchronous ? 300 : 5000);
          await primary.kill();
        },
      });
      await team[Symbol.asyncDispose]();
      if (!synchronous) await replica.resume();
      await replica.promote();
      const highest = Math.max(...answered.map(({ sequence }) => sequence));
      const mark = await markOf(redis);
      const promotedUrl = new URL(replica.url);
      promotedUrl.pathname = new URL(databaseUrl).pathname;
      const pool = new pg.Pool({ connectionString: promotedUrl.href, max: 5 });
      const connected = connectTo(redis.url);
      await untilReady(connected);
      const after = createNumbering({ database: pool, redis: connected, lock: 'never' });
      const lastNumber = (await after.listCounters({})).items[0]?.item.lastNumber ?? 0;
      if (synchronous) expect(lastNumber).toBeGreaterThanOrEqual(highest);
      else process.stderr.write(`lock ${lock}: lost ${highest - lastNumber}, unmarked ${highest - mark}\n`);
      // From a process that never held a lock.
      const next = after.issue(request);
      if (lastNumber < mark) await expect(next).rejects.toMatchObject({ code: 'COUNTER_REGRESSION' });
      else expect((await next).sequence).toBe(lastNumber + 1);
      await after.close();
      disconnect(connected);
      await pool.end();
      await Promise.resolve(office[Symbol.asyncDispose]()).catch(() => undefined);
      await redis.drop();
      await replica.stop();
      await primary.stop();
    },
    TIMEOUT_MS,
  );
});
