import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createLockManager } from '@solegate/redis-infra';
import { race, startFaultProxy, until, valuesOf } from '@solegate/testkit';
import type { Redis } from 'ioredis';
import type pg from 'pg';
import { createNumbering, type Numbering } from '../src/index.js';
import { lockKey } from '../src/request/resolved-request.js';
import {
  assertGapless,
  connectTo,
  disconnect,
  EventLog,
  type Office,
  openOffice,
  rfa,
  unguarded,
  untilReady,
  withSeries,
} from './number-office.js';

const log = new EventLog();
let office: Office;

beforeAll(async () => {
  office = await openOffice({ redis: true, lock: 'always', lockWaitMs: 1000, observer: log.observer });
  await withSeries(office.numbering);
});

afterAll(async () => {
  await office[Symbol.asyncDispose]();
});

const to = (org: string) => ({ ...rfa, dimensions: { ORG: org, DISCIPLINE: 'STR' } });

async function keyOf(org: string, period = String(new Date().getFullYear())) {
  const [series] = await office.numbering.listSeries({ space: 'P1' });
  if (!series) throw new Error('no series');
  const dimensions = { DISCIPLINE: 'STR', ORG: org };
  return lockKey({ series, dimensions, period });
}

function decision() {
  if (!office.redis) throw new Error('this office has a Redis');
  return office.redis;
}

/** Locks the row of a counter in another transaction. */
async function holdRow(org: string): Promise<{ release(): Promise<void> }> {
  const client: pg.PoolClient = await office.database.pool.connect();
  await client.query('BEGIN');
  await client.query('SELECT FROM document_number_counters WHERE dimensions LIKE $1 FOR UPDATE', [
    `%"${org}"%`,
  ]);
  return {
    release: async () => {
      await client.query('ROLLBACK');
      client.release();
    },
  };
}

/**
 * Draws from one counter after the other until Redis was in time for all numbers of one, and returns its code. On a busy machine,
 * a reply can take longer than the 100 ms after which the row lock decides.
 */
async function untilInTime(prefix: string, draw: (org: string) => Promise<string[]>): Promise<string> {
  for (let count = 1; count <= 20; count += 1) {
    const org = `${prefix}${count}`;
    const guards = await draw(org);
    if (guards.every((guard) => guard === 'redis+version')) return org;
  }
  throw new Error('Redis was late for each of 20 counters');
}

/** Draws from a new counter in turn, and returns how each draw was guarded. */
async function guardsOf(org: string, by: readonly Numbering[]): Promise<string[]> {
  const guards: string[] = [];
  for (const [index, numbering] of by.entries()) {
    const { sequence, guard, retryCount } = await numbering.issue(to(org));
    expect([sequence, retryCount]).toEqual([index + 1, 0]);
    guards.push(guard);
  }
  return guards;
}

test('the lock has the same name that other apps lock with redlock', async () => {
  const { lock } = await keyOf('PAT', '2026');
  expect(lock).toBe('doc_num:{P1}:PAT:RFA:STR:2026');
});

describe('lock: always', () => {
  test('every commit takes the lock, draws by version, and releases the lock with a mark', async () => {
    const five = Array.from({ length: 5 }, () => office.numbering);
    const org = await untilInTime('GIVEN', (each) => guardsOf(each, five));
    const { lock, state } = await keyOf(org);
    await until(async () => (await decision().exists(lock)) === 0);
    expect(await decision().hget(state, 'last')).toBe('5');
  });

  test('another process continues by version where the first one stopped', async () => {
    const other = await office.another();
    await untilInTime('HANDED', (org) => guardsOf(org, [office.numbering, other, office.numbering]));
  });

  test('a lock held by redlock is waited for up to 100 ms, then the row lock decides', async () => {
    await office.numbering.issue(to('LOCKED'));
    const { lock } = await keyOf('LOCKED');
    await until(async () => (await decision().exists(lock)) === 0);
    const held = await createLockManager([decision()]).tryAcquire(lock, { ttlMs: 30_000 });
    expect(held.kind).toBe('HELD');
    const guards = new Set<string>();
    // On a busy machine a reply can take longer than the remaining wait, which counts as unavailable.
    await until(async () => {
      guards.add((await office.numbering.issue(to('LOCKED'))).guard);
      expect(log.last('fellBack')).toMatchObject({ reason: 'BUSY' });
      return true;
    });
    expect([...guards]).toEqual(['row']);
    if (held.kind === 'HELD') await held.lock.release();
  });

  test('redlock finds the lock busy while a number is drawn, and free afterwards', async () => {
    await office.numbering.issue(to('BUSY'));
    const { lock } = await keyOf('BUSY');
    const row = await holdRow('BUSY');
    const drawing = office.numbering.issue(to('BUSY'));
    await until(async () => (await decision().exists(lock)) === 1);
    const manager = createLockManager([decision()]);
    expect((await manager.tryAcquire(lock, { ttlMs: 1000 })).kind).toBe('BUSY');
    await row.release();
    await drawing;
    await until(async () => (await decision().exists(lock)) === 0);
  });

  test('a counter that others advance without the lock is drawn by row immediately, and by version again later', async () => {
    let nowMs = Date.now();
    const numbering = await office.another({ now: () => nowMs });
    const unlocked = createNumbering({ database: office.pool });
    await numbering.issue(to('MOVED'));
    await unlocked.issue(to('MOVED'));
    const before = log.count('versionConflicted');
    expect(await numbering.issue(to('MOVED'))).toMatchObject({ sequence: 3, guard: 'row', retryCount: 1 });
    expect(log.count('versionConflicted')).toBe(before + 1);
    expect(await numbering.issue(to('MOVED'))).toMatchObject({ sequence: 4, guard: 'row', retryCount: 0 });
    nowMs += 500;
    expect(await numbering.issue(to('MOVED'))).toMatchObject({ sequence: 5, guard: 'redis+version' });
  });

  test('the version check stops a holder whose lock ended before its draw', async () => {
    const numbering = await office.another({ lockTtlMs: 100 });
    await numbering.issue(to('ENDED'));
    const row = await holdRow('ENDED');
    const drawing = numbering.issue(to('ENDED'));
    const { lock } = await keyOf('ENDED');
    await until(async () => (await decision().exists(lock)) === 1);
    await until(async () => (await decision().exists(lock)) === 0);
    const other = office.numbering.issue(to('ENDED'));
    await row.release();
    const sequences = (await Promise.all([drawing, other])).map(({ sequence }) => sequence);
    expect(sequences.sort((one, two) => one - two)).toEqual([2, 3]);
  });

  test('if releasing a lock fails, the number is still issued, and no caller waits for the release', async () => {
    if (office.redisUrl === undefined) throw new Error('this office has a Redis');
    const proxy = await startFaultProxy(office.redisUrl);
    const redis = connectTo(proxy.url);
    await untilReady(redis);
    const failing = new EventLog();
    const numbering = createNumbering({
      database: office.pool,
      redis,
      lock: 'always',
      observer: failing.observer,
    });
    await numbering.issue(to('FAILING'));
    const row = await holdRow('FAILING');
    const drawing = numbering.issue(to('FAILING'));
    const { lock } = await keyOf('FAILING');
    await until(async () => (await decision().exists(lock)) === 1);
    proxy.set('cutBeforeReply');
    await row.release();
    expect(await drawing).toMatchObject({ sequence: 2 });
    await until(() => failing.count('releaseFailed') > 0);
    await numbering.close();
    disconnect(redis);
    await proxy.close();
  });
});

test('a mark that arrives late does not lower the mark of a later number', async () => {
  if (office.redisUrl === undefined) throw new Error('this office has a Redis');
  const proxy = await startFaultProxy(office.redisUrl);
  const redis = connectTo(proxy.url);
  await untilReady(redis);
  const slow = createNumbering({ database: office.pool, redis, lock: 'never' });
  const prompt = await office.another({ lock: 'never' });
  const { state } = await keyOf('LATE');
  const markOf = () => decision().hget(state, 'last');
  await slow.issue(to('LATE'));
  await prompt.issue(to('LATE'));
  await until(async () => (await markOf()) === '2');
  proxy.set('blackHole');
  let sentCount = 0;
  const connection = redis as Redis;
  const send = connection.sendCommand.bind(connection);
  connection.sendCommand = (...command) => {
    sentCount += 1;
    return send(...command);
  };
  await slow.issue(to('LATE'));
  await until(() => sentCount > 0);
  await prompt.issue(to('LATE'));
  await until(async () => (await markOf()) === '4');
  proxy.set('pass');
  await redis.ping();
  expect(await markOf()).toBe('4');
  await slow.close();
  disconnect(redis);
  await proxy.close();
});

describe('lock: crowd', () => {
  let numbering: Numbering;
  const crowd = new EventLog();

  beforeAll(async () => {
    numbering = await office.another({ lock: 'crowd', observer: crowd.observer });
  });

  test('no lock is requested while rows are unlocked, however many callers there are', async () => {
    const { lock } = await keyOf('FREE');
    valuesOf(await race(200, () => numbering.issue(to('FREE'))));
    expect(crowd.count('lockWaited')).toBe(0);
    expect(await decision().exists(lock)).toBe(0);
  });

  test('after a wait for the row times out, the lock is taken first, and then the version is checked', async () => {
    await untilInTime('HELD', async (org) => {
      await numbering.issue(to(org));
      const row = await holdRow(org);
      const drawing = numbering.issue(to(org));
      const { lock } = await keyOf(org);
      const lateCount = crowd.count('fellBack');
      await until(async () => (await decision().exists(lock)) === 1 || crowd.count('fellBack') > lateCount);
      await row.release();
      const { sequence, guard } = await drawing;
      expect(sequence).toBe(2);
      return [guard];
    });
  });

  test('of four processes that request a locked row, only one waits for it', async () => {
    const others = await Promise.all([1, 2, 3, 4].map(() => office.another({ lock: 'crowd' })));
    await numbering.issue(to('QUEUE'));
    const row = await holdRow('QUEUE');
    const drawing = race(40, (index) => (others[index % 4] ?? numbering).issue(to('QUEUE')));
    const waiters = async () => {
      const { rows } = await office.database.pool.query(
        `SELECT count(*)::int AS count FROM pg_stat_activity
         WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      );
      return rows[0].count;
    };
    const { lock } = await keyOf('QUEUE');
    await until(async () => (await decision().exists(lock)) === 1);
    await until(async () => (await waiters()) === 1);
    await row.release();
    const drawn = valuesOf(await drawing).map(({ sequence }) => sequence);
    expect(drawn.sort((one, two) => one - two)).toEqual(Array.from({ length: 40 }, (_, index) => index + 2));
  });

  test('lock: never requests none, even after a wait timed out', async () => {
    const never = new EventLog();
    const unlocked = await office.another({ lock: 'never', observer: never.observer });
    await unlocked.issue(to('NEVER'));
    const row = await holdRow('NEVER');
    const drawing = unlocked.issue(to('NEVER'));
    await until(() => never.count('storeRetried') > 0);
    await row.release();
    expect(await drawing).toMatchObject({ sequence: 2, guard: 'row' });
    expect(never.count('lockWaited')).toBe(0);
  });
});

/** Removes the commits after `kept`, like a fail-over to a lagging replica or a restored backup. */
async function loseAfter(counterId: string | undefined, kept: number): Promise<void> {
  const admin = office.database.pool;
  await unguarded(admin, 'DELETE FROM document_numbers WHERE counter_id = $1 AND sequence > $2', [
    counterId,
    kept,
  ]);
  const lower = 'UPDATE document_number_counters SET last_number = $2, version = version - 1 WHERE id = $1';
  await unguarded(admin, lower, [counterId, kept]);
}

describe.each(['always', 'crowd', 'never'] as const)('marks, with lock: %s', (lock) => {
  test('a counter below its mark in Redis is a regression: nothing is issued until the lost numbers are recorded', async () => {
    const org = `BACK${lock}`;
    const seen = new EventLog();
    const numbering = await office.another({ lock, observer: seen.observer });
    const issued = await numbering.issueMany(to(org), 10);
    const { state } = await keyOf(org);
    await until(async () => (await decision().hget(state, 'last')) === '10');
    await loseAfter(issued[0]?.counterId, 6);
    const regression = { code: 'COUNTER_REGRESSION', lastNumber: 6, highWaterMark: 10, retryable: false };
    const restarted = await office.another({ lock });
    for (const one of [numbering, restarted]) {
      await expect(one.issue(to(org))).rejects.toMatchObject(regression);
    }
    expect(seen.last('regressionFound')).toMatchObject({ lastNumber: 6, highWaterMark: 10 });
    // A Redis that is late once leaves the marks unread, which it reports.
    await until(async () => {
      expect(await numbering.reconcile()).toContainEqual(
        expect.objectContaining({ kind: 'REGRESSION', lastNumber: 6, highWaterMark: 10 }),
      );
      return true;
    });
    const client = await office.database.pool.connect();
    await client.query('BEGIN');
    await expect(restarted.issueIn(client, to(org))).rejects.toMatchObject(regression);
    await client.query('ROLLBACK');
    client.release();
    const lost = { ...to(org), upTo: 10, reason: 'lost in the fail-over', actor: 'admin' };
    expect(await numbering.skipTo(lost)).toBe(4);
    expect((await numbering.issue(to(org))).sequence).toBe(11);
    expect((await restarted.issue(to(org))).sequence).toBe(12);
  });
});

test('a wrong mark set by hand refuses requests until it is removed', async () => {
  const numbering = await office.another({ lock: 'crowd' });
  await numbering.issue(to('WRONG'));
  const { state } = await keyOf('WRONG');
  await until(async () => (await decision().hget(state, 'last')) === '1');
  await decision().hset(state, 'last', '900000');
  const restarted = await office.another({ lock: 'crowd' });
  await expect(restarted.issue(to('WRONG'))).rejects.toMatchObject({ highWaterMark: 900_000 });
  await decision().del(state);
  expect((await restarted.issue(to('WRONG'))).sequence).toBe(2);
  await until(async () => (await decision().hget(state, 'last')) === '2');
});

test.each(['this process', 'a process that knows of it', 'a new process'] as const)(
  'a regression that a person accepts is none any more, to %s',
  async (who) => {
    const org = `ACC${who.length}`;
    const numbering = await office.another({ lock: 'crowd' });
    const knowing = await office.another({ lock: 'crowd' });
    const issued = await numbering.issueMany(to(org), 9);
    await knowing.issue(to(org));
    const { state } = await keyOf(org);
    await until(async () => (await decision().hget(state, 'last')) === '10');
    await loseAfter(issued[0]?.counterId, 6);
    await expect(numbering.issue(to(org))).rejects.toMatchObject({ code: 'COUNTER_REGRESSION' });
    const accepted = { ...to(org), reason: 'restored on purpose', actor: 'admin' };
    expect(await numbering.acceptRegression(accepted)).toEqual({ lastNumber: 6, highWaterMark: 10 });
    expect(await numbering.acceptRegression(accepted)).toMatchObject({ lastNumber: 6 });
    const others = { 'this process': numbering, 'a process that knows of it': knowing };
    const asked = who === 'a new process' ? await office.another({ lock: 'crowd' }) : others[who];
    const next = await asked.issueMany(to(org), 3);
    expect(next.map(({ sequence }) => sequence)).toEqual([7, 8, 9]);
    await until(async () => (await decision().hget(state, 'last')) === '9');
    // A later loss is a regression again, even below the accepted number.
    await loseAfter(issued[0]?.counterId, 7);
    for (const one of [asked, await office.another({ lock: 'crowd' })]) {
      await expect(one.issue(to(org))).rejects.toMatchObject({ lastNumber: 7, highWaterMark: 9 });
    }
    await numbering.skipTo({ ...to(org), upTo: 9, reason: 'lost', actor: 'admin' });
  },
);

test('the marks of one database do not affect another one that shares the Redis', async () => {
  await office.numbering.issueMany(to('SHARED'), 5);
  await using other = await openOffice(office.redisUrl ? { redis: office.redisUrl, lock: 'always' } : {});
  await withSeries(other.numbering);
  expect((await other.numbering.issue(to('SHARED'))).sequence).toBe(1);
});

test('the ledger is gapless after all of this', async () => {
  await assertGapless(office.database.pool);
});
