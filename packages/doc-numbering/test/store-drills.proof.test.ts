import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import {
  type PostgresTestServer,
  type RedisTestServer,
  startPostgresServer,
  startRedisServer,
  startSentinel,
  until,
} from '@solegate/testkit';
import { compareWithLedger, type DrillOptions, DrillTeam } from './drill.js';
import { assertGapless, type Office, openOffice, withSeries } from './number-office.js';

/** Four processes issue while real stores fail; the ledger is then exactly what callers received, unique and gapless. */
let redis: RedisTestServer;
let postgres: PostgresTestServer;
let office: Office;
let team: DrillTeam;

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

beforeAll(async () => {
  team = new DrillTeam(4);
  [redis, postgres] = await Promise.all([startRedisServer(), startPostgresServer()]);
});

beforeEach(async () => {
  await office?.[Symbol.asyncDispose]();
  office = await openOffice({ serverUrl: postgres.url });
  await withSeries(office.numbering, { template: '{ORG}-{TYPE}-{DISCIPLINE}-{YEAR}-{SEQ:8}' });
});

afterAll(async () => {
  await team?.[Symbol.asyncDispose]();
  await office?.[Symbol.asyncDispose]();
  await redis?.stop();
  await postgres?.stop();
});

async function run(options: Omit<DrillOptions, 'databaseUrl'>) {
  const result = await team.drill({ databaseUrl: office.database.url, redisUrl: redis.url, ...options });
  expect(result.failures).toEqual([]);
  expect(result.answered.length).toBeGreaterThan(100);
  const { unanswered } = await compareWithLedger(office.database.pool, result);
  await assertGapless(office.database.pool);
  return { ...result, unanswered };
}

/** Count of numbers drawn under the Redis lock since a time on PostgreSQL's clock. */
async function lockedSince(moment: Date): Promise<number> {
  const { rows } = await office.database.pool.query(
    "SELECT count(*)::int AS count FROM document_numbers WHERE guard = 'redis+version' AND issued_at > $1",
    [moment],
  );
  return rows[0].count;
}

/** Waits until a process uses the Redis lock again; the limit allows for a loaded machine. */
const untilLockedSince = (moment: Date): Promise<unknown> =>
  until(async () => (await lockedSince(moment)) > 0, { timeoutMs: 120_000 });

test('Redis is killed and comes back empty: its lock is used again', async () => {
  let returned = new Date();
  const { unanswered, fallbacks } = await run({
    strike: async () => {
      await redis.kill();
      await pause(1000);
      await redis.restart({ keepData: false });
      returned = new Date();
      await untilLockedSince(returned);
    },
  });
  expect(unanswered).toBe(0);
  expect(fallbacks).toBeGreaterThan(0);
  expect(await lockedSince(returned)).toBeGreaterThan(0);
});

test('Redis fails over to a replica: its lock is used again', async () => {
  await using group = await startSentinel();
  let promoted = new Date();
  const { unanswered, fallbacks } = await run({
    redisUrl: group.url,
    strike: async () => {
      await group.killMaster();
      promoted = new Date();
      await untilLockedSince(promoted);
    },
  });
  expect(unanswered).toBe(0);
  expect(fallbacks).toBeGreaterThan(0);
  expect(await lockedSince(promoted)).toBeGreaterThan(0);
});

test('Redis hangs for a while', async () => {
  const { unanswered } = await run({
    strike: async () => {
      redis.pause();
      await pause(1500);
      redis.resume();
      await pause(500);
    },
  });
  expect(unanswered).toBe(0);
});

test('a lock granted by a resumed Redis after its caller gave up delays no one', async () => {
  await using shared = await openOffice({ redis: redis.url, lock: 'always' });
  await withSeries(shared.numbering);
  const other = await shared.another();
  const request = { space: 'P1', series: 'RFA', dimensions: { ORG: 'GHOST', DISCIPLINE: 'STR' }, actor: 'a' };
  const warm = { ...request, dimensions: { ...request.dimensions, ORG: 'WARM' } };
  await until(async () => (await other.issue(warm)).guard === 'redis+version');
  await shared.numbering.issue(request);
  await pause(100);
  redis.pause();
  expect(await shared.numbering.issue(request)).toMatchObject({ sequence: 2, guard: 'row' });
  // Until the lock command has timed out, too.
  await pause(1200);
  redis.resume();
  expect(await other.issue(request)).toMatchObject({ sequence: 3, guard: 'redis+version' });
});

test('without Redis, four processes share the rows', async () => {
  const { unanswered, conflicts } = await run({
    redisUrl: undefined,
    counters: 100,
    strike: () => pause(500),
  });
  expect(unanswered).toBe(0);
  expect(conflicts).toBe(0);
});

describe.each(['always', 'crowd'] as const)('with the lock %s', (lock) => {
  test('without a fault, the ledger is exactly what callers received', async () => {
    const { unanswered } = await run({ lock, counters: 10, strike: () => pause(500) });
    expect(unanswered).toBe(0);
  });

  describe.each([1, 100])('over %i counter(s)', (counters) => {
    test.each([100, 500, 1000])(
      '%i requests at once from four processes get exactly 1 … n',
      async (count) => {
        const { answered, failures } = await team.drill({
          databaseUrl: office.database.url,
          redisUrl: redis.url,
          lock,
          callers: count / 4,
          rounds: 1,
          counters,
          strike: async () => undefined,
        });
        expect(failures).toEqual([]);
        expect(answered).toHaveLength(count);
        expect(await assertGapless(office.database.pool)).toBe(count);
      },
    );
  });

  test('Redis is emptied twenty times', async () => {
    const { unanswered } = await run({
      lock,
      strike: async () => {
        const client = redis.client();
        for (let time = 0; time < 20; time += 1) {
          await client.flushall();
          await pause(50);
        }
      },
    });
    expect(unanswered).toBe(0);
  });

  test('a lock holder is stopped for five seconds, longer than its lock', async () => {
    const { unanswered } = await run({
      lock,
      strike: async ([clerk]) => {
        clerk?.pause();
        await pause(5000);
        clerk?.resume();
        await pause(300);
      },
    });
    expect(unanswered).toBe(0);
  });

  test('a process is killed between commit and reply: the unreturned numbers are in the ledger', async () => {
    const { answered, unanswered } = await run({
      lock,
      keyPrefix: (index) => `p${index}`,
      strike: async ([clerk]) => {
        await clerk?.kill();
        await pause(500);
      },
    });
    const { rows } = await office.database.pool.query<{ number: string; idempotency_key: string }>(
      "SELECT number, idempotency_key FROM document_numbers WHERE idempotency_key LIKE 'p0-%' ORDER BY sequence DESC LIMIT 25",
    );
    for (const { number, idempotency_key: key } of rows) {
      const dimensions = { ORG: 'O0', DISCIPLINE: 'STR' };
      const again = await office.numbering.issue({
        space: 'P1',
        series: 'RFA',
        dimensions,
        actor: 'clerk',
        key,
      });
      expect(again).toMatchObject({ number, replayed: true });
    }
    expect(await assertGapless(office.database.pool)).toBe(answered.length + unanswered);
  });

  test('all backends are terminated repeatedly', async () => {
    let terminatedCount = 0;
    const { unanswered } = await run({
      lock,
      strike: async () => {
        for (let time = 0; time < 10; time += 1) {
          terminatedCount += await postgres.terminateBackends(new URL(office.database.url).pathname.slice(1));
          await pause(80);
        }
      },
    });
    expect(unanswered).toBe(0);
    expect(terminatedCount).toBeGreaterThan(10);
  });

  test('PostgreSQL crashes and recovers', async () => {
    const { unanswered } = await run({
      lock,
      strike: async () => {
        await postgres.crash();
        await pause(500);
      },
    });
    expect(unanswered).toBe(0);
  });

  test('1,000 keys, each used by five concurrent requests in each of four processes, give 1,000 numbers', async () => {
    const result = await team.drill({
      databaseUrl: office.database.url,
      redisUrl: redis.url,
      lock,
      callers: 50,
      rounds: 20,
      repeats: 5,
      counters: 1,
      keyPrefix: () => 'shared',
      strike: async () => undefined,
    });
    expect(result.failures).toEqual([]);
    expect(result.answered).toHaveLength(20_000);
    expect(new Set(result.answered.map(({ sequence }) => sequence)).size).toBe(1000);
    expect(await assertGapless(office.database.pool)).toBe(1000);
  });
});
