import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { connectRedis } from '@solegate/redis-infra';
import {
  type FaultProxy,
  type PostgresTestServer,
  startFaultProxy,
  startPostgresServer,
  until,
} from '@solegate/testkit';
import { createNumbering, type Numbering } from '../src/index.js';
import {
  assertGapless,
  connectTo,
  disconnect,
  type Office,
  openOffice,
  rfa,
  unguarded,
  untilReady,
  withSeries,
} from './number-office.js';

/** A server that does not respond, without closing its connections: every call still settles. */
const TIMEOUT_MS = 1500;

const to = (org: string) => ({ ...rfa, dimensions: { ORG: org, DISCIPLINE: 'STR' } });

/** The outcome of a call. If a call never settles, the test times out. */
const codeOf = (call: () => Promise<unknown>): Promise<string> =>
  call().then(
    () => 'done',
    (error: { code?: string; message?: string }) => error.code ?? error.message ?? '',
  );

/** Every call, with the outcomes allowed while the server does not respond. */
const calls = (numbering: Numbering): readonly (readonly [string, () => Promise<unknown>, string[]])[] => [
  ['issue', () => numbering.issue(to('A')), ['OUTCOME_UNKNOWN', 'STORE_UNAVAILABLE']],
  ['issue of a new counter', () => numbering.issue(to('NEW')), ['OUTCOME_UNKNOWN', 'STORE_UNAVAILABLE']],
  ['issueMany', () => numbering.issueMany(to('A'), 5), ['OUTCOME_UNKNOWN', 'STORE_UNAVAILABLE']],
  ['reserve', () => numbering.reserve(to('A')), ['OUTCOME_UNKNOWN', 'STORE_UNAVAILABLE']],
  [
    'assign',
    () => numbering.assign({ ...to('A'), sequence: 999, reason: 'x' }),
    ['OUTCOME_UNKNOWN', 'STORE_UNAVAILABLE'],
  ],
  [
    'void',
    () => numbering.void({ space: 'P1', number: 'A-RFA-STR-2026-0001', reason: 'x', actor: 'x' }),
    ['OUTCOME_UNKNOWN', 'STORE_UNAVAILABLE'],
  ],
  ['expireReservations', () => numbering.expireReservations(), ['OUTCOME_UNKNOWN', 'STORE_UNAVAILABLE']],
  ['findNumber', () => numbering.findNumber({ space: 'P1', number: 'x' }), ['STORE_UNAVAILABLE']],
  ['listNumbers', () => numbering.listNumbers({}), ['STORE_UNAVAILABLE']],
  ['preview', () => numbering.preview(to('A')), ['STORE_UNAVAILABLE']],
];

/** Keeps the event loop from running. */
const stall = (ms: number) => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

async function expectAllToEnd(numbering: Numbering): Promise<void> {
  const ended = await Promise.all(
    calls(numbering).map(async ([name, call, allowed]) => ({ name, allowed, code: await codeOf(call) })),
  );
  for (const { name, code, allowed } of ended) {
    expect({ name, code: allowed.includes(code) ? 'allowed' : code }).toEqual({ name, code: 'allowed' });
  }
}

describe('PostgreSQL behind a network that drops all packets', () => {
  let office: Office;
  let proxy: FaultProxy;

  beforeAll(async () => {
    office = await openOffice({
      requestTimeoutMs: TIMEOUT_MS,
      poolMax: 4,
      through: async (url) => {
        proxy = await startFaultProxy(url);
        return proxy.url;
      },
    });
    await withSeries(office.numbering);
    await office.numbering.issue(to('A'));
  });

  afterAll(async () => {
    proxy.set('pass');
    await office[Symbol.asyncDispose]();
    await proxy.close();
  });

  test('every call settles, also when all connections are in use', async () => {
    proxy.set('blackHole');
    try {
      for (let round = 0; round < 2; round += 1) await expectAllToEnd(office.numbering);
    } finally {
      proxy.set('pass');
    }
  });

  test.each([
    ['', 0],
    [', also by a process that stood still when the draw ended', 400],
    [', also by one that stood still from a look for late requests on', 1000],
  ])(
    'who waits behind a draw that gets no reply is answered that PostgreSQL cannot be reached%s',
    async (_, stillMs) => {
      const numbering = await office.another();
      await numbering.issue(to('BEHIND'));
      proxy.set('blackHole');
      const sent = new Promise((resolve) => setImmediate(resolve));
      const first = codeOf(() => numbering.issue(to('BEHIND')));
      await sent;
      const behind = codeOf(() => numbering.issue(to('BEHIND')));
      setTimeout(() => stall(stillMs), TIMEOUT_MS - stillMs / 2);
      const codes = await Promise.all([first, behind]).finally(() => proxy.set('pass'));
      expect(codes).toEqual(['OUTCOME_UNKNOWN', 'STORE_UNAVAILABLE']);
    },
  );

  test('when the network recovers, numbers are issued, and none is missing or duplicated', async () => {
    await Promise.all(Array.from({ length: 20 }, () => office.numbering.issue(to('A'))));
    await assertGapless(office.database.pool);
  });

  test('close settles while calls are pending', async () => {
    const numbering = await office.another();
    await numbering.issue(to('A'));
    proxy.set('blackHole');
    const asked = numbering.issue(to('A')).catch((error: { code?: string }) => error.code);
    await numbering.close();
    expect(await asked).toBe('OUTCOME_UNKNOWN');
    proxy.set('pass');
  });
});

describe('a stopped PostgreSQL', () => {
  let server: PostgresTestServer;
  let office: Office;

  beforeAll(async () => {
    server = await startPostgresServer();
    office = await openOffice({ requestTimeoutMs: TIMEOUT_MS, serverUrl: server.url });
    await withSeries(office.numbering);
    await office.numbering.issue(to('A'));
  });

  afterAll(async () => {
    await office[Symbol.asyncDispose]();
    await server.stop();
  });

  test('every call settles, and calls succeed again when the server resumes', async () => {
    await server.pause();
    await expectAllToEnd(office.numbering);
    await server.resume();
    await office.numbering.issue(to('A'));
    await assertGapless(office.database.pool);
  });
});

describe('a Redis that does not respond', () => {
  test.each(['crowd', 'always', 'never'] as const)(
    'keeps no number waiting with lock: %s',
    async (lock) => {
      await using office = await openOffice({ redis: true });
      await withSeries(office.numbering);
      if (!office.redisUrl) throw new Error('this office has a Redis');
      await using proxy = await startFaultProxy(office.redisUrl);
      // If callers waited for Redis, this would exceed the test's time limit.
      const commandTimeoutMs = 60_000;
      const redis = connectRedis({ url: proxy.url, purpose: 'decision', commandTimeoutMs });
      await untilReady(redis);
      const numbering = createNumbering({ database: office.pool, redis, lock });
      await numbering.issue(to('A'));
      for (const mode of ['blackHole', 'reset'] as const) {
        proxy.set(mode);
        await Promise.all(Array.from({ length: 50 }, (_, index) => numbering.issue(to(`A${index % 5}`))));
      }
      proxy.set('pass');
      await numbering.close();
      disconnect(redis);
      await assertGapless(office.database.pool);
    },
    50_000,
  );

  test('is asked again for what a person checks or accepts', async () => {
    await using office = await openOffice({ redis: true });
    await withSeries(office.numbering);
    await office.numbering.issueMany(to('A'), 5);
    await until(() => office.numbering.waitingMarkCount() === 0);
    const admin = office.database.pool;
    await unguarded(admin, 'DELETE FROM document_numbers WHERE sequence > 1');
    await unguarded(admin, 'UPDATE document_number_counters SET last_number = 1');
    await using proxy = await startFaultProxy(office.redisUrl ?? '');
    const redis = connectTo(proxy.url);
    await untilReady(redis);
    const numbering = createNumbering({ database: office.pool, redis });
    const whileSlow = async <Answer>(call: () => Promise<Answer>): Promise<Answer> => {
      proxy.set({ delayMs: 250 });
      setTimeout(() => proxy.set('pass'), 300);
      return call();
    };
    const below = expect.objectContaining({ kind: 'REGRESSION', lastNumber: 1, highWaterMark: 5 });
    expect(await whileSlow(() => numbering.reconcile())).toEqual([below]);
    const accepted = await whileSlow(() =>
      numbering.acceptRegression({ ...to('A'), reason: 'x', actor: 'x' }),
    );
    expect(accepted).toEqual({ lastNumber: 1, highWaterMark: 5 });
    await numbering.close();
    disconnect(redis);
  });

  test('loses none of what reconcile found in the database', async () => {
    await using office = await openOffice({ redis: true });
    await withSeries(office.numbering, { dimensions: ['ORG'], template: '{ORG}-{TYPE}-{YEAR}-{SEQ:4}' });
    if (!office.redisUrl) throw new Error('this office has a Redis');
    const admin = office.database.pool;
    await office.numbering.issue({ ...rfa, dimensions: { ORG: 'A' } });
    await admin.query(`
      SELECT document_number_open_v1(array_agg(s.id), array_agg('{"ORG":"X' || n || '"}'), array_agg('2026'::text), 1000)
      FROM document_number_series s, generate_series(1, 5000) n`);
    await unguarded(admin, 'DELETE FROM document_numbers');
    const hole = expect.objectContaining({ kind: 'HOLE', first: 1, last: 1 });
    // A Redis on an overloaded machine might not reply in time either.
    const found = await until(async () => {
      const report = await office.numbering.reconcile();
      return report.length === 1 && report;
    });
    expect(found).toEqual([hole]);
    await using proxy = await startFaultProxy(office.redisUrl);
    for (const mode of [{ delayMs: 500 }, 'blackHole', 'reset'] as const) {
      const redis = connectTo(proxy.url);
      await untilReady(redis);
      proxy.set(mode);
      const numbering = createNumbering({ database: office.pool, redis });
      expect(await numbering.reconcile()).toEqual([hole, { kind: 'MARKS_UNREAD', counterCount: 5001 }]);
      proxy.set('pass');
      await numbering.close();
      disconnect(redis);
    }
  });
});
