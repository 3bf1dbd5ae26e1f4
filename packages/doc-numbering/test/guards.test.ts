import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { race, until } from '@solegate/testkit';
import { assertGapless, type Office, openOffice, rfa, withSeries } from './number-office.js';

/** What PostgreSQL refuses for every client, and what happens without each guard. */
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

describe.each([
  ['a counter cannot fall', 'UPDATE document_number_counters SET last_number = 5', 'counters'],
  ['a counter cannot be raised', 'UPDATE document_number_counters SET last_number = 11', 'counters'],
  ['a counter cannot be deleted', 'DELETE FROM document_number_counters', 'counters'],
  [
    'a counter cannot be created',
    "INSERT INTO document_number_counters (series_id, dimensions, period, first_number, last_number) SELECT id, '{}', '1999', 1, 7 FROM document_number_series",
    'counters',
  ],
  ['a number cannot be recorded', rowOf(11), 'numbers'],
  ['a ledger row cannot be deleted', 'DELETE FROM document_numbers', 'numbers'],
  ['a number text cannot change', "UPDATE document_numbers SET number = number || 'x'", 'numbers'],
  ['the facts of a void cannot change', "UPDATE document_numbers SET void_reason = 'x'", 'numbers'],
  ['a series cannot change', "UPDATE document_number_series SET blocked = 'x'", 'series'],
  ['a format version cannot change', "UPDATE document_number_formats SET template = 'x'", 'formats'],
  ['a default format cannot change', "UPDATE document_number_spaces SET template = 'x'", 'spaces'],
  ['an event cannot change', "UPDATE document_number_events SET actor = 'x'", 'events'],
  ['an event cannot be removed', 'DELETE FROM document_number_events', 'events'],
  ['the ledger cannot be emptied', 'TRUNCATE document_numbers', 'numbers'],
])('by accident, %s', (_, statement, table) => {
  test('PostgreSQL refuses it', async () => {
    await expect(tried(statement)).rejects.toMatchObject({
      constraint: expect.stringMatching(new RegExp(`${table}_guarded$`)),
    });
  });
});

test.each([
  ['document_number_counters', 'UPDATE document_number_counters SET last_number = 5'],
  ['document_numbers', rowOf(11)],
  ['document_numbers', 'DELETE FROM document_numbers WHERE sequence = 4'],
])('without the triggers of %s, the same statement breaks the ledger', async (table, statement) => {
  const broken = `
    SELECT FROM document_number_counters c
    WHERE c.last_number <> (SELECT count(*) FROM document_numbers n WHERE n.counter_id = c.id)`;
  expect(await tried(`ALTER TABLE ${table} DISABLE TRIGGER USER`, statement, broken)).toHaveLength(1);
});

const unguardedly = "SET LOCAL document_number.writes = 'on'";

test('one number text cannot be in a space twice, and without the index it would be', async () => {
  const insert = rowOf(11, '(SELECT min(number) FROM document_numbers)');
  const refused = tried(unguardedly, insert);
  await expect(refused).rejects.toMatchObject({ constraint: 'document_numbers_number_key' });
  const twice = 'SELECT number FROM document_numbers GROUP BY space, number HAVING count(*) > 1';
  expect(await tried(unguardedly, 'DROP INDEX document_numbers_number_key', insert, twice)).toHaveLength(1);
});

/** A call that draws one number of the only counter, as SQL. */
const drawOf = ({ counter = 'c.id', batch = 'gen_random_uuid()', more = '' } = {}) => `
  SELECT document_number_draw_v1(batch => ${batch}, wait_ms => 1000, server => NULL, counter_ids => ARRAY[${counter}],
    number_counts => ARRAY[1], revisions => ARRAY[s.revision], business_dates => ARRAY['2026-06-01'::date],
    actors => ARRAY['psql'], prefixes => ARRAY['PSQL-'], widths => ARRAY[4], suffixes => ARRAY[''],
    format_versions => ARRAY[1]${more}) AS reply
  FROM document_number_counters c JOIN document_number_series s ON s.id = c.series_id
  WHERE s.code = 'RFA'`;

test('a lost statement and its repeat cannot both commit, and without the head of the batch they would', async () => {
  const batch = `'01890a5d-ac96-774b-bcce-b302099a8057'`;
  const twice = [drawOf({ batch }), drawOf({ batch })];
  await expect(tried(...twice)).rejects.toMatchObject({ constraint: 'document_numbers_batch_key' });
  await expect(tried('DROP INDEX document_numbers_batch_key', ...twice)).resolves.toBeDefined();
});

describe('what the draw looks at', () => {
  const verdict = async (...statements: string[]): Promise<string> => {
    const rows = (await tried(...statements)) as { reply: { counters: { verdict: string }[] } }[];
    return rows[0]?.reply.counters[0]?.verdict ?? 'SKIPPED';
  };

  /** Replaces the function by one without a condition, for the rest of the transaction. */
  const without = async (condition: RegExp): Promise<string> => {
    const { rows } = await sql(`SELECT pg_get_functiondef('document_number_draw_v1'::regproc) AS text`);
    const text: string = rows[0].text;
    const weak = text.replaceAll(condition, 'false THEN');
    if (weak === text) throw new Error(`the function has no ${condition}`);
    return weak;
  };

  const change = (rules: string) => `${unguardedly}; UPDATE document_number_series SET ${rules}`;

  test.each([
    [
      'RULES_CHANGED',
      drawOf({ more: '' }).replace('s.revision]', 's.revision - 1]'),
      /s\.revision IS DISTINCT FROM.*?THEN/g,
    ],
    ['BELOW_MARK', drawOf({ more: ', floors => ARRAY[11]' }), /c\.last_number < floors.*?THEN/g],
    ['CONFLICT', drawOf({ more: ', versions => ARRAY[c.version - 1]' }), /c\.version <> versions.*?THEN/g],
    ['OTHER_SERVER', drawOf().replace('server => NULL', "server => '1'"), /server <> this_server THEN/g],
    ['EXHAUSTED', drawOf({ more: ', ceilings => ARRAY[10]' }), /number_counts\[[^\]]*\] < 1[\s\S]*?THEN/g],
    ['EXHAUSTED', `${change('end_at = 10')}; ${drawOf()}`, /number_counts\[[^\]]*\] < 1[\s\S]*?THEN/g],
    ['CLOSED', `${change("blocked = 'audit'")}; ${drawOf()}`, /s\.blocked IS NOT NULL[\s\S]*?THEN/g],
    [
      'CLOSED',
      `${change("closed_until = '2026-06-30'")}; ${drawOf()}`,
      /s\.blocked IS NOT NULL[\s\S]*?THEN/g,
    ],
    ['CLOSED', `${change("open_until = '2026-05-30'")}; ${drawOf()}`, /s\.blocked IS NOT NULL[\s\S]*?THEN/g],
    [
      'CLOSED',
      drawOf({ more: ", item_business_dates => ARRAY['2026-05-31'::date]" }),
      /s\.blocked IS NOT NULL[\s\S]*?THEN/g,
    ],
    [
      'CLOSED',
      drawOf({ more: ", item_business_dates => ARRAY['2026-06-02'::date]" }),
      /s\.blocked IS NOT NULL[\s\S]*?THEN/g,
    ],
    ['DATE_ORDER', `${change('date_order = true')}; ${drawOf()}`, /s\.date_order AND .*?THEN/g],
  ])('%s: draws nothing, and without the check it would', async (expected, statements, condition) => {
    const later = `${unguardedly}; UPDATE document_number_counters SET last_date = '2026-06-02'`;
    const steps = [later, ...statements.split(';')];
    expect(await verdict(...steps)).toBe(expected);
    expect(await verdict(await without(condition), ...steps)).toBe('GRANTED');
  });

  test('a locked row is skipped, or waited for as long as the call says', async () => {
    const holder = await office.database.pool.connect();
    await holder.query('BEGIN');
    await holder.query('SELECT FROM document_number_counters FOR UPDATE');
    try {
      expect(await verdict(drawOf().replace('wait_ms => 1000', 'wait_ms => NULL'))).toBe('SKIPPED');
      const waiting = verdict(drawOf().replace('wait_ms => 1000', 'wait_ms => 50'));
      await expect(waiting).rejects.toMatchObject({ code: '55P03' });
    } finally {
      await holder.query('ROLLBACK');
      holder.release();
    }
  });

  test('several locked rows together are not waited for longer than one', async () => {
    await withSeries(office.numbering, {
      series: 'TWO',
      dimensions: ['ORG'],
      template: '{TYPE}{ORG}{YEAR}{SEQ:5}',
    });
    for (const ORG of ['A', 'B', 'C']) {
      await office.numbering.issue({ ...request, series: 'TWO', dimensions: { ORG } });
    }
    const { rows } = await sql(`SELECT c.id FROM document_number_counters c JOIN document_number_series s
      ON s.id = c.series_id WHERE s.code = 'TWO' ORDER BY c.id`);
    const holders = await Promise.all(rows.map(() => office.database.pool.connect()));
    for (const [index, holder] of holders.entries()) {
      await holder.query('BEGIN');
      await holder.query('SELECT FROM document_number_counters WHERE id = $1 FOR UPDATE', [rows[index].id]);
    }
    // Each row is given up just before the whole limit ends; three such waits in turn would be too long.
    const waits =
      tried(`SELECT document_number_draw_v1(gen_random_uuid(), 600, NULL, ARRAY[${rows.map(({ id }) => id)}],
      ARRAY[1,1,1], ARRAY[1,1,1], array_fill('2026-06-01'::date, ARRAY[3]), array_fill('x'::text, ARRAY[3]),
      ARRAY['a','b','c'], ARRAY[1,1,1], ARRAY['','',''], ARRAY[1,1,1])`).catch((error: unknown) => error);
    for (const holder of holders) {
      await new Promise((resolve) => setTimeout(resolve, 450));
      await holder.query('ROLLBACK');
      holder.release();
    }
    expect(await waits).toMatchObject({ code: '55P03' });
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

test('a thousand concurrent first users of a counter create it once', async () => {
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
  expect(rows).toEqual([{ counters: 15 }]);
  await assertGapless(office.database.pool);
});
