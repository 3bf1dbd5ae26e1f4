import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { race, until } from '@solegate/testkit';
import type { Batch, CounterQueue, Draft, PendingIssue } from '../src/draw/counter-queue.js';
import { type DrawStatement, drawBatch, drawRun } from '../src/draw/draw-statement.js';
import { assertGapless, type Office, openOffice, rfa, withSeries } from './number-office.js';

/** What PostgreSQL refuses whoever asks, and what happens when a guard is taken away. */
let office: Office;

beforeAll(async () => {
  office = await openOffice();
  await withSeries(office.numbering, { dimensions: [], template: '{TYPE}-{YEAR}-{SEQ:5}' });
  await office.numbering.issueMany(request, 10);
});

afterAll(async () => {
  await office[Symbol.asyncDispose]();
});

const request = { ...rfa, dimensions: {} };
const sql = (text: string) => office.database.pool.query(text);

/** Runs a statement in a transaction that is always rolled back. */
async function tried(...statements: string[]): Promise<unknown[]> {
  const client = await office.database.pool.connect();
  try {
    await client.query('BEGIN');
    let rows: unknown[] = [];
    for (const statement of statements) rows = (await client.query(statement)).rows;
    return rows;
  } finally {
    await client.query('ROLLBACK');
    client.release();
  }
}

const rowOf = (sequence: number | string, number = `'X-' || ${sequence}`) => `
  INSERT INTO document_numbers (counter_id, sequence, space, number, period, status, business_date, actor)
  SELECT id, ${sequence}, 'P1', ${number}, period, 'issued', '2026-01-01', 'psql' FROM document_number_counters`;

/** Rows of each counter in one statement. */
const rowsOf = (...sequences: number[]) => `
  INSERT INTO document_numbers (counter_id, sequence, space, number, period, status, business_date, actor)
  SELECT id, n, 'P1', 'X-' || id || '-' || n, period, 'issued', '2026-01-01', 'psql'
  FROM document_number_counters, unnest(ARRAY[${sequences.join(', ')}]) AS n`;

test('a ledger row that follows its counter raises it, whoever writes it', async () => {
  const standing = 'SELECT last_number::int AS last, version::int FROM document_number_counters';
  const [before] = (await tried(standing)) as { last: number; version: number }[];
  const [after] = (await tried(rowOf(11), standing)) as { last: number; version: number }[];
  expect(after).toEqual({ last: 11, version: (before?.version ?? 0) + 1 });
});

test('rows of several counters in one statement raise each of them, or none', async () => {
  const secondCounter = `INSERT INTO document_number_counters (series_id, dimensions, period, first_number, last_number)
    SELECT series_id, dimensions, 'second', 11, 10 FROM document_number_counters`;
  const standing =
    'SELECT last_number::int AS last, version::int FROM document_number_counters ORDER BY last_number, id';
  const raised = await tried(secondCounter, rowsOf(11, 12), standing);
  expect(raised).toEqual([
    { last: 12, version: expect.any(Number) },
    { last: 12, version: 1 },
  ]);
  const hole = rowsOf(11, 12).concat(" WHERE period <> 'second' OR n <> 11");
  await expect(tried(secondCounter, hole)).rejects.toMatchObject({ constraint: 'document_numbers_counted' });
  expect(await tried(secondCounter, hole.concat(' AND false'), standing)).toHaveLength(2);
});

describe.each([
  [
    'a counter cannot fall',
    'UPDATE document_number_counters SET last_number = 5, version = version + 1',
    'only_rise',
  ],
  ['a version cannot fall', 'UPDATE document_number_counters SET version = 0', 'only_rise'],
  [
    'a counter cannot rise without its version',
    'UPDATE document_number_counters SET last_number = 11',
    'only_rise',
  ],
  [
    'a counter cannot be raised without a ledger row',
    'UPDATE document_number_counters SET last_number = 11, version = version + 1',
    'only_rise',
  ],
  ['a counter cannot change its period', "UPDATE document_number_counters SET period = '2020'", 'only_rise'],
  ['a counter cannot be deleted', 'DELETE FROM document_number_counters', 'append_only'],
  [
    'a counter cannot begin with numbers issued',
    "INSERT INTO document_number_counters (series_id, dimensions, period, first_number, last_number) SELECT id, '{}', '1999', 1, 7 FROM document_number_series",
    'begin_empty',
  ],
  ['a number cannot be recorded past a hole', rowOf(12), 'counted'],
  ['rows cannot be recorded with a hole between them', rowsOf(11, 13), 'counted'],
  ['rows cannot be recorded with a hole before them', rowsOf(12, 13), 'counted'],
  ['a number cannot be recorded below the first of its counter', rowOf(0), 'counted'],
  [
    'a number cannot be recorded without a counter',
    rowOf(1).replace('SELECT id', 'SELECT id + 1000'),
    'counted',
  ],
  ['a sequence cannot be recorded twice', rowOf(3), 'document_numbers_pkey'],
  ['a ledger row cannot be deleted', 'DELETE FROM document_numbers', 'append_only'],
  ['the ledger cannot be emptied', 'TRUNCATE document_numbers', 'append_only'],
  [
    'a number text cannot change',
    "UPDATE document_numbers SET number = number || 'x'",
    'document_numbers_kept',
  ],
  [
    'a void number cannot come back',
    "UPDATE document_numbers SET status = 'reserved'",
    'document_numbers_kept',
  ],
  [
    'a number cannot be in a state that nobody knows',
    rowOf(11).replace("'issued'", "'lost'"),
    'document_number_status_check',
  ],
  [
    'a number cannot be reserved for nobody',
    rowOf(11).replace("'issued'", "'reserved'"),
    'document_numbers_reserved_check',
  ],
  ['a format version cannot change', "UPDATE document_number_formats SET template = 'x'", 'append_only'],
  ['an event cannot change', "UPDATE document_number_events SET actor = 'x'", 'append_only'],
  ['an event cannot be removed', 'DELETE FROM document_number_events', 'append_only'],
])('%s', (_, statement, guard) => {
  test('PostgreSQL refuses it', async () => {
    await expect(tried(statement)).rejects.toThrow(
      expect.objectContaining({ constraint: expect.stringContaining(guard) }),
    );
  });
});

test.each([
  ['document_number_counters', 'UPDATE document_number_counters SET last_number = 5, version = version + 1'],
  ['document_number_counters', 'UPDATE document_number_counters SET last_number = 11, version = version + 1'],
  ['document_numbers', rowOf(11)],
  ['document_numbers', 'DELETE FROM document_numbers WHERE sequence = 4'],
])('without the triggers of %s, the same statement makes a broken ledger', async (table, statement) => {
  const broken = `
    SELECT FROM document_number_counters c
    WHERE c.last_number <> (SELECT count(*) FROM document_numbers n WHERE n.counter_id = c.id)`;
  expect(await tried(`ALTER TABLE ${table} DISABLE TRIGGER USER`, statement, broken)).toHaveLength(1);
});

test('one number text cannot be in a space twice, and without the index it would be', async () => {
  const taken = `(SELECT min(number) FROM document_numbers)`;
  const insert = rowOf(11, taken);
  await expect(tried(insert)).rejects.toMatchObject({ constraint: 'document_numbers_number_key' });
  const twice = 'SELECT number FROM document_numbers GROUP BY space, number HAVING count(*) > 1';
  expect(await tried('DROP INDEX document_numbers_number_key', insert, twice)).toHaveLength(1);
});

test('a lost statement and its repeat cannot both commit, and without the head of the batch they would', async () => {
  const again = `
    INSERT INTO document_numbers (counter_id, sequence, space, number, period, status, business_date, actor, batch,
      batch_head)
    SELECT counter_id, 11, 'P1', 'again', period, 'issued', business_date, 'late', batch, true
    FROM document_numbers WHERE batch_head`;
  await expect(tried(again)).rejects.toMatchObject({ constraint: 'document_numbers_batch_key' });
  await expect(tried('DROP INDEX document_numbers_batch_key', again)).resolves.toBeDefined();
});

/** A batch of one number as the statement gets it, of a counter as this process remembers it. */
function batchOf(
  counter: { id: string; version: number; floor?: number },
  changes: Partial<Batch> = {},
): Batch {
  const resolved = {
    ceiling: 99_999,
    series: { revision: revisionOf, space: 'P1', dateOrder: false },
    period: '2026',
    affixes: { prefix: 'GUARD-', suffix: '' },
    format: { width: 5, facts: { version: 1 } },
    date: '2026-01-01',
  };
  const facts = { actor: 'late' };
  const issue = { resolved, facts, count: 1, position: 1, waitedMs: 0 } as unknown as PendingIssue;
  const queue = { counterId: counter.id, floor: counter.floor ?? 0 } as CounterQueue;
  const expected = { version: counter.version, last: 0 };
  const draft: Draft = { counter: queue, issues: [issue], expected, retryCount: 0, reply: undefined };
  const id = '00000000-0000-4000-8000-000000000001';
  return { id, drafts: [draft], server: undefined, rowWaitMs: 1000, ...changes };
}

const statementFor = ({ rowWaitMs }: Batch): DrawStatement =>
  rowWaitMs === undefined ? drawBatch.plain.skipping : drawBatch.plain.waiting;

let revisionOf = 0;

describe('what the statement that draws looks at', () => {
  let counter: { id: string; version: number };

  beforeAll(async () => {
    const { rows } = await sql(
      'SELECT c.id, c.version, s.revision FROM document_number_counters c JOIN document_number_series s ON s.id = c.series_id',
    );
    counter = { id: rows[0].id, version: Number(rows[0].version) };
    revisionOf = Number(rows[0].revision);
  });

  /** Whether a number is granted, in a transaction that is rolled back. */
  async function isGranted(
    batch: Batch,
    weaken: (text: string) => string = (text) => text,
    { text, parameters }: DrawStatement = statementFor(batch),
  ): Promise<boolean> {
    const client = await office.database.pool.connect();
    try {
      await client.query('BEGIN');
      const values = parameters.values({ batch, isInTransaction: true });
      const { rows } = await client.query(weaken(text), values);
      return rows.some(({ granted }) => granted === true);
    } finally {
      await client.query('ROLLBACK');
      client.release();
    }
  }

  const without = (condition: string) => (text: string) => {
    if (!text.includes(condition)) throw new Error(`the statement has no ${condition}`);
    return text.replaceAll(condition, 'true');
  };

  test('the version: a holder of an ended lock cannot draw on what it remembers, and without the check it could', async () => {
    const stale = batchOf({ ...counter, version: counter.version - 1 });
    expect(await isGranted(batchOf(counter))).toBe(true);
    expect(await isGranted(stale)).toBe(false);
    expect(await isGranted(stale, without('(w.version IS NULL OR l.version = w.version)'))).toBe(true);
  });

  test('the mark: a counter below its floor draws nothing, and without the check it would', async () => {
    const below = batchOf({ ...counter, floor: 11 });
    expect(await isGranted(below)).toBe(false);
    expect(await isGranted(below, without('l.last_number >= w.floor'))).toBe(true);
  });

  test('the server: another than the marks were read for draws nothing, and without the check it would', async () => {
    const elsewhere = batchOf(counter, { server: '1' });
    expect(await isGranted(elsewhere)).toBe(false);
    expect(await isGranted(elsewhere, (text) => text.replace('k.server = ', "'1' = "))).toBe(true);
  });

  test('the quick statement of one counter looks at the same', async () => {
    const quickly = (batch: Batch, weaken?: (text: string) => string) => isGranted(batch, weaken, drawRun);
    const stale = batchOf({ ...counter, version: counter.version - 1 });
    const below = batchOf({ ...counter, floor: 11 });
    const elsewhere = batchOf(counter, { server: '1' });
    expect(await quickly(batchOf(counter))).toBe(true);
    for (const [batch, condition] of [
      [stale, /\(\S+ IS NULL OR c.version = \S+\)/],
      [below, /c.last_number >= \S+/],
      [elsewhere, /\(\S+ IS NULL OR k.server = \S+\)/],
    ] as const) {
      expect(await quickly(batch)).toBe(false);
      expect(await quickly(batch, (text) => text.replace(condition, '(true OR $&)'))).toBe(true);
    }
  });

  test('a held row: it is passed by, or waited for as long as was said, and without either for ever', async () => {
    const holder = await office.database.pool.connect();
    await holder.query('BEGIN');
    await holder.query('SELECT FROM document_number_counters FOR UPDATE');
    try {
      const passing = batchOf(counter, { rowWaitMs: undefined });
      const waiting = batchOf(counter, { rowWaitMs: 50 });
      expect(await isGranted(passing)).toBe(false);
      await expect(isGranted(waiting)).rejects.toMatchObject({ code: '55P03' });
      for (const [batch, weaken] of [
        [passing, (text: string) => text.replace(' SKIP LOCKED', '')],
        [
          waiting,
          (text: string) => text.replace(/set_config\('lock_timeout', (\$\d+::text), true\),/, '$1,'),
        ],
      ] as const) {
        const { text, parameters } = statementFor(batch);
        const client = await office.database.pool.connect();
        await client.query('BEGIN; SET LOCAL statement_timeout = 300');
        const asked = client.query(weaken(text), parameters.values({ batch, isInTransaction: true }));
        const code = batch === passing ? '55P03' : '57014';
        await expect(asked).rejects.toMatchObject({ code });
        await client.query('ROLLBACK');
        client.release();
      }
    } finally {
      await holder.query('ROLLBACK');
      holder.release();
    }
  });
});

test('a counter that another process creates meanwhile is waited for and used', async () => {
  await withSeries(office.numbering, {
    series: 'MEANWHILE',
    dimensions: [],
    template: '{TYPE}+{YEAR}+{SEQ:5}',
  });
  const theirs = await office.database.pool.connect();
  await theirs.query('BEGIN');
  const first = await office.numbering.issueIn(theirs, { ...request, series: 'MEANWHILE' });
  const second = (await office.another()).issue({ ...request, series: 'MEANWHILE' });
  await until(async () => {
    const { rows } = await sql(
      `SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`,
    );
    return rows.length > 0;
  });
  await theirs.query('COMMIT');
  theirs.release();
  expect([first.sequence, (await second).sequence]).toEqual([1, 2]);
});

test('a thousand first users of a counter at once create it once', async () => {
  const others = [office.numbering, await office.another(), await office.another(), await office.another()];
  for (let round = 0; round < 10; round += 1) {
    await withSeries(office.numbering, {
      series: `S${round}`,
      dimensions: [],
      template: '{TYPE}/{YEAR}/{SEQ:5}',
    });
    const outcomes = await race(100, (index) =>
      (others[index % 4] ?? office.numbering).issue({ ...request, series: `S${round}` }),
    );
    expect(outcomes.every(({ status }) => status === 'fulfilled')).toBe(true);
  }
  const { rows } = await sql(
    "SELECT count(*)::int AS counters FROM document_number_counters WHERE period <> 'x'",
  );
  expect(rows).toEqual([{ counters: 12 }]);
  await assertGapless(office.database.pool);
});
