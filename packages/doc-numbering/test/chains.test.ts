import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { race, until, valuesOf } from '@solegate/testkit';
import type { ChainReport, ChainRules, NumberWriter, SqlSession, WriterItem } from '../src/index.js';
import {
  assertGapless,
  EventLog,
  type Office,
  openOffice,
  rfa,
  unguarded,
  withSeries,
} from './number-office.js';

/** Sealed documents: numbers, documents and seals in one commit, and what a walk over the chain finds. */
let office: Office;
let log: EventLog;
/** Items as the writer got them. */
let stored: WriterItem<string>[] = [];

const space = { space: 'P1' };
const to = (org: string) => ({ ...rfa, dimensions: { ORG: org, DISCIPLINE: 'STR' } });

const store = async (session: SqlSession, items: readonly WriterItem<string>[]) => {
  if (items.some(({ document }) => document === 'boom')) throw new Error('the app refuses this document');
  stored.push(...items);
  await session.query({
    text: 'INSERT INTO letters SELECT * FROM unnest($1::text[], $2::text[], $3::text[])',
    values: [
      items.map(({ issued }) => issued.number),
      items.map(({ document }) => document),
      items.map(({ seal }) => seal?.seal),
    ],
  });
};

/** Characters that quoting could change. */
const ODD = `O'Brien "x" \\ {a,b}`;
/** A law's seal of the title, made again from the stored letter. */
const lawOf = (previous: string, title: string): string =>
  createHash('sha256').update(`${previous}&${title}`).digest('base64') + ODD;

let names = 0;
const writerOf = (
  rules: Partial<ChainRules<string>> & Pick<ChainRules<string>, 'name'>,
): NumberWriter<string> => {
  names += 1;
  const chain = { seal: 'sha256' as const, ...rules };
  return office.numbering.registerWriter(`letters ${names}`, store, { chain });
};

const chainOf = async (chain: string): Promise<Record<'position' | 'seal', string>[]> => {
  const text = 'SELECT position, seal FROM document_number_seals WHERE chain = $1 ORDER BY position';
  return (await office.database.pool.query(text, [chain])).rows;
};

beforeAll(async () => {
  log = new EventLog();
  office = await openOffice({ observer: log.observer, writerTimeoutMs: 2000 });
  await office.database.pool.query('CREATE TABLE letters (number text PRIMARY KEY, title text, seal text)');
  await withSeries(office.numbering, { template: '{ORG}-{TYPE}-{DISCIPLINE}-{YEAR}-{SEQ:5}' });
});

beforeEach(() => {
  stored = [];
  log.seen.length = 0;
});

afterAll(async () => {
  await office[Symbol.asyncDispose]();
});

test('each document gets the previous seal of its chain, in the order of the numbers, in one commit', async () => {
  const letters = writerOf({
    name: ({ issued }) => `${ODD} ${issued.dimensions.ORG}`,
    seal: (previous, { document }) => lawOf(previous, document),
  });
  await race(2, (index) => letters.issue(to(`ONE${index}`), 'first'));
  log.seen.length = 0;
  valuesOf(await race(60, (index) => letters.issue(to(`ONE${index % 2}`), `letter ${index}`)));
  expect(log.count('batchCommitted')).toBeLessThanOrEqual(3);
  const { rows } = await office.database.pool.query(
    "SELECT * FROM letters WHERE number LIKE 'ONE0-%' ORDER BY number",
  );
  let previous = '';
  for (const { title, seal } of rows) {
    expect(seal).toBe(lawOf(previous, title));
    previous = seal;
  }
  expect(rows).toHaveLength(31);
  expect(stored.map(({ seal }) => seal?.chain)).toContain(`${ODD} ONE1`);
  const titles = async (numbers: readonly string[]) => {
    const found = await office.pool.query('SELECT number, title FROM letters WHERE number = ANY ($1)', [
      numbers,
    ]);
    return new Map(found.rows.map(({ number, title }) => [number, title]));
  };
  const report = await office.numbering.verifyChain(`${ODD} ONE0`, async (sealed) => {
    const loaded = await titles(sealed.map(({ entry }) => entry.number));
    return sealed.map(({ previous: before, entry }) => lawOf(before, loaded.get(entry.number)));
  });
  expect(report).toMatchObject({ verifiedCount: 31, breaks: [], end: { position: 31, seal: previous } });
});

test('several series and writers share one chain, whose order is that of the commits', async () => {
  const writers = [0, 1].map(() => writerOf({ name: () => 'issuer' }));
  const others = [await office.another(), await office.another()].map((numbering) =>
    numbering.registerWriter('letters', store, { chain: { name: () => 'issuer', seal: 'sha256' } }),
  );
  const all = [...writers, ...others];
  const issued = valuesOf(
    await race(
      200,
      (index) => all[index % 4]?.issue(to(`MANY${index % 5}`), 'x') ?? Promise.reject(new Error('none')),
    ),
  );
  const sealed = await office.numbering.findSeals(issued);
  expect(sealed.map((seal) => seal?.position).toSorted((a, b) => Number(a) - Number(b))).toEqual(
    Array.from({ length: 200 }, (_, index) => index + 1),
  );
  expect(await office.numbering.verifyChain('issuer')).toMatchObject({ verifiedCount: 200, breakCount: 0 });
  await assertGapless(office.database.pool);
});

test.each<[string, Partial<ChainRules<string>>]>([
  [
    'its seal function throws',
    { seal: (_, { document }) => (document === 'bad' ? JSON.parse(document) : 's') },
  ],
  ['its seal function gives no text', { seal: (_, { document }) => (document === 'bad' ? '' : 's') }],
  ['its seal cannot be stored', { seal: (_, { document }) => (document === 'bad' ? '\0' : 's') }],
  [
    'its chain has no name',
    { name: ({ document }) => (document === 'bad' ? (undefined as never) : 'refusals'), seal: () => 's' },
  ],
])('a document is refused alone if %s', async (what, rules) => {
  const org = `REF${what.length}`;
  const letters = writerOf({ name: () => `refusals ${org}`, ...rules });
  const outcomes = await race(40, (index) => letters.issue(to(org), index === 17 ? 'bad' : 'good'));
  expect(outcomes.flatMap(({ status }, index) => (status === 'rejected' ? [index] : []))).toEqual([17]);
  expect(outcomes[17]).toMatchObject({ reason: { code: 'SEAL_REFUSED', retryable: false } });
  const sealed = await office.numbering.findSeals(valuesOf(outcomes.filter((_, index) => index !== 17)));
  expect(sealed.filter(Boolean)).toHaveLength(39);
  await assertGapless(office.database.pool);
});

test('a document that the writer refuses leaves no seal, and no hole in the chain', async () => {
  const letters = writerOf({ name: () => 'faults' });
  const outcomes = await race(40, (index) => letters.issue(to('FAULT'), index % 10 === 3 ? 'boom' : 'good'));
  expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(4);
  expect(await office.numbering.verifyChain('faults')).toMatchObject({ verifiedCount: 36, breakCount: 0 });
});

test('a repeated key is answered without a second seal', async () => {
  const letters = writerOf({ name: () => 'keys' });
  const first = await letters.issue({ ...to('KEY'), key: 'k' }, 'once');
  expect(await letters.issue({ ...to('KEY'), key: 'k' }, 'once')).toMatchObject({
    number: first.number,
    replayed: true,
  });
  expect(await chainOf('keys')).toHaveLength(1);
});

test('a chain that another transaction holds delays its documents, and no number without one', async () => {
  const letters = writerOf({ name: () => 'held' });
  await letters.issue(to('HELD'), 'first');
  const holder = await office.database.pool.connect();
  await holder.query("BEGIN; SELECT document_number_lock_chains_v1(ARRAY['held'], 1000)");
  const waiting = letters.issue(to('HELD'), 'second');
  const plain = office.numbering.issue(to('HELD'));
  expect(await plain).toMatchObject({ sequence: 2 });
  await holder.query('COMMIT');
  holder.release();
  expect(await waiting).toMatchObject({ sequence: 3 });
  expect((await office.numbering.findSeals([await plain]))[0]).toBeUndefined();
  expect(await office.numbering.verifyChain('held')).toMatchObject({ verifiedCount: 2, breakCount: 0 });
});

const untilSomebodyWaits = (pool = office.database.pool) =>
  until(async () => {
    const waits =
      "SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()";
    return (await pool.query(waits)).rows.length > 0;
  });

test('two transactions that create chains in opposite orders do not deadlock', async () => {
  const lock = (client: SqlSession, chains: string[]) =>
    client.query({ text: 'SELECT document_number_lock_chains_v1($1, 5000) AS heads', values: [chains] });
  const [one, two] = [await office.database.pool.connect(), await office.database.pool.connect()];
  await one.query('BEGIN');
  await two.query('BEGIN');
  await lock(one, ['b', 'a']);
  const second = lock(two, ['a', 'c', 'b']);
  await untilSomebodyWaits();
  await one.query('COMMIT');
  const { rows } = await second;
  expect(rows).toEqual([{ heads: ['a', 'b', 'c'].map((chain) => ({ chain, position: 0, seal: '' })) }]);
  await two.query('COMMIT');
  for (const client of [one, two]) client.release();
});

test('voiding a sealed number changes nothing that its seal covers', async () => {
  const letters = writerOf({ name: () => 'void' });
  const { number } = await letters.issue({ ...to('VOID'), document: 'L-1', key: 'void' }, 'x');
  const before = await chainOf('void');
  await office.numbering.void({ ...space, number, reason: 'wrong', actor: 'auditor' });
  expect(await office.numbering.findNumber({ ...space, number })).toMatchObject({ status: 'void' });
  expect(await chainOf('void')).toEqual(before);
  expect(await office.numbering.verifyChain('void')).toMatchObject({ verifiedCount: 1, breakCount: 0 });
});

describe('what an owner changes, with the triggers off, is found', () => {
  const chain = 'tampered';
  const at = (position: number) => `chain = '${chain}' AND position = ${position}`;
  const row = (position: number) =>
    `(counter_id, sequence) = (SELECT counter_id, sequence FROM document_number_seals WHERE ${at(position)})`;

  beforeAll(async () => {
    const letters = writerOf({ name: () => chain });
    for (let index = 0; index < 6; index += 1)
      await letters.issue({ ...to('TAMPER'), actor: 'clerk', document: `D${index}` }, 'x');
  });

  const found = async (statements: readonly string[], after?: ChainReport['end']) => {
    const client = await office.database.pool.connect();
    await client.query(
      'CREATE TEMP TABLE kept AS SELECT * FROM document_numbers; CREATE TEMP TABLE seals AS SELECT * FROM document_number_seals; CREATE TEMP TABLE heads AS SELECT * FROM document_number_chains',
    );
    try {
      await client.query('SET session_replication_role = replica');
      for (const text of statements) await client.query(text);
      return await office.numbering.verifyChain(chain, undefined, after && { after });
    } finally {
      await client.query(`DELETE FROM document_numbers; INSERT INTO document_numbers SELECT * FROM kept;
        DELETE FROM document_number_seals; INSERT INTO document_number_seals SELECT * FROM seals;
        DELETE FROM document_number_chains; INSERT INTO document_number_chains SELECT * FROM heads`);
      client.release(true);
    }
  };

  test.each([
    ['number', "number = number || 'X'"],
    ['business_date', 'business_date = business_date + 1'],
    ['actor', "actor = 'somebody else'"],
    ['document', "document = 'D99'"],
    ['idempotency_key', "idempotency_key = 'k9', key_part = 1"],
    ['format_version', 'format_version = 2'],
    ['period', "period = '1999'"],
    ['space', "space = 'P2'"],
    ['id', 'id = 77'],
    ['reason', "reason = 'another'"],
  ])('another %s in the ledger', async (_, change) => {
    const { breaks } = await found([`UPDATE document_numbers SET ${change} WHERE ${row(3)}`]);
    expect(breaks).toEqual([expect.objectContaining({ kind: 'SEAL', position: 3 })]);
  });

  test.each<[string, string[], object[]]>([
    [
      'a number whose row is gone',
      [`DELETE FROM document_numbers WHERE ${row(2)}`],
      [{ kind: 'NUMBER', position: 2 }],
    ],
    [
      'a position that is missing',
      [`DELETE FROM document_number_seals WHERE ${at(4)}`],
      [{ kind: 'MISSING', first: 4, last: 4 }],
    ],
    [
      'a seal that differs',
      [`UPDATE document_number_seals SET seal = 'x' WHERE ${at(2)}`],
      [
        { kind: 'SEAL', position: 2, found: 'x' },
        { kind: 'PREVIOUS', position: 3, expected: 'x' },
      ],
    ],
    [
      'a previous seal that does not match',
      [`UPDATE document_number_seals SET previous = 'x' WHERE ${at(5)}`],
      [
        { kind: 'PREVIOUS', position: 5, found: 'x' },
        { kind: 'SEAL', position: 5 },
      ],
    ],
    [
      'an end that was cut off',
      [`DELETE FROM document_number_seals WHERE chain = '${chain}' AND position > 3`],
      [{ kind: 'MISSING', first: 4, last: 6 }],
    ],
    [
      'a head that leads elsewhere',
      [`UPDATE document_number_chains SET seal = 'x' WHERE chain = '${chain}'`],
      [{ kind: 'HEAD', position: 6, found: 'x' }],
    ],
  ])('%s', async (_, statements, expected) => {
    const { breaks } = await found(statements);
    expect(breaks).toEqual(expected.map((one) => expect.objectContaining(one)));
  });

  test('an end that was cut off together with the head, by whoever kept an earlier report', async () => {
    const { end } = await office.numbering.verifyChain(chain);
    const cut = [
      `DELETE FROM document_number_seals WHERE chain = '${chain}' AND position > 3`,
      `UPDATE document_number_chains h SET position = 3, seal = s.seal FROM document_number_seals s
        WHERE h.chain = '${chain}' AND s.chain = h.chain AND s.position = 3`,
    ];
    expect(await found(cut)).toMatchObject({ breaks: [] });
    expect(await found(cut, end)).toMatchObject({ breaks: [{ kind: 'HEAD', position: 6 }] });
  });
});

test('seals cannot be changed by accident, even while a function writes', async () => {
  const letters = writerOf({ name: () => 'guards' });
  await letters.issue(to('GUARD'), 'x');
  for (const change of ["UPDATE document_number_seals SET seal = 'x'", 'DELETE FROM document_number_seals'])
    await expect(unguarded(office.database.pool, change)).rejects.toMatchObject({
      constraint: 'document_number_seals_guarded',
    });
});

test('a chain that nobody locked does not fork, and a number that does not exist gets no seal', async () => {
  const letters = writerOf({ name: () => 'raw' });
  await letters.issue(to('RAW'), 'x');
  const { counterId } = await office.numbering.issue(to('RAW'));
  const clients = await Promise.all([0, 1].map(() => office.database.pool.connect()));
  const seal = 'SELECT document_number_seal_v1($1, ARRAY[1], $2, $3, $4)';
  const [one, two] = clients;
  await one?.query('BEGIN');
  await one?.query(seal, [['raw'], [counterId], [2], ['a']]);
  await office.numbering.issue(to('RAW'));
  const second = two?.query(seal, [['raw'], [counterId], [3], ['b']]).catch((error: unknown) => error);
  await untilSomebodyWaits();
  await one?.query('COMMIT');
  expect([await second]).toEqual([expect.objectContaining({ code: '23505' })]);
  for (const values of [
    [['raw'], [counterId], [99], ['c']],
    [['nowhere'], [counterId], [3], ['c']],
  ])
    await expect(two?.query(seal, values)).rejects.toMatchObject({ code: '23502' });
  for (const client of clients) client.release();
  expect((await chainOf('raw')).map(({ position }) => position)).toEqual(['1', '2']);
});

test('without its lock a chain refuses one of two transactions, and without its key it forks', async () => {
  await using own = await openOffice();
  const { pool } = own.database;
  await withSeries(own.numbering);
  const [first] = await own.numbering.issueMany(rfa, 4);
  const { rows } = await pool.query(
    "SELECT pg_get_functiondef('document_number_lock_chains_v1'::regproc) AS text",
  );
  await pool.query(rows[0].text.replace('FOR NO KEY UPDATE', ''));
  await pool.query("SELECT document_number_lock_chains_v1(ARRAY['fork'], 1000)");
  /** Both have read the end of the chain before either appends to it. Returns how many could. */
  const twice = async (...sequences: [number, number]) => {
    const [one, two] = [await pool.connect(), await pool.connect()];
    for (const client of [one, two])
      await client.query("BEGIN; SELECT document_number_lock_chains_v1(ARRAY['fork'], 1000)");
    const seal = (sequence: number) => ({
      text: 'SELECT document_number_seal_v1($1, ARRAY[1], $2, $3, $4)',
      values: [['fork'], [first?.counterId], [sequence], ['x']],
    });
    await one.query(seal(sequences[0]));
    const later = Promise.allSettled([two.query(seal(sequences[1])).then(() => two.query('COMMIT'))]);
    await untilSomebodyWaits(pool);
    await one.query('COMMIT');
    const [{ status }] = await later;
    for (const client of [one, two]) client.release(true);
    return status === 'fulfilled' ? 2 : 1;
  };
  expect(await twice(1, 2)).toBe(1);
  await pool.query('ALTER TABLE document_number_seals DROP CONSTRAINT document_number_seals_pkey');
  expect(await twice(3, 4)).toBe(2);
  const positions = await pool.query(
    "SELECT position::int FROM document_number_seals WHERE chain = 'fork' ORDER BY 1",
  );
  expect(positions.rows.map(({ position }) => position)).toEqual([1, 2, 2]);
});

test('a walk over more than a page finds every break, and refuses a function that returns too few seals', async () => {
  const letters = writerOf({ name: () => 'long', seal: (_, { document }) => document });
  valuesOf(await race(1100, (index) => letters.issue(to('LONG'), `seal ${index}`)));
  const report = await office.numbering.verifyChain('long', (sealed) => sealed.map(() => 'other'));
  expect(report).toMatchObject({ verifiedCount: 1100, breakCount: 1100, end: { position: 1100 } });
  expect(report.breaks).toHaveLength(100);
  const half = await office.numbering.verifyChain('long', (sealed) => sealed.map(({ seal }) => seal), {
    after: report.end,
  });
  expect(half).toMatchObject({ verifiedCount: 0, breakCount: 0 });
  await expect(office.numbering.verifyChain('long', () => [])).rejects.toMatchObject({
    code: 'INVALID_REQUEST',
  });
  expect(await office.numbering.verifyChain('nothing')).toMatchObject({
    verifiedCount: 0,
    breaks: [],
    end: { position: 0, seal: '' },
  });
});
