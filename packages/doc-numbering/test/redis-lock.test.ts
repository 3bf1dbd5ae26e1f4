import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createLockManager } from '@solegate/redis-infra';
import { type FaultProxy, startFaultProxy, until } from '@solegate/testkit';
import { createNumbering, type SqlPool } from '../src/index.js';
import { lockKey } from '../src/lock-key.js';
import {
  assertGapless,
  closePair,
  connectPair,
  EventLog,
  type Office,
  openOffice,
  rfa,
  untilReady,
  withSeries,
} from './number-office.js';

const log = new EventLog();
let office: Office;

beforeAll(async () => {
  office = await openOffice({ redis: true, events: log.events });
  await withSeries(office.numbering);
});

afterAll(async () => {
  await office[Symbol.asyncDispose]();
});

const to = (org: string) => ({ ...rfa, dimensions: { ORG: org, DISCIPLINE: 'STR' } });

async function keyOf(org: string, period: string) {
  const [series] = await office.numbering.listSeries({ space: 'P1' });
  if (!series) throw new Error('no series');
  const dimensions = { DISCIPLINE: 'STR', ORG: org };
  return lockKey({ series, dimensions, dimensionsKey: JSON.stringify(dimensions), period });
}

test('the lock has the name that other apps take with redlock', async () => {
  const { lock } = await keyOf('PAT', '2026');
  expect(lock).toBe('doc_num:{P1}:PAT:RFA:STR:2026');
});

test('a lock is kept for the next flight, goes to who wants it at once, and is given back when nobody does', async () => {
  const { period } = await office.numbering.issue(to('KEPT'));
  const { lock, state } = await keyOf('KEPT', period);
  const { decision } = office.redis ?? {};
  const before = log.count('lockWaited');
  for (let time = 0; time < 5; time += 1) await office.numbering.issue(to('KEPT'));
  expect(log.count('lockWaited')).toBe(before + 5);
  const other = await office.another();
  expect(await other.issue(to('KEPT'))).toMatchObject({ sequence: 7, guard: 'redis+version', retryCount: 0 });
  await until(async () => (await decision?.exists(lock)) === 0);
  expect(await decision?.hget(state, 'last')).toBe('7');
});

test('the lock of a process that has died is taken over at once', async () => {
  const { period } = await office.numbering.issue(to('DEAD'));
  const { lock } = await keyOf('DEAD', period);
  const { decision } = office.redis ?? {};
  await until(async () => (await decision?.exists(lock)) === 0);
  await decision?.set(lock, 'deadbeef.1', 'PX', 3000);
  expect(await office.numbering.issue(to('DEAD'))).toMatchObject({ sequence: 2, guard: 'redis+version' });
});

test('a lock that redlock holds is waited for, for a tenth of a second, then the row decides', async () => {
  const { period } = await office.numbering.issue(to('LOCKED'));
  const { lock } = await keyOf('LOCKED', period);
  if (!office.redis) throw new Error('this office has a Redis');
  const { decision } = office.redis;
  await until(async () => (await decision.exists(lock)) === 0);
  const manager = createLockManager([decision]);
  const held = await manager.tryAcquire(lock, { ttlMs: 3000 });
  expect(held.kind).toBe('held');
  const issued = await office.numbering.issue(to('LOCKED'));
  expect(issued).toMatchObject({ sequence: 2, guard: 'row' });
  expect(log.last('fellBack')).toMatchObject({ reason: 'busy' });
  if (held.kind === 'held') await held.lock.release();
});

test('redlock finds the lock busy while a number is drawn, and free afterwards', async () => {
  const { period } = await office.numbering.issue(to('BUSY'));
  const { lock } = await keyOf('BUSY', period);
  const client = await office.database.pool.connect();
  await client.query('BEGIN');
  await client.query('SELECT FROM document_number_counters FOR UPDATE');
  const drawing = office.numbering.issue(to('BUSY'));
  if (!office.redis) throw new Error('this office has a Redis');
  const { decision } = office.redis;
  await until(async () => (await decision.exists(lock)) === 1);
  const manager = createLockManager([decision]);
  expect((await manager.tryAcquire(lock, { ttlMs: 1000 })).kind).toBe('busy');
  await client.query('ROLLBACK');
  client.release();
  await drawing;
  await until(async () => (await decision.exists(lock)) === 0);
});

test('a counter that others move without the lock is read again at once, then its row is used', async () => {
  const numbering = await office.another({ lockWaitMs: 1000 });
  await numbering.issue(to('MOVED'));
  const bare = await office.another();
  await bare.issue(to('MOVED'));
  const before = log.count('versionConflicted');
  const { decision } = office.redis ?? {};
  await decision?.flushdb();
  const issued = await numbering.issue(to('MOVED'));
  expect(issued).toMatchObject({ sequence: 3, retryCount: 1 });
  expect(log.count('versionConflicted')).toBe(before + 1);
});

test('while others move a counter without its lock, the lock is taken and the row keeps order; then the version does again', async () => {
  let nowMs = Date.now();
  let moves = 3;
  const bare = createNumbering({ database: office.pool });
  const query: SqlPool['query'] = async (statement) => {
    if (statement.name?.startsWith('doc_num_draw') && moves > 0) {
      moves -= 1;
      await bare.issue(to('CROWD'));
    }
    return office.pool.query(statement);
  };
  const database = { query, connect: () => office.pool.connect() };
  const numbering = await office.another({ database, lockWaitMs: 1000, now: () => nowMs });
  const next = () => numbering.issue(to('CROWD'));
  expect(await next()).toMatchObject({ sequence: 4, guard: 'row', retryCount: 2 });

  const before = log.count('lockWaited');
  expect(await next()).toMatchObject({ sequence: 5, guard: 'row' });
  expect(log.count('lockWaited')).toBe(before + 1);
  expect(log.last('lockWaited')).toMatchObject({ outcome: 'held' });

  nowMs += 500;
  expect(await next()).toMatchObject({ sequence: 6, guard: 'redis+version', retryCount: 0 });
});

test('a holder whose lock ended in flight is stopped by the version, and draws after a pause', async () => {
  const numbering = await office.another({ lockTtlMs: 100, random: () => 0.05 });
  await numbering.issue(to('ENDED'));
  const client = await office.database.pool.connect();
  await client.query('BEGIN');
  await client.query('SELECT FROM document_number_counters FOR UPDATE');
  const drawing = numbering.issue(to('ENDED'));
  const { decision } = office.redis ?? {};
  const { lock } = await keyOf('ENDED', String(new Date().getFullYear()));
  await until(async () => (await decision?.exists(lock)) === 0);
  await client.query('COMMIT');
  client.release();
  const other = await office.numbering.issue(to('ENDED'));
  expect([(await drawing).sequence, other.sequence].sort((one, two) => one - two)).toEqual([2, 3]);
});

test('a counter below what Redis remembers is a regression: nothing is issued until the lost numbers are named', async () => {
  const issued = await office.numbering.issueMany(to('BACK'), 10);
  const admin = office.database.pool;
  // As a fail-over to a replica that lags, or a restored backup: four commits are gone.
  await admin.query(
    'ALTER TABLE document_numbers DISABLE TRIGGER USER; ALTER TABLE document_number_counters DISABLE TRIGGER USER',
  );
  await admin.query('DELETE FROM document_numbers WHERE counter_id = $1 AND sequence > 6', [
    issued[0]?.counterId,
  ]);
  await admin.query(
    'UPDATE document_number_counters SET last_number = 6, version = version - 1 WHERE id = $1',
    [issued[0]?.counterId],
  );
  await admin.query(
    'ALTER TABLE document_numbers ENABLE TRIGGER USER; ALTER TABLE document_number_counters ENABLE TRIGGER USER',
  );
  const regression = { code: 'COUNTER_REGRESSION', lastNumber: 6, highWaterMark: 10, retryable: false };
  const restarted = await office.another();
  for (const numbering of [office.numbering, restarted]) {
    await expect(numbering.issue(to('BACK'))).rejects.toMatchObject(regression);
  }
  expect(log.last('regressionFound')).toMatchObject({ lastNumber: 6, highWaterMark: 10 });
  expect(await office.numbering.reconcile()).toContainEqual(
    expect.objectContaining({ kind: 'regression', lastNumber: 6, highWaterMark: 10 }),
  );
  expect(
    await office.numbering.skipTo({
      ...to('BACK'),
      upTo: 10,
      reason: 'lost in the fail-over',
      actor: 'admin',
    }),
  ).toBe(4);
  expect((await office.numbering.issue(to('BACK'))).sequence).toBe(11);
  expect((await restarted.issue(to('BACK'))).sequence).toBe(12);
});

test('what one database knows means nothing for another that shares the Redis', async () => {
  await office.numbering.issueMany(to('SHARED'), 5);
  await using other = await openOffice(office.redisUrl ? { redis: office.redisUrl } : {});
  await withSeries(other.numbering);
  expect((await other.numbering.issue(to('SHARED'))).sequence).toBe(1);
});

test('giving a lock back may fail: the number is there all the same, and nobody waits for it', async () => {
  if (office.redisUrl === undefined) throw new Error('this office has a Redis');
  const proxy: FaultProxy = await startFaultProxy(office.redisUrl);
  const pair = connectPair(proxy.url);
  await untilReady(pair);
  const failing = new EventLog();
  const { createNumbering } = await import('../src/index.js');
  const numbering = createNumbering({ database: office.pool, redis: pair, events: failing.events });
  await numbering.issue(to('GIVEN'));
  proxy.set('cutBeforeReply', { matching: 'doc_num:inbox:' });
  const issued = await numbering.issue(to('GIVEN'));
  expect(issued.sequence).toBe(2);
  await until(() => failing.count('releaseFailed') > 0);
  await numbering.close();
  closePair(pair);
  await proxy.close();
});

test('nothing of all this left a hole', async () => {
  await assertGapless(office.database.pool);
});
