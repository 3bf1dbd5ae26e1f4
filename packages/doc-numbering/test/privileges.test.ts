import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { createNumbering, migrateNumbering, type Numbering } from '../src/index.js';
import { assertGapless, type Office, openOffice, rfa, withSeries } from './number-office.js';

/** What a program's own role can do, and what it cannot. Roles belong to the server, which files share. */
const CLERK = `numbering_clerk_${process.pid}`;
const STRANGER = `numbering_stranger_${process.pid}`;

let office: Office;
let clerk: pg.Pool;
let stranger: pg.Pool;
let numbering: Numbering;

const as = (role: string): pg.Pool => {
  const url = new URL(office.database.directUrl);
  url.username = role;
  return new pg.Pool({ connectionString: url.href, max: 4 });
};

beforeAll(async () => {
  office = await openOffice();
  const { pool } = office.database;
  await pool.query(`CREATE ROLE ${CLERK} LOGIN; CREATE ROLE ${STRANGER} LOGIN`);
  await migrateNumbering(pool, { runtimeRole: CLERK });
  [clerk, stranger] = [as(CLERK), as(STRANGER)];
  numbering = createNumbering({ database: clerk });
});

afterAll(async () => {
  await numbering?.close();
  await clerk?.end();
  await stranger?.end();
  await office?.database.pool.query(
    `DROP OWNED BY ${CLERK}, ${STRANGER}; DROP ROLE ${CLERK}; DROP ROLE ${STRANGER}`,
  );
  await office?.[Symbol.asyncDispose]();
});

test('it can do everything that the package does', async () => {
  await withSeries(numbering, { manualInterval: { first: 9000, last: 9099 } });
  const first = await numbering.issue({ ...rfa, key: 'k' });
  expect(await numbering.issue({ ...rfa, key: 'k' })).toMatchObject({ number: first.number, replayed: true });
  await numbering.issueMany(rfa, 5);
  const held = await numbering.reserve(rfa);
  await numbering.confirm({ token: held.token, actor: 'a' });
  const late = await numbering.reserve(rfa);
  await numbering.cancel({ token: late.token, actor: 'a', reason: 'not needed' });
  await numbering.void({ space: 'P1', number: first.number, reason: 'wrong', actor: 'a' });
  await numbering.assign({ ...rfa, sequence: 9005, reason: 'by hand' });
  expect(await numbering.skipTo({ ...rfa, upTo: 12, reason: 'lost', actor: 'a' })).toBe(4);
  const rows = [{ ...rfa, sequence: 13, date: new Date() }];
  expect(await numbering.importNumbers({ space: 'P1', rows, actor: 'a' })).toMatchObject({ imported: true });
  const later = {
    space: 'P1',
    series: 'RFA',
    template: '{ORG}/{TYPE}/{DISCIPLINE}/{YEAR}/{SEQ:4}',
    actor: 'a',
  };
  const { version } = await numbering.saveFormat({ ...later, validFrom: '2099-01-01' });
  await numbering.withdrawFormat({ space: 'P1', series: 'RFA', version, actor: 'a' });
  await numbering.saveDefaultFormat({ space: 'P2', template: '{TYPE}-{YEAR}-{SEQ:4}', actor: 'a' });
  await numbering.defineSeries({ space: 'P2', series: 'LET', timeZone: 'UTC', actor: 'a' });
  const client = await clerk.connect();
  await client.query('BEGIN');
  const letter = await numbering.issueIn(client, { space: 'P2', series: 'LET', actor: 'a' });
  await client.query('COMMIT');
  client.release();
  await numbering.voidAndReplace({
    space: 'P2',
    number: letter.number,
    reason: 'x',
    actor: 'a',
    replacement: { space: 'P2', series: 'LET', actor: 'a' },
  });
  const chain = { name: () => 'letters', seal: 'sha256' as const };
  const letters = numbering.registerWriter('letters', async () => undefined, { chain });
  await letters.issue({ space: 'P2', series: 'LET', actor: 'a' }, 'sealed');
  expect(await numbering.verifyChain('letters')).toMatchObject({ verifiedCount: 1, breaks: [] });
  expect(await numbering.expireReservations()).toBe(0);
  expect(await numbering.reconcile()).toEqual([]);
  expect(await assertGapless(office.database.pool)).toBe(16);
});

test('it can migrate at every start, when there is nothing to do', async () => {
  expect(await migrateNumbering(clerk)).toEqual({ applied: [], takenOver: [] });
});

describe.each([
  ['numbers', 'document_numbers', 'space'],
  ['counters', 'document_number_counters', 'period'],
  ['series', 'document_number_series', 'space'],
  ['formats', 'document_number_formats', 'template'],
  ['default formats', 'document_number_spaces', 'space'],
  ['events', 'document_number_events', 'space'],
  ['chains', 'document_number_chains', 'seal'],
  ['seals', 'document_number_seals', 'seal'],
])('%s', (_, table, column) => {
  test.each([
    `INSERT INTO ${table} SELECT * FROM ${table}`,
    `UPDATE ${table} SET ${column} = ${column}`,
    `DELETE FROM ${table}`,
    `TRUNCATE ${table}`,
    `SELECT FROM ${table} FOR UPDATE`,
    `ALTER TABLE ${table} DISABLE TRIGGER ALL`,
    `CREATE TRIGGER mine BEFORE INSERT ON ${table} EXECUTE FUNCTION document_number_refuse_write()`,
  ])('are not written but by the functions: %s', async (statement) => {
    await expect(clerk.query(`SET document_number.writes = 'on'; ${statement}`)).rejects.toMatchObject({
      code: '42501',
    });
  });
});

test('a temporary table does not stand in for a table, and no code of the role runs as the owner', async () => {
  await withSeries(office.numbering, { series: 'TEMP', template: 'TEMP/{ORG}/{DISCIPLINE}/{YEAR}/{SEQ:4}' });
  await office.numbering.issue({ ...rfa, series: 'TEMP' });
  const client = await clerk.connect();
  try {
    await client.query('BEGIN');
    for (const table of [
      'document_number_counters',
      'document_numbers',
      'document_number_series',
      'document_number_events',
    ])
      await client.query(`CREATE TEMP TABLE ${table} (LIKE public.${table} INCLUDING ALL)`);
    await client.query(`CREATE FUNCTION pg_temp.steal() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN RAISE EXCEPTION 'ran as %', current_user; END $$`);
    await client.query(
      'CREATE TRIGGER steal BEFORE INSERT ON pg_temp.document_numbers EXECUTE FUNCTION pg_temp.steal()',
    );
    const { rows } = await client.query(`
      SELECT document_number_draw_v1(gen_random_uuid(), 1000, NULL, ARRAY[c.id], ARRAY[1], ARRAY[s.revision],
        ARRAY['2026-06-01'::date], ARRAY['x'], ARRAY['T-'], ARRAY[4], ARRAY[''], ARRAY[1]) AS reply
      FROM public.document_number_counters c JOIN public.document_number_series s ON s.id = c.series_id
      WHERE s.code = 'TEMP'`);
    expect(rows[0].reply.counters).toMatchObject([{ verdict: 'GRANTED', last: 1 }]);
    const real = await client.query(
      "SELECT count(*)::int FROM public.document_numbers WHERE number = 'T-0002'",
    );
    expect(real.rows).toEqual([{ count: 1 }]);
  } finally {
    await client.query('ROLLBACK');
    client.release(true);
  }
});

test('what the functions are called with leaves no hole, whoever calls them', async () => {
  const place = `FROM document_number_counters c JOIN document_number_series s ON s.id = c.series_id WHERE s.code = 'RFA'`;
  const draw = (count: string) => `
    SELECT document_number_draw_v1(gen_random_uuid(), 1000, NULL, ARRAY[c.id], ARRAY[${count}], ARRAY[s.revision],
      ARRAY['2026-06-01'::date], ARRAY['x'], ARRAY['T-'], ARRAY[4], ARRAY[''], ARRAY[1], item_ids => ARRAY[1,2,3,4]::bigint[])
      -> 'counters' -> 0 ->> 'verdict' AS verdict ${place}`;
  const record = (sequence: string, status = 'manual') => `
    SELECT document_number_record_v1('number_assigned', c.id, s.revision, gen_random_uuid(), 'x', 'x',
      ARRAY[${sequence}], ARRAY['forged'], ARRAY['${status}'], NULL, ARRAY['2026-06-01'::date], NULL, NULL, NULL, false)
      AS verdict ${place}`;
  for (const [statement, verdict] of [
    [draw('0'), 'EXHAUSTED'],
    [draw('-3'), 'EXHAUSTED'],
    [record('c.last_number + 2'), 'NOT_NEXT'],
    [record('c.last_number + 1', 'issued'), 'NOT_NEXT'],
    [record('c.last_number'), 'NOT_NEXT'],
  ] as const)
    expect((await clerk.query(statement)).rows).toEqual([{ verdict }]);
  await assertGapless(office.database.pool);
});

test.each([
  "SELECT document_number_open_v1(ARRAY[1], ARRAY['{}'], ARRAY['all'], 1)",
  "SELECT document_number_draw_v1(gen_random_uuid(), 1, NULL, ARRAY[1], ARRAY[1], ARRAY[1], ARRAY['2026-06-01'::date], ARRAY['x'], ARRAY['T-'], ARRAY[4], ARRAY[''], ARRAY[1])",
  "SELECT document_number_record_v1('number_assigned', 1, 1, NULL, 'x', 'x', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, false)",
  "SELECT document_number_change_v1('VOID', 'x')",
  "SELECT document_number_define_v1('SERIES', 'x', 'x', 'x', '{}', '{}', NULL)",
  "SELECT document_number_lock_space_v1('x')",
  "SELECT document_number_lock_chains_v1(ARRAY['x'], 1)",
  "SELECT document_number_seal_v1(ARRAY['x'], ARRAY[1], ARRAY[1], ARRAY[1], ARRAY['x'])",
  'SELECT FROM document_numbers',
])('a role without grants can do nothing: %s', async (statement) => {
  await expect(stranger.query(statement)).rejects.toMatchObject({ code: '42501' });
});

test('with EXECUTE left to everybody, as PostgreSQL has it, a stranger could', async () => {
  const { pool } = office.database;
  await pool.query('GRANT EXECUTE ON FUNCTION document_number_change_v1 TO PUBLIC');
  const step = "SELECT document_number_change_v1('VOID', 'x', space => 'P1', number => 'none') AS changed";
  expect((await stranger.query(step)).rows).toEqual([{ changed: '0' }]);
  await pool.query('REVOKE EXECUTE ON FUNCTION document_number_change_v1 FROM PUBLIC');
});
