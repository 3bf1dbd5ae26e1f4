import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { CircuitBreaker } from '@solegate/redis-infra';
import { type RedisTestServer, startFaultProxy, startRedisServer, until } from '@solegate/testkit';
import type { Redis } from 'ioredis';
import pg from 'pg';
import { toSettings } from '../src/contract/checks.js';
import { createNumbering, type Numbering } from '../src/index.js';
import { HighWaterMarks } from '../src/redis/high-water-marks.js';
import { lockKey } from '../src/request/resolved-request.js';
import {
  assertGapless,
  connectTo,
  EventLog,
  type Office,
  openOffice,
  rfa,
  unguarded,
  untilBlockedBy,
  withSeries,
} from './number-office.js';

/** Marks of counters in Redis: who raises them, and what a counter below its mark, or without a row, then does. */
let office: Office;
/** Its own: all its clients are disconnected, and its data are removed. */
let server: RedisTestServer;

beforeAll(async () => {
  server = await startRedisServer();
  office = await openOffice({ redis: server.url });
  await withSeries(office.numbering);
});

afterAll(async () => {
  await office?.[Symbol.asyncDispose]();
  await server?.stop();
});

const to = (org: string) => ({ ...rfa, dimensions: { ORG: org, DISCIPLINE: 'STR' } });

function redis(): Redis {
  if (!office.redis) throw new Error('this office has a Redis');
  return office.redis as Redis;
}

async function markKey(org: string): Promise<string> {
  const [series] = await office.numbering.listSeries({ space: 'P1' });
  if (!series) throw new Error('no series');
  const dimensions = { DISCIPLINE: 'STR', ORG: org };
  return lockKey({ series, dimensions, period: String(new Date().getFullYear()) }).state;
}

const markOf = async (org: string) => redis().hget(await markKey(org), 'last');

const untilMarked = (org: string, last: number) =>
  until(async () => (await markOf(org)) === String(last), { what: `the mark ${last} of ${org}` });

/** Ends all connections; they come back. */
const disconnectAll = () => server.client().client('KILL', 'TYPE', 'normal', 'SKIPME', 'yes');

async function counterId(org: string): Promise<string> {
  const { rows } = await office.database.pool.query(
    `SELECT id FROM document_number_counters WHERE dimensions LIKE '%"' || $1 || '"%'`,
    [org],
  );
  return rows[0].id;
}

/** Removes the commits after `kept`, as a restored backup does, and the whole counter without it. */
async function loseAfter(org: string, kept?: number): Promise<void> {
  const admin = office.database.pool;
  const id = await counterId(org);
  const rows = 'DELETE FROM document_numbers WHERE counter_id = $1 AND sequence > $2';
  await unguarded(admin, rows, [id, kept ?? 0]);
  if (kept === undefined) await unguarded(admin, 'DELETE FROM document_number_counters WHERE id = $1', [id]);
  const lower = 'UPDATE document_number_counters SET last_number = $2, version = version - 1 WHERE id = $1';
  if (kept !== undefined) await unguarded(admin, lower, [id, kept]);
}

async function inTransaction(work: (client: pg.PoolClient) => Promise<unknown>, end = 'COMMIT') {
  const client = await office.database.pool.connect();
  await client.query('BEGIN');
  await work(client);
  await client.query(end);
  client.release();
}

const admin = { actor: 'admin', reason: 'by hand' };
const WAYS: Readonly<Record<string, (numbering: Numbering, org: string) => Promise<unknown>>> = {
  issue: (numbering, org) => numbering.issue(to(org)),
  issueMany: (numbering, org) => numbering.issueMany(to(org), 3),
  'issueIn, when the caller has committed': (numbering, org) =>
    inTransaction((client) => numbering.issueIn(client, to(org))),
  'issueAllIn, when the caller has committed': (numbering, org) =>
    inTransaction((client) => numbering.issueAllIn(client, [to(org), to(org)])),
  assign: (numbering, org) => numbering.assign({ ...to(org), sequence: 9, ...admin }),
  skipTo: (numbering, org) => numbering.skipTo({ ...to(org), upTo: 9, ...admin }),
  importNumbers: (numbering, org) => {
    const rows = [{ ...to(org), sequence: 6, date: new Date() }];
    return numbering.importNumbers({ space: 'P1', actor: 'admin', rows });
  },
  voidAndReplace: async (numbering, org) => {
    const [first] = (await numbering.listNumbers({ space: 'P1', dimensions: to(org).dimensions })).items;
    const number = first?.item.number ?? '';
    return numbering.voidAndReplace({ space: 'P1', number, replacement: to(org), ...admin });
  },
  'reserve and confirm': async (numbering, org) => {
    const { token } = await numbering.reserve(to(org));
    return numbering.confirm({ token, actor: 'admin' });
  },
  'a writer': (numbering, org) =>
    numbering.registerWriter('none', async () => undefined).issue(to(org), { title: 'x' }),
};

describe.each(Object.keys(WAYS))('%s', (way) => {
  test('raises the mark, so that no process issues the number again after a restore', async () => {
    const org = `WAY${Object.keys(WAYS).indexOf(way)}`;
    const numbering = await office.another();
    await numbering.issueMany(to(org), 5);
    await WAYS[way]?.(numbering, org);
    const [last] = (await numbering.listCounters({ space: 'P1', dimensions: to(org).dimensions })).items;
    await untilMarked(org, last?.item.lastNumber ?? 0);
    expect(last?.item.lastNumber).toBeGreaterThan(5);
    await loseAfter(org, 5);
    const regression = { code: 'COUNTER_REGRESSION', lastNumber: 5, highWaterMark: last?.item.lastNumber };
    const restarted = await office.another();
    await expect(restarted.issue(to(org))).rejects.toMatchObject(regression);
    await restarted.skipTo({ ...to(org), upTo: last?.item.lastNumber ?? 0, ...admin });
    await numbering.close();
  });
});

test.each(['a process that has seen PostgreSQL change', 'a process that starts'] as const)(
  '%s asks for marks until a slow Redis replies',
  async (who) => {
    const org = `SLOW${who.length}`;
    const running = await office.another();
    await running.issue(to(org));
    await office.numbering.issueMany(to(org), 4);
    await untilMarked(org, 5);
    await loseAfter(org, 2);
    // As after a fail-over, the tables are other ones.
    await office.database.pool.query('VACUUM FULL document_number_counters');
    const numbering = who === 'a process that starts' ? await office.another() : running;
    await numbering.listSeries({ space: 'P1' });
    await server.client().client('PAUSE', 300);
    const regression = { code: 'COUNTER_REGRESSION', lastNumber: 2, highWaterMark: 5 };
    await expect(numbering.issue(to(org))).rejects.toMatchObject(regression);
    await numbering.skipTo({ ...to(org), upTo: 5, ...admin });
  },
);

test('a number below the mark is not assigned, but those that nobody has got are', async () => {
  const log = new EventLog();
  await office.numbering.issueMany(to('BELOW'), 9);
  await untilMarked('BELOW', 9);
  await loseAfter('BELOW', 5);
  const knowing = office.numbering;
  const restarted = await office.another({ observer: log.observer });
  const regression = { code: 'COUNTER_REGRESSION', lastNumber: 5, highWaterMark: 9 };
  for (const numbering of [knowing, restarted])
    for (const sequence of [6, 9])
      await expect(numbering.assign({ ...to('BELOW'), sequence, ...admin })).rejects.toMatchObject(
        regression,
      );
  expect(log.last('regressionFound')).toMatchObject({ lastNumber: 5, highWaterMark: 9 });
  expect((await restarted.assign({ ...to('BELOW'), sequence: 10, ...admin })).sequence).toBe(10);
  expect((await knowing.issue(to('BELOW'))).sequence).toBe(11);
});

test('a number of the manual interval is assigned whatever the mark', async () => {
  const manualInterval = { first: 900, last: 999 };
  await withSeries(office.numbering, {
    series: 'SPARE',
    template: 'S{ORG}/{DISCIPLINE}/{YEAR}/{SEQ:4}',
    manualInterval,
  });
  const manual = { ...to('MANUAL'), series: 'SPARE' };
  await office.numbering.issueMany(manual, 9);
  await loseAfter('MANUAL', 5);
  expect((await office.numbering.assign({ ...manual, sequence: 901, ...admin })).sequence).toBe(901);
  await expect(office.numbering.assign({ ...manual, sequence: 7, ...admin })).rejects.toMatchObject({
    code: 'COUNTER_REGRESSION',
  });
});

const BY_HAND = ['assign', 'skipTo', 'importNumbers'] as const;

describe.each(BY_HAND)('%s', (way) => {
  const org = `HAND${BY_HAND.indexOf(way)}`;

  test('raises the mark also if the reply to its COMMIT is lost', async () => {
    await using proxy = await startFaultProxy(office.database.url);
    const pool = new pg.Pool({ connectionString: proxy.url });
    pool.on('error', () => undefined);
    const numbering = createNumbering({ database: pool, redis: redis() });
    await numbering.issueMany(to(org), 5);
    await untilMarked(org, 5);
    proxy.set('cutAfterReply', { count: 1, matching: 'COMMIT' });
    await expect(WAYS[way]?.(numbering, org)).rejects.toMatchObject({ code: 'OUTCOME_UNKNOWN' });
    await untilMarked(org, way === 'importNumbers' ? 6 : 9);
    await numbering.close();
    await pool.end();
  });

  test('raises the mark before the numbering is closed', async () => {
    const numbering = await office.another();
    await numbering.issueMany(to(`${org}C`), 5);
    const holder = await office.database.pool.connect();
    await holder.query('BEGIN');
    await office.numbering.issueIn(holder, to(`${org}C`));
    const taken = WAYS[way]?.(numbering, `${org}C`);
    await untilBlockedBy(office, holder);
    const closed = numbering.close();
    await holder.query('ROLLBACK');
    holder.release();
    await taken;
    await closed;
    expect(await markOf(`${org}C`)).toBe(way === 'importNumbers' ? '6' : '9');
  });
});

test('a number that was drawn in a transaction and rolled back raises no mark', async () => {
  await office.numbering.issue(to('ROLLED'));
  await inTransaction((client) => office.numbering.issueIn(client, to('ROLLED')), 'ROLLBACK');
  await inTransaction((client) => office.numbering.issueIn(client, to('COMMITTED')));
  await untilMarked('COMMITTED', 1);
  expect(await markOf('ROLLED')).toBe('1');
  expect((await office.numbering.issue(to('ROLLED'))).sequence).toBe(2);
});

test('a mark that Redis refuses is written again until it accepts it', async () => {
  const log = new EventLog();
  const numbering = await office.another({ observer: log.observer });
  await redis().set(await markKey('REFUSED'), 'not a hash');
  await numbering.issue(to('REFUSED'));
  await until(() => log.count('releaseFailed') > 0);
  await redis().del(await markKey('REFUSED'));
  await untilMarked('REFUSED', 1);
});

test('positions that a process knows are written again after each reconnect, its own and those it has read', async () => {
  const other = await office.another();
  await other.issueMany(to('OWN'), 3);
  await other.issueMany(to('READ'), 3);
  await untilMarked('READ', 3);
  await office.numbering.issue(to('OWN'));
  await untilMarked('OWN', 4);
  await office.numbering.issue(to('READ'));
  await other.close();
  await redis().del(await markKey('OWN'), await markKey('READ'));
  await disconnectAll();
  await untilMarked('OWN', 4);
  await untilMarked('READ', 4);
});

describe('a counter that is gone, restored to before its first number', () => {
  test.each(['with a mark', 'without one'])('is opened anew, %s', async (what) => {
    const org = `GONE${what === 'with a mark' ? 1 : 2}`;
    const knowing = await office.another();
    await knowing.issueMany(to(org), 3);
    await untilMarked(org, 3);
    await office.numbering.issue(to(org));
    await untilMarked(org, 4);
    await loseAfter(org);
    if (what === 'without one') await redis().del(await markKey(org));
    // Both know of numbers, one of all and one of the first three.
    for (const one of [knowing, office.numbering]) {
      await expect(one.issue(to(org))).rejects.toMatchObject({ code: 'COUNTER_REGRESSION', lastNumber: 0 });
    }
    await office.numbering.skipTo({ ...to(org), upTo: 4, ...admin });
    expect((await knowing.issue(to(org))).sequence).toBe(5);
    expect((await office.numbering.issue(to(org))).sequence).toBe(6);
    await knowing.close();
  });

  test('is refused as what it is if its series is gone, too', async () => {
    await withSeries(office.numbering, { series: 'LOST', template: 'L{ORG}/{DISCIPLINE}/{YEAR}/{SEQ:4}' });
    const lost = { ...to('GONE3'), series: 'LOST' };
    await office.numbering.issue(lost);
    await office.numbering.issue(to('HERE'));
    await loseAfter('GONE3');
    const { pool } = office.database;
    const ofSeries = "(SELECT id FROM document_number_series WHERE code = 'LOST')";
    await unguarded(pool, `DELETE FROM document_number_formats WHERE series_id = ${ofSeries}`);
    await unguarded(pool, "DELETE FROM document_number_series WHERE code = 'LOST'");
    const asked = [office.numbering.issue(lost), office.numbering.issue(to('HERE'))];
    await expect(asked[0]).rejects.toMatchObject({ code: 'UNKNOWN_SERIES' });
    expect((await asked[1])?.sequence).toBe(2);
  });

  test('is opened anew with its first number, if nobody knows of another', async () => {
    await inTransaction((client) => office.numbering.issueIn(client, to('UNKNOWN')), 'ROLLBACK');
    const numbering = await office.another();
    await expect(numbering.issue({ ...to('UNKNOWN'), id: 'x' })).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
    });
    expect((await numbering.issue(to('UNKNOWN'))).sequence).toBe(1);
  });
});

test('positions are remembered for the 50,000 counters that rose last, while Redis is away', async () => {
  const connection = connectTo(server.url);
  const dropped: string[] = [];
  const marks = new HighWaterMarks({
    redis: connection,
    circuit: new CircuitBreaker({ failureMax: 2, openMs: 500 }),
    ...toSettings({ database: office.pool }),
  });
  marks.start(() => undefined);
  const keys = Array.from({ length: 50_002 }, (_, index) => `doc_num:{MANY}:${index}`);
  for (const key of keys) marks.raise(key, { version: 1, last: 1 });
  await until(async () => (await redis().exists(keys.at(-1) ?? '')) === 1);
  for (const key of keys.slice(0, 4)) if ((await redis().exists(key)) === 0) dropped.push(key);
  expect(dropped).toEqual(keys.slice(0, 2));
  // Marks that are only read, as reconcile does with all of them, take no place.
  await redis().hset('doc_num:{READ}:1', { version: 1, last: 1 });
  await until(async () => (await marks.read(['doc_num:{READ}:1']))?.[0]?.last === 1);
  await redis().del(keys[2] ?? '');
  connection.disconnect(true);
  await until(async () => (await redis().exists(keys[2] ?? '')) === 1);
  await marks.close();
  connection.disconnect();
});

test('an accepted regression stays accepted when a process writes again what it knew before', async () => {
  const knowing = await office.another();
  await knowing.issueMany(to('ACCEPTED'), 9);
  await untilMarked('ACCEPTED', 9);
  await loseAfter('ACCEPTED', 5);
  const numbering = await office.another();
  await expect(numbering.issue(to('ACCEPTED'))).rejects.toMatchObject({ code: 'COUNTER_REGRESSION' });
  expect(await numbering.acceptRegression({ ...to('ACCEPTED'), ...admin })).toEqual({
    lastNumber: 5,
    highWaterMark: 9,
  });
  await untilMarked('ACCEPTED', 5);
  await redis().del(await markKey('ACCEPTED'));
  // All connections come back, also that of the process that does not know yet.
  await disconnectAll();
  await untilMarked('ACCEPTED', 5);
  expect((await knowing.issue(to('ACCEPTED'))).sequence).toBe(6);
  expect((await (await office.another()).issue(to('ACCEPTED'))).sequence).toBe(7);
  await untilMarked('ACCEPTED', 7);
  // Put back to before the acceptance, any number might be one of those given out since.
  const before = 'UPDATE document_number_counters SET version = 1 WHERE id = $1';
  await unguarded(office.database.pool, before, [await counterId('ACCEPTED')]);
  await expect((await office.another()).issue(to('ACCEPTED'))).rejects.toMatchObject({ highWaterMark: 7 });
  await numbering.acceptRegression({ ...to('ACCEPTED'), ...admin });
  expect((await numbering.issue(to('ACCEPTED'))).sequence).toBe(8);
});

test('a process that starts raises the marks of all counters of the last 30 days', async () => {
  for (const org of ['START', 'OLD']) await office.numbering.issueMany(to(org), 4);
  await inTransaction((client) => office.numbering.issueIn(client, to('EMPTY')), 'ROLLBACK');
  await untilMarked('OLD', 4);
  const old = "UPDATE document_number_counters SET updated_at = now() - interval '31 days' WHERE id = $1";
  await unguarded(office.database.pool, old, [await counterId('OLD')]);
  await redis().flushall();
  await office.another();
  await untilMarked('START', 4);
  expect(await markOf('OLD')).toBe(null);
  expect(await markOf('EMPTY')).toBe(null);
});

test('the ledger is gapless after all of this', async () => {
  await assertGapless(office.database.pool);
});

test('marks that wait for Redis are counted until it has them', async () => {
  await using own = await startRedisServer();
  await using another = await openOffice({ redis: own.url });
  await withSeries(another.numbering);
  expect(another.numbering.waitingMarkCount()).toBe(0);
  await own.kill();
  await another.numbering.issue(rfa);
  await until(() => another.numbering.waitingMarkCount() === 1);
  await own.restart();
  await until(() => another.numbering.waitingMarkCount() === 0);
});

test('a mark is counted while Redis does not answer for it', async () => {
  await using own = await startRedisServer();
  await using another = await openOffice({ redis: own.url });
  await withSeries(another.numbering);
  await own.client().client('PAUSE', 60_000, 'ALL');
  await another.numbering.issue(rfa);
  const seen: number[] = [];
  await until(
    () => seen.push(another.numbering.waitingMarkCount()) > 100 && another.redis?.status !== 'ready',
  );
  expect(new Set(seen)).toEqual(new Set([1]));
});
