import { EventEmitter, once } from 'node:events';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { watchedPool } from '@solegate/testkit';
import type { PoolClient } from 'pg';
import { createNumbering, type SeriesDefinition } from '../src/index.js';
import { type Office, openOffice, rfaSeries, untilBlockedBy, withSeries } from './number-office.js';

/** A draw that waits for its counter obeys the rules that hold when it gets it. */
let office: Office;
let operator: Office['numbering'];
let seriesCount = 0;

beforeAll(async () => {
  office = await openOffice();
  operator = await office.another();
});

afterAll(async () => {
  await office[Symbol.asyncDispose]();
});

const DATE = '2026-06-15';

/** A series with its counter at 2, all of today's programs knowing it. */
async function fresh() {
  seriesCount += 1;
  const series = `S${seriesCount}`;
  const rules: SeriesDefinition = { ...rfaSeries, series, dimensions: [] };
  await withSeries(operator, { ...rules, template: `${series}-{YEAR}-{SEQ:4}` });
  const request = { space: 'P1', series, actor: 'somchai', date: DATE, otherPeriod: true };
  await office.numbering.issueMany(request, 2);
  const change = (more: Partial<SeriesDefinition>) => operator.defineSeries({ ...rules, ...more });
  const format = { space: 'P1', series, actor: 'admin', overflow: 'error' as const };
  return { series, rules, request, change, format };
}

/** Locks the row of the series' counter without changing it. */
async function holdRow(series: string): Promise<PoolClient> {
  const holder = await office.database.pool.connect();
  await holder.query('BEGIN');
  await holder.query(
    `SELECT FROM document_number_counters c JOIN document_number_series s ON s.id = c.series_id
     WHERE s.code = $1 FOR UPDATE OF c`,
    [series],
  );
  return holder;
}

/** Changes rules past the lock of the counters, which a narrowing change waits for, as its last step would. */
async function commitRule(text: string, series: string): Promise<void> {
  const client = await office.database.pool.connect();
  await client.query("BEGIN; SET LOCAL document_number.writes = 'on'");
  await client.query(text, [series]);
  await client.query('UPDATE document_number_series SET revision = revision + 1 WHERE code = $1', [series]);
  await client.query('COMMIT');
  client.release();
}

const ruled = (rule: string) => `UPDATE document_number_series SET ${rule} WHERE code = $1`;
const withdrawn = `UPDATE document_number_formats SET withdrawn_at = now()
  WHERE version = 2 AND series_id = (SELECT id FROM document_number_series WHERE code = $1)`;

const CHANGES = [
  ['blocked', ruled("blocked = 'audit'"), { code: 'SERIES_BLOCKED' }],
  ['endAt', ruled('end_at = 3'), { code: 'EXHAUSTED' }],
  ['closedUntil', ruled("closed_until = '2026-06-30'"), { code: 'PERIOD_CLOSED' }],
] as const;

describe.each(CHANGES)('%s, committed while a draw waits', (_, rule, refusal) => {
  test('refuses the numbers', async () => {
    const { series, request } = await fresh();
    const holder = await holdRow(series);
    const waiting = office.numbering.issueMany(request, 50).catch((error: unknown) => error);
    await untilBlockedBy(office, holder);
    await commitRule(rule, series);
    await holder.query('ROLLBACK');
    holder.release();
    expect(await waiting).toMatchObject(refusal);
    const { items } = await operator.listCounters({ space: 'P1', series });
    expect(items.map(({ item }) => item.lastNumber)).toEqual([2]);
  });

  test.each(['REPEATABLE READ', 'SERIALIZABLE'])(
    'refuses issueIn at %s, or has it retried',
    async (isolation) => {
      const { series, request } = await fresh();
      const holder = await holdRow(series);
      const client = await office.pool.connect();
      await client.query(`BEGIN ISOLATION LEVEL ${isolation}`);
      await client.query('SELECT FROM document_number_series');
      const waiting = office.numbering.issueIn(client, request).catch((error: unknown) => error);
      await untilBlockedBy(office, holder);
      await commitRule(rule, series);
      await holder.query('ROLLBACK');
      holder.release();
      expect(await waiting).toMatchObject({ code: 'BUSY', retryable: true });
      await client.query('ROLLBACK');
      await client.query(`BEGIN ISOLATION LEVEL ${isolation}`);
      // endAt leaves one number.
      const retry = await office.numbering.issueIn(client, request).catch((error: unknown) => error);
      expect(retry).toMatchObject(refusal.code === 'EXHAUSTED' ? { sequence: 3 } : refusal);
      await client.query('ROLLBACK');
      client.release();
    },
  );
});

test('a preview prints the format that another process has saved', async () => {
  const { request, format } = await fresh();
  await office.numbering.preview(request);
  await operator.saveFormat({ ...format, template: 'SEEN/{TYPE}/{YEAR}/{SEQ:4}', validFrom: '2026-01-01' });
  expect((await office.numbering.preview(request)).number).toMatch(/^SEEN\//);
});

test('a request made after a change goes by it, although a reading that began before has not ended', async () => {
  const { request, change } = await fresh();
  await change({ blocked: 'audit' });
  const gate = new EventEmitter();
  const [read, held] = [once(gate, 'read'), once(gate, 'release')];
  const database = watchedPool(office.pool, async (_statement, run) => {
    const result = await run();
    gate.emit('read');
    await held;
    return result;
  });
  await using numbering = createNumbering({ database });
  const before = numbering.issue(request).catch((error: unknown) => error);
  await read;
  await change({});
  const after = numbering.issue(request);
  await new Promise((resolve) => setImmediate(resolve));
  gate.emit('release');
  expect(await before).toMatchObject({ code: 'SERIES_BLOCKED' });
  expect((await after).sequence).toBe(3);
});

test('an import goes by the rules that another process has changed', async () => {
  const { series, change } = await fresh();
  await change({ authorityCode: 'AUTH2' });
  const rows = [{ series, sequence: 3, number: `${series}-2026-0003`, date: DATE }];
  expect(await office.numbering.importNumbers({ space: 'P1', actor: 'admin', rows })).toMatchObject({
    imported: true,
    problems: [],
  });
});

describe.each([
  ['a new format', false],
  ['a withdrawn format', true],
] as const)('%s, committed while a draw waits', (_, isWithdrawn) => {
  const template = 'LATER/{TYPE}/{YEAR}/{SEQ:4}';

  test.each(['READ COMMITTED', 'REPEATABLE READ', 'SERIALIZABLE'])(
    'decides what is printed, at %s',
    async (isolation) => {
      const { series, request, format } = await fresh();
      const save = () => operator.saveFormat({ ...format, template, validFrom: '2026-01-01' });
      if (isWithdrawn) await save();
      await office.numbering.preview(request);
      const another = await office.another();
      await another.preview(request);
      const holder = await holdRow(series);
      const client = await office.pool.connect();
      await client.query(`BEGIN ISOLATION LEVEL ${isolation}`);
      await client.query('SELECT FROM document_number_series');
      const waiting = another.issueIn(client, request).catch((error: unknown) => error);
      await untilBlockedBy(office, holder);
      if (isWithdrawn) await commitRule(withdrawn, series);
      else await save();
      await holder.query('ROLLBACK');
      holder.release();
      const printed = isWithdrawn ? `${series}-2026-0003` : `LATER/${series}/2026/0003`;
      const isFresh = isolation === 'READ COMMITTED';
      expect(await waiting).toMatchObject(isFresh ? { number: printed } : { code: 'BUSY' });
      await client.query('ROLLBACK');
      await client.query(`BEGIN ISOLATION LEVEL ${isolation}`);
      expect(await another.issueIn(client, request)).toMatchObject({ number: printed });
      await client.query('ROLLBACK');
      client.release();
    },
  );
});

describe('a narrowing change beside an open draw', () => {
  test.each([
    ['blocked', { blocked: 'audit' }],
    ['endAt', { endAt: 2 }],
    ['closedUntil', { closedUntil: '2026-06-30' }],
  ] as const)('%s: returns when the draw is committed, and then nothing follows', async (__, rule) => {
    const { request, change } = await fresh();
    const client = await office.pool.connect();
    await client.query('BEGIN');
    const { sequence } = await office.numbering.issueIn(client, request);
    let isChanged = false;
    const changing = change(rule).then(() => {
      isChanged = true;
    });
    await untilBlockedBy(office, client);
    expect(isChanged).toBe(false);
    await client.query('COMMIT');
    client.release();
    await changing;
    expect(sequence).toBe(3);
    await expect(office.numbering.issue(request)).rejects.toMatchObject({
      code: expect.stringMatching(/SERIES_BLOCKED|EXHAUSTED|PERIOD_CLOSED/),
    });
  });

  test('it waits for the first number of a counter that the open transaction has created', async () => {
    const { request, change } = await fresh();
    const client = await office.pool.connect();
    await client.query('BEGIN');
    const first = await office.numbering.issueIn(client, { ...request, date: '2027-01-05' });
    const changing = change({ blocked: 'audit' });
    await untilBlockedBy(office, client);
    await client.query('COMMIT');
    client.release();
    await changing;
    expect(first.sequence).toBe(1);
    await expect(office.numbering.issue(request)).rejects.toMatchObject({ code: 'SERIES_BLOCKED' });
  });

  test('a change that narrows nothing does not wait', async () => {
    const { series, change } = await fresh();
    const holder = await holdRow(series);
    expect(await change({ authorityCode: 'AUTH1' })).toMatchObject({ authorityCode: 'AUTH1' });
    await holder.query('ROLLBACK');
    holder.release();
  });
});
