import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type FaultProxy, race, startFaultProxy, until, valuesOf } from '@solegate/testkit';
import type pg from 'pg';
import {
  createNumbering,
  type IssuedNumber,
  type IssueRequest,
  type Numbering,
  type SqlStatement,
} from '../src/index.js';
import {
  assertGapless,
  EventLog,
  type Office,
  openOffice,
  rfa,
  rfaSeries,
  withSeries,
} from './number-office.js';

const log = new EventLog();
let proxy: FaultProxy;
let office: Office;

beforeAll(async () => {
  office = await openOffice({
    observer: log.observer,
    through: async (url) => {
      proxy = await startFaultProxy(url);
      return proxy.url;
    },
  });
  await withSeries(office.numbering, { template: '{ORG}-{TYPE}-{DISCIPLINE}-{YEAR}-{SEQ:6}' });
});

afterAll(async () => {
  await office[Symbol.asyncDispose]();
  await proxy.close();
});

const at = (org: string, key?: string) => ({
  ...rfa,
  dimensions: { ORG: org, DISCIPLINE: 'STR' },
  ...(key === undefined ? {} : { key }),
});

test('the same key gives the same number, concurrently and later', async () => {
  const both = await Promise.all([
    office.numbering.issue(at('KEY', 'k1')),
    office.numbering.issue(at('KEY', 'k1')),
  ]);
  const later = await office.numbering.issue(at('KEY', 'k1'));
  expect(both.map(({ replayed }) => replayed)).toEqual([false, true]);
  expect(new Set([...both, later].map(({ number }) => number)).size).toBe(1);
  expect(later.replayed).toBe(true);
});

test('an actor gets the answer of their key again while others are being refused for it', async () => {
  const own = at('OWNER', 'k-owner');
  const { number } = await office.numbering.issue(own);
  const calls = ['malee', 'anong', own.actor, 'malee'].map((actor) =>
    office.numbering.issue({ ...own, actor }),
  );
  const outcomes = await Promise.allSettled(calls);
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled', 'rejected']);
  expect(await calls[2]).toMatchObject({ number, replayed: true });
});

test('the same key with other content is KEY_REUSED, concurrently and later, and consumes no number', async () => {
  const other = { ...at('KEY', 'k2'), dimensions: { ORG: 'OTHER', DISCIPLINE: 'STR' } };
  const [first, second] = await race(2, (index) =>
    office.numbering.issue(index === 0 ? at('KEY', 'k2') : other),
  );
  expect(first?.status).toBe('fulfilled');
  expect(second).toMatchObject({
    status: 'rejected',
    reason: { code: 'KEY_REUSED', key: 'k2', retryable: false },
  });
  await expect(office.numbering.issue(other)).rejects.toMatchObject({ code: 'KEY_REUSED' });
  await expect(office.numbering.issue({ ...at('KEY', 'k2'), content: 'more' })).rejects.toMatchObject({
    code: 'KEY_REUSED',
  });
  await expect(office.numbering.issueMany(at('KEY', 'k2'), 2)).rejects.toMatchObject({ code: 'KEY_REUSED' });
});

test('the same key for another writer is KEY_REUSED, because that one would store no document', async () => {
  const stored: unknown[] = [];
  const [letters, copies] = ['letters', 'copies'].map((name) =>
    office.numbering.registerWriter<string>(name, async (_, items) => {
      for (const { document } of items) stored.push([name, document]);
    }),
  );
  const request = at('WRITER', 'k-writer');
  await letters?.issue(request, 'Hello');
  await expect(copies?.issue(request, 'Hello')).rejects.toMatchObject({ code: 'KEY_REUSED' });
  expect(await letters?.issue(request, 'Hello')).toMatchObject({ sequence: 1, replayed: true });
  expect(stored).toEqual([['letters', 'Hello']]);
});

const WAYS: Readonly<Record<string, (request: IssueRequest) => Promise<IssuedNumber | IssuedNumber[]>>> = {
  issue: (request) => office.numbering.issue(request),
  issueMany: (request) => office.numbering.issueMany(request, 2),
  reserve: (request) => office.numbering.reserve(request),
  issueIn: (request) => committed((client) => office.numbering.issueIn(client, request)),
};

test.each(Object.entries(WAYS))(
  'the key of another actor is KEY_REUSED for %s and gives no number away',
  async (way, request) => {
    const somchai = { ...at('MINE', `mine-${way}`), actor: 'somchai' };
    const first = [await request(somchai)].flat();
    await expect(request({ ...somchai, actor: 'malee' })).rejects.toMatchObject({ code: 'KEY_REUSED' });
    const again = [await request(somchai)].flat();
    expect(again).toMatchObject(first.map(({ number }) => ({ number, replayed: true })));
    expect((await office.numbering.preview(somchai)).sequence).toBe((first.at(-1)?.sequence ?? 0) + 1);
  },
);

test('of ten actors with one key in two processes, one gets the number', async () => {
  const another = await office.another();
  const outcomes = await race(10, (index) =>
    (index % 2 === 0 ? office.numbering : another).issue({ ...at('CROWD', 'ten'), actor: `clerk ${index}` }),
  );
  const codes = outcomes.map((outcome) =>
    outcome.status === 'rejected' ? outcome.reason.code : outcome.status,
  );
  expect(codes.filter((code) => code === 'fulfilled')).toHaveLength(1);
  expect(codes.filter((code) => code === 'KEY_REUSED')).toHaveLength(9);
  expect((await office.numbering.preview(at('CROWD'))).sequence).toBe(2);
});

/** Runs `work` in a transaction and commits it, unless it fails. */
async function committed<Result>(work: (client: pg.PoolClient) => Promise<Result>): Promise<Result> {
  const client = await office.database.pool.connect();
  try {
    await client.query('BEGIN');
    const result = await work(client);
    await client.query('COMMIT');
    return result;
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  } finally {
    client.release();
  }
}

const IN_TRANSACTIONS: Readonly<
  Record<string, (numbering: Numbering, request: IssueRequest) => Promise<unknown>>
> = {
  issueIn: (numbering, request) => committed((client) => numbering.issueIn(client, request)),
  issueAllIn: (numbering, request) =>
    committed(async (client) => {
      const others = [1, 2].map((part) => ({ ...request, key: `${request.key}-${part}` }));
      const [first, issued, last] = await numbering.issueAllIn(client, [
        others[0] ?? request,
        request,
        others[1] ?? request,
      ]);
      expect([first?.sequence, last?.sequence]).toEqual([
        (issued?.sequence ?? 0) - 1,
        (issued?.sequence ?? 0) + 1,
      ]);
      return issued;
    }),
  voidAndReplace: async (numbering, request) => {
    const [first] = (await numbering.listNumbers({ space: 'P1', series: request.series })).items;
    const { replacement } = await numbering.voidAndReplace({
      space: 'P1',
      number: first?.item.number ?? '',
      replacement: request,
      reason: 'typo',
      actor: 'a',
    });
    return { number: replacement?.number, replayed: first?.item.status === 'void' };
  },
};

const REFUSALS = [
  ['the period is closed', { closedUntil: '2199-12-31' }],
  ['the series is blocked', { blocked: 'audit' }],
] as const;

describe.each(Object.entries(IN_TRANSACTIONS))('a repeated key of %s', (way, take) => {
  test.each(REFUSALS)('gives its number also when %s meanwhile', async (_, rule) => {
    const series = `${way}${Object.keys(rule)[0]}`;
    const template = `${series}/{ORG}/{DISCIPLINE}/{YEAR}/{SEQ:4}`;
    await withSeries(office.numbering, { series, template });
    const request = { ...at('KEPT', `kept ${series}`), series };
    await office.numbering.issue({ ...request, key: `first ${series}` });
    const taken = (await take(office.numbering, request)) as IssuedNumber;
    await office.numbering.defineSeries({ ...rfaSeries, series, ...rule });
    // It does not know the rules of before.
    const restarted = await office.another();
    expect(await take(restarted, request)).toMatchObject({ number: taken.number, replayed: true });
    const code = 'blocked' in rule ? 'SERIES_BLOCKED' : 'PERIOD_CLOSED';
    await expect(take(restarted, { ...request, key: `other ${series}` })).rejects.toMatchObject({ code });
    await expect(take(restarted, { ...request, content: 'other' })).rejects.toMatchObject({
      code: 'KEY_REUSED',
    });
  });
});

test('a number is not replaced by itself, neither by its key nor by its text', async () => {
  const replacement = at('SELF', 'self');
  const { number } = await office.numbering.issue(replacement);
  const why = { space: 'P1', number, reason: 'typo', actor: 'a' };
  await expect(office.numbering.voidAndReplace({ ...why, replacement })).rejects.toMatchObject({
    code: 'INVALID_REQUEST',
    field: 'replacement.key',
  });
  await expect(office.numbering.void({ ...why, replacedBy: number })).rejects.toMatchObject({
    code: 'INVALID_REQUEST',
    field: 'replacedBy',
  });
  expect(await office.numbering.findNumber({ space: 'P1', number })).toMatchObject({ status: 'issued' });
});

test("a key is looked up by its full index, even if the ledger's statistics show no keys", async () => {
  await using fresh = await openOffice();
  await withSeries(fresh.numbering);
  for (let time = 0; time < 9; time += 1) await fresh.numbering.issueMany(at('NONE'), 1000);
  const client = await fresh.database.directPool.connect();
  await client.query('ANALYZE document_numbers');
  const plans: string[] = [];
  client.on('notice', ({ message }) => plans.push(message ?? ''));
  await client.query(`LOAD 'auto_explain'; SET auto_explain.log_min_duration = 0;
    SET auto_explain.log_nested_statements = on; SET client_min_messages = log; SET auto_explain.log_level = notice`);
  const numbering = createNumbering({ database: { connect: async () => lent(client) } });
  await numbering.issue(at('NONE', 'planned'));
  await numbering.close();
  expect(plans.join('\n')).toMatch(
    /document_numbers_key_key on .*\n *Index Cond: \(\(space = .*idempotency_key = .*key_part = /,
  );
  client.release(true);
});

/** A connection that its owner releases. */
const lent = (client: pg.PoolClient) => ({
  query: (statement: SqlStatement) => client.query(statement),
  release: () => undefined,
});

test('a key of issueMany covers all its numbers', async () => {
  const first = await office.numbering.issueMany(at('BULK', 'bulk'), 5);
  const again = await office.numbering.issueMany(at('BULK', 'bulk'), 5);
  expect(again.map(({ number }) => number)).toEqual(first.map(({ number }) => number));
  expect(again.every(({ replayed }) => replayed)).toBe(true);
});

test('two numberings that receive the same keys concurrently issue each once', async () => {
  const another = await office.another();
  const outcomes = valuesOf(
    await race(400, (index) =>
      (index % 2 === 0 ? office.numbering : another).issue(at('TWO', `two-${Math.floor(index / 4)}`)),
    ),
  );
  const numbers = new Map<string, Set<string>>();
  outcomes.forEach(({ number }, index) => {
    const key = `two-${Math.floor(index / 4)}`;
    numbers.set(key, (numbers.get(key) ?? new Set()).add(number));
  });
  expect([...numbers.values()].every(({ size }) => size === 1)).toBe(true);
  expect(new Set(outcomes.map(({ number }) => number)).size).toBe(100);
});

test('a key is kept across periods: a retry after New Year returns the number issued before', async () => {
  let nowMs = Date.UTC(2026, 11, 31, 16, 59, 59);
  const clerk = await office.another({ now: () => nowMs });
  const before = await clerk.issue(at('NEWYEAR', 'over'));
  nowMs += 2000;
  const after = await clerk.issue(at('NEWYEAR', 'over'));
  const fresh = await clerk.issue(at('NEWYEAR'));
  expect([before.period, after.period, fresh.period]).toEqual(['2026', '2026', '2027']);
  expect(after).toMatchObject({ number: before.number, replayed: true });
});

test('a key still returns its number after its period has been closed', async () => {
  const rules = { series: 'CLOSING', template: '{ORG}-{TYPE}-{DISCIPLINE}-{YEAR}-{SEQ:5}' };
  await withSeries(office.numbering, rules);
  const request = { ...at('KEY', 'closing'), series: 'CLOSING' };
  const before = await office.numbering.issue(request);
  const { space, timeZone, dimensions } = (await office.numbering.listSeries({ space: 'P1' }))[0] ?? {};
  await office.numbering.defineSeries({
    space: space ?? '',
    timeZone: timeZone ?? '',
    dimensions: dimensions ?? [],
    series: 'CLOSING',
    closedUntil: '2199-12-31',
    actor: 'admin',
  });
  expect((await office.numbering.issue(request)).number).toBe(before.number);
  await expect(office.numbering.issue({ ...request, key: 'new' })).rejects.toMatchObject({
    code: 'PERIOD_CLOSED',
  });
});

test('a key returns its number from a process that never read the previous rules', async () => {
  const request = { ...at('KEY', 'closing'), series: 'CLOSING' };
  const restarted = await office.another();
  expect(await restarted.issue(request)).toMatchObject({
    sequence: 1,
    replayed: true,
    dimensions: { DISCIPLINE: 'STR', ORG: 'KEY' },
  });
  await expect(restarted.issue({ ...request, content: 'other' })).rejects.toMatchObject({
    code: 'KEY_REUSED',
  });
});

test('a key committed while its retry waits for the row lock is found after the wait', async () => {
  await office.numbering.issue(at('BEHIND'));
  const client = await office.database.pool.connect();
  await client.query('BEGIN');
  const first = await office.numbering.issueIn(client, at('BEHIND', 'behind'));
  const another = await office.another();
  const before = log.count('storeRetried');
  const repeat = another.issue(at('BEHIND', 'behind'));
  await until(async () => {
    const { rows } = await office.database.pool.query(
      `SELECT count(*)::int AS waiting FROM pg_stat_activity
       WHERE wait_event_type = 'Lock' AND datname = current_database()`,
    );
    return rows[0]?.waiting > 0;
  });
  await client.query('COMMIT');
  client.release();
  expect(await repeat).toMatchObject({ number: first.number, replayed: true });
  expect(log.count('storeRetried')).toBe(before);
});

test('if one request of a batch has an id that is already in the ledger, only that request fails', async () => {
  await office.numbering.issue({ ...at('IDS'), id: '1004' });
  const outcomes = await race(10, (index) =>
    office.numbering.issue({ ...at('IDS'), id: String(1000 + index) }),
  );
  expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(1);
  expect(outcomes[4]).toMatchObject({ reason: { code: 'DUPLICATE' } });
  const sequences = outcomes.flatMap((outcome) =>
    outcome.status === 'fulfilled' ? [outcome.value.sequence] : [],
  );
  expect(sequences).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10]);
});

test.each(['cutAfterReply', 'cutBeforeReply'] as const)(
  'without a key, %s of the draw gives each caller one number and loses none',
  async (mode) => {
    const org = mode.toUpperCase();
    await office.numbering.issue(at(org));
    proxy.set(mode, { count: 1, matching: org });
    const issued = valuesOf(await race(20, () => office.numbering.issue(at(org))));
    const { rows } = await office.database.pool.query(
      'SELECT count(*)::int AS count FROM document_numbers WHERE number LIKE $1',
      [`${org}-%`],
    );
    expect(rows).toEqual([{ count: 21 }]);
    expect(new Set(issued.map(({ sequence }) => sequence)).size).toBe(20);
    expect(issued.every(({ replayed }) => replayed === (mode === 'cutAfterReply'))).toBe(true);
  },
);

test('a single caller whose reply was lost receives the number that was drawn', async () => {
  await office.numbering.issue(at('SINGLE'));
  proxy.set('cutAfterReply', { count: 1, matching: 'SINGLE' });
  const issued = await office.numbering.issue(at('SINGLE'));
  expect(issued).toMatchObject({ sequence: 2, replayed: true });
  expect((await office.numbering.issue(at('SINGLE'))).sequence).toBe(3);
});

test('a reservation whose reply was lost returns the same token', async () => {
  await office.numbering.issue(at('HOLD'));
  proxy.set('cutAfterReply', { count: 1, matching: 'HOLD' });
  const reservation = await office.numbering.reserve(at('HOLD', 'hold'));
  const again = await office.numbering.reserve(at('HOLD', 'hold'));
  expect(again).toMatchObject({ token: reservation.token, number: reservation.number, replayed: true });
  await expect(office.numbering.confirm({ token: reservation.token, actor: 'a' })).resolves.toMatchObject({
    status: 'issued',
  });
});

test.each([
  ['confirm', 'issued'],
  ['cancel', 'cancelled'],
] as const)(
  'a %s that was applied but cannot be read is in doubt, and a repeat finds it',
  async (step, status) => {
    const { token } = await office.numbering.reserve(at('DOUBT'));
    const end = () => office.numbering[step]({ token, reason: 'no', actor: 'a' });
    proxy.set('cutBeforeReply', { count: 3, matching: 'isExpired' });
    await expect(end()).rejects.toMatchObject({ code: 'OUTCOME_UNKNOWN', retryable: true });
    expect(proxy.strikeCount).toBe(3);
    await expect(end()).resolves.toMatchObject({ status });
  },
);

test('the ledger is gapless after all of this', async () => {
  expect(log.count('storeRetried')).toBeGreaterThan(0);
  await assertGapless(office.database.pool);
});
