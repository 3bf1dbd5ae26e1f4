import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type TestNumbering, testNumbering } from '../src/testing/index.js';

const letter = { space: 'office', series: 'LETTER', actor: 'ann' };

async function open(): Promise<TestNumbering> {
  const numbering = await testNumbering({ now: () => Date.UTC(2026, 0, 5) });
  await numbering.defineSeries({ ...letter, timeZone: 'UTC' });
  await numbering.saveFormat({ ...letter, template: '{TYPE}-{YEAR}-{SEQ:4}' });
  return numbering;
}

let numbering: TestNumbering;
beforeAll(async () => {
  numbering = await open();
});
afterAll(() => numbering.close());

const numbersOf = (letters: readonly { readonly number: string }[]) => letters.map(({ number }) => number);

test('callers at once get numbers without a gap, and the ledger keeps them', async () => {
  const before = await numbering.issue(letter);
  const issued = await Promise.all(Array.from({ length: 50 }, () => numbering.issue(letter)));
  const sequences = issued.map(({ sequence }) => sequence).sort((one, other) => one - other);
  expect(sequences).toEqual(Array.from({ length: 50 }, (_, index) => before.sequence + index + 1));
  const found = await numbering.findNumber({ space: 'office', number: before.number });
  expect(found).toMatchObject({ actor: 'ann', issuedAt: expect.any(Date) });
  expect(await numbering.reconcile()).toEqual([]);
});

test('a transaction of the test commits the number with its document, or neither', async () => {
  await numbering.database.query('CREATE TABLE letters (number text NOT NULL, sent_at timestamptz)');
  const before = await numbering.issue(letter);
  const write = async (end: 'COMMIT' | 'ROLLBACK') => {
    const client = await numbering.database.connect();
    try {
      await client.query('BEGIN');
      const { number } = await numbering.issueIn(client, letter);
      await client.query('INSERT INTO letters VALUES ($1, $2)', [number, new Date(0)]);
      await client.query(end);
      return number;
    } finally {
      client.release();
    }
  };
  const lost = await write('ROLLBACK');
  expect(await write('COMMIT')).toBe(lost);
  const { rows } = await numbering.database.query('SELECT number, sent_at FROM letters');
  expect(rows).toEqual([{ number: lost, sent_at: new Date(0) }]);
  const { sequence } = await numbering.issue(letter);
  expect(sequence).toBe(before.sequence + 2);
});

test('a writer commits its documents with their numbers', async () => {
  await numbering.database.query('CREATE TABLE notes (number text, text text UNIQUE)');
  const notes = numbering.registerWriter<string>('notes', async (session, items) => {
    for (const { document, issued } of items)
      await session.query('INSERT INTO notes VALUES ($1, $2)', [issued.number, document]);
  });
  const written = await Promise.all(['one', 'two'].map((text) => notes.issue(letter, text)));
  await expect(notes.issue(letter, 'two')).rejects.toMatchObject({ code: '23505' });
  const { rows } = await numbering.database.query('SELECT number FROM notes ORDER BY number');
  expect(numbersOf(rows as { number: string }[])).toEqual(numbersOf(written).sort());
});

test('the guards of production hold, and reservations, voiding and dates work', async () => {
  const statement = `UPDATE document_numbers SET number = 'X'`;
  await expect(numbering.database.query(statement)).rejects.toThrow(/document_numbers/);
  const { token } = await numbering.reserve(letter);
  const { number } = await numbering.confirm({ token, actor: 'ann' });
  expect(number).toMatch(/^LETTER-2026-\d{4}$/);
  const { voided } = await numbering.void({ space: 'office', number, actor: 'bob', reason: 'a typo' });
  expect(voided).toMatchObject({ status: 'void', voidedBy: 'bob' });
});

test('each numbering of a process has tables of its own, and a pool is no transaction', async () => {
  await using other = await open();
  expect(await other.issue(letter)).toMatchObject({ sequence: 1 });
  await expect(other.issueIn(other.database as never, letter)).rejects.toMatchObject({
    code: 'INVALID_REQUEST',
    message: expect.stringContaining('no open transaction'),
  });
});

test('a connection that a test forgets to release holds up neither the end of its numbering nor another', async () => {
  const forgetful = await open();
  const client = await forgetful.database.connect();
  await client.query('BEGIN');
  await client.query('CREATE TABLE forgotten ()');
  await forgetful.close();
  expect(await numbering.issue(letter)).toMatchObject({ space: 'office' });
  await expect(client.query('SELECT 1')).rejects.toThrow('closed');
});
