import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { BoundedDatabase, Deadline } from '@solegate/postgres-infra';
import { CircuitBreaker } from '@solegate/redis-infra/calls';
import { until, watchedPool } from '@solegate/testkit';
import { toSettings } from '../src/contract/checks.js';
import { createNumbering } from '../src/index.js';
import { reconcile } from '../src/life/reconcile.js';
import { HighWaterMarks } from '../src/redis/high-water-marks.js';
import { DatabaseCall } from '../src/sql/public-calls.js';
import { type Office, openOffice, rfa, unguarded, withSeries } from './number-office.js';

/** What `reconcile` finds of rows that the owner changed past the functions, and what it costs the process. */
let office: Office;

beforeAll(async () => {
  office = await openOffice({ requestTimeoutMs: 60_000 });
  await withSeries(office.numbering);
});

afterAll(async () => {
  await office[Symbol.asyncDispose]();
});

const to = (org: string) => ({ ...rfa, dimensions: { ORG: org, DISCIPLINE: 'STR' } });

test.each([
  ['a void that lost its reason', "SET void_reason = NULL WHERE status = 'void' AND number =", true],
  ['a number that is void in status alone', "SET status = 'void' WHERE number =", false],
  ['the facts of a void on a number in use', "SET voided_by = 'bob' WHERE number =", false],
])('%s is found', async (_, change, isVoid) => {
  const { number } = await office.numbering.issue(to('VOID'));
  if (isVoid) await office.numbering.void({ space: 'P1', number, reason: 'typo', actor: 'bob' });
  expect(await office.numbering.reconcile()).toEqual([]);
  await unguarded(office.pool, `UPDATE document_numbers ${change} $1`, [number]);
  const found = {
    kind: 'VOID_MISMATCH',
    counter: expect.stringContaining('VOID'),
    count: 1,
    example: number,
  };
  for (const scope of [{}, { space: 'P1' }, { series: 'RFA' }])
    expect(await office.numbering.reconcile(scope)).toEqual([expect.objectContaining(found)]);
  expect(await office.numbering.reconcile({ space: 'P2' })).toEqual([]);
  await unguarded(
    office.pool,
    `UPDATE document_numbers SET status = 'issued', void_reason = NULL, voided_by = NULL, voided_at = NULL
    WHERE number = $1`,
    [number],
  );
});

test('more counters than a page are each compared, and only those that do not fit are reported', async () => {
  const counterCount = 1200;
  await unguarded(
    office.pool,
    `INSERT INTO document_number_counters (series_id, dimensions, period, first_number, last_number)
    SELECT s.id, json_build_object('DISCIPLINE', 'STR', 'ORG', 'X' || i)::text, '2026', 1, 2
    FROM document_number_series s, generate_series(1, ${counterCount}) i`,
  );
  await unguarded(
    office.pool,
    `INSERT INTO document_numbers (counter_id, sequence, space, number, period, status, business_date, actor)
    SELECT c.id, 1, 'P1', 'X-' || c.id, '2026', 'issued', '2026-01-01', 'owner'
    FROM document_number_counters c WHERE c.dimensions LIKE '%"X%'`,
  );
  const findings = await office.numbering.reconcile();
  expect(findings).toHaveLength(counterCount);
  expect(new Set(findings.map((finding) => 'counterId' in finding && finding.counterId)).size).toBe(
    counterCount,
  );
  expect(findings.every((finding) => finding.kind === 'HOLE' && finding.first === 2)).toBe(true);
  await unguarded(
    office.pool,
    `UPDATE document_number_counters SET last_number = 0 WHERE dimensions LIKE '%"X%'`,
  );
  const fallen = await office.numbering.reconcile();
  expect(fallen).toHaveLength(counterCount);
  expect(fallen[0]).toMatchObject({ kind: 'REGRESSION', lastNumber: 0, highWaterMark: 1 });
});

test('a number that is issued after the rows were read and before the marks is no regression', async () => {
  await using marked = await openOffice({ redis: true });
  await withSeries(marked.numbering);
  await marked.numbering.issueMany(rfa, 3);
  const { pool, numbering, redis } = marked;
  if (!redis) throw new Error('this office has a Redis');
  const settings = toSettings({ database: pool });
  const circuit = new CircuitBreaker({ failureMax: 2, openMs: 500 });
  const marks = new HighWaterMarks({ ...settings, redis, circuit });
  let isHot = true;
  const meanwhile = {
    read: async (keys: readonly string[]) => {
      if (isHot) await numbering.issue(rfa);
      return until(async () => {
        const found = await marks.read(keys);
        return found?.[0]?.last === 4 ? found : undefined;
      });
    },
  };
  const reconcileNow = () => {
    const database = new BoundedDatabase({ pool });
    return reconcile(new DatabaseCall(database, Deadline.after(60_000)), {}, meanwhile);
  };
  expect(await reconcileNow()).toEqual([]);
  isHot = false;
  await unguarded(pool, 'DELETE FROM document_numbers WHERE sequence > 2');
  await unguarded(pool, 'UPDATE document_number_counters SET last_number = 2');
  expect(await reconcileNow()).toMatchObject([{ kind: 'REGRESSION', lastNumber: 2, highWaterMark: 4 }]);
});

test('no reply of PostgreSQL has more rows than a page', async () => {
  const rowCounts: number[] = [];
  const database = watchedPool(office.pool, async (_statement, run) => {
    const result = await run();
    rowCounts.push(result.rows?.length ?? 0);
    return result;
  });
  await createNumbering({ database, requestTimeoutMs: 60_000 }).reconcile({ unattachedAfterMs: 0 });
  expect(Math.max(...rowCounts)).toBe(500);
});

test('an age that PostgreSQL has no time for is refused; a hundred years are not', async () => {
  const olderThan = (unattachedAfterMs: number) => office.numbering.reconcile({ unattachedAfterMs });
  await expect(olderThan(Number.MAX_SAFE_INTEGER)).rejects.toMatchObject({
    code: 'INVALID_REQUEST',
    field: 'unattachedAfterMs',
  });
  expect(await olderThan(3_155_760_000_000)).toEqual(expect.any(Array));
});
