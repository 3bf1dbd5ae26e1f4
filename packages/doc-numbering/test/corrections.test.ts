import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { race, until, valuesOf } from '@solegate/testkit';
import { createNumbering } from '../src/index.js';
import { EventLog, type Office, openOffice, rfa, withSeries } from './number-office.js';

let office: Office;

beforeAll(async () => {
  office = await openOffice({ poolMax: 20 });
  await withSeries(office.numbering);
});

afterAll(async () => {
  await office[Symbol.asyncDispose]();
});

const to = (org: string) => ({ ...rfa, dimensions: { ORG: org, DISCIPLINE: 'STR' } });

describe('reasons are kept', () => {
  test('of an expired reservation', async () => {
    const over = await office.numbering.reserve({ ...to('C'), reason: 'for a fax', holdMs: 1000 });
    await until(async () => (await office.numbering.expireReservations()) > 0);
    const entry = await office.numbering.findNumber({ space: 'P1', number: over.number });
    expect(entry).toMatchObject({ status: 'cancelled', reason: 'for a fax' });
  });

  test("a caller's reason may equal the sweeper's, `expired`", async () => {
    const kept = await office.numbering.reserve({ ...to('W'), reason: 'expired' });
    for (let time = 0; time < 2; time += 1) {
      expect(await office.numbering.confirm({ token: kept.token, actor: 'a' })).toMatchObject({
        status: 'issued',
      });
    }
    const dropped = await office.numbering.reserve(to('W'));
    for (let time = 0; time < 2; time += 1) {
      const entry = await office.numbering.cancel({ token: dropped.token, reason: 'expired', actor: 'a' });
      expect(entry).toMatchObject({ status: 'cancelled' });
    }
  });
});

test('a replay returns the current status of the number', async () => {
  const request = { ...to('STATE'), key: 'state-1' };
  const { number } = await office.numbering.issue(request);
  await office.numbering.void({ space: 'P1', number, reason: 'wrong', actor: 'a' });
  expect(await office.numbering.issue(request)).toMatchObject({ number, replayed: true, status: 'void' });
});

test('a writer refuses a reused key with a different document, and accepts it with the same one', async () => {
  await office.database.pool.query('CREATE TABLE notes (number text, title text)');
  const notes = office.numbering.registerWriter<{ title: string; id: bigint }>(
    'notes',
    async (session, items) => {
      await session.query({
        text: 'INSERT INTO notes SELECT * FROM unnest($1::text[], $2::text[])',
        values: [items.map(({ issued }) => issued.number), items.map(({ document }) => document.title)],
      });
    },
  );
  const request = { ...to('NOTE'), key: 'note-1' };
  const first = await notes.issue(request, { title: 'one', id: 1n });
  expect(await notes.issue(request, { title: 'one', id: 1n })).toMatchObject({
    number: first.number,
    replayed: true,
  });
  await expect(notes.issue(request, { title: 'two', id: 1n })).rejects.toMatchObject({ code: 'KEY_REUSED' });
  const free = { ...to('NOTE'), key: 'note-2', content: 'the same input' };
  await notes.issue(free, { title: 'three', id: 3n });
  expect(await notes.issue(free, { title: 'three', id: 4n })).toMatchObject({ replayed: true });
});

test('transactions that draw two numbers in one call never deadlock, whatever the order of their requests', async () => {
  await office.numbering.issue(to('INV'));
  await office.numbering.issue(to('REC'));
  const drawn = valuesOf(
    await race(12, async (index) => {
      const client = await office.pool.connect();
      try {
        await client.query('BEGIN');
        const orgs = index % 2 === 0 ? ['INV', 'REC'] : ['REC', 'INV'];
        const issued = await office.numbering.issueAllIn(client, orgs.map(to));
        await client.query('COMMIT');
        expect(issued.map(({ dimensions }) => dimensions.ORG)).toEqual(orgs);
        return issued;
      } finally {
        await client.query('ROLLBACK');
        client.release();
      }
    }),
  );
  for (const org of ['INV', 'REC']) {
    const of = drawn.flat().filter(({ dimensions }) => dimensions.ORG === org);
    expect(of.map(({ sequence }) => sequence).sort((a, b) => a - b)).toEqual(
      Array.from({ length: 12 }, (_, index) => index + 2),
    );
  }
});

test('an idempotency key finds its numbers in the ledger', async () => {
  await office.numbering.issueMany({ ...to('KEY'), key: 'many-1' }, 3);
  const { items } = await office.numbering.listNumbers({ space: 'P1', key: 'many-1' });
  expect(items.map(({ item }) => item.sequence)).toEqual([1, 2, 3]);
});

test('the sweeper expires reservations until close, and reports a failed sweep', async () => {
  const log = new EventLog();
  const numbering = await office.another({ observer: log.observer, random: () => 0 });
  const { number } = await numbering.reserve({ ...to('SWEEP'), holdMs: 1000 });
  numbering.startSweeper({ intervalMs: 1000 });
  await until(
    async () => (await office.numbering.findNumber({ space: 'P1', number }))?.status === 'cancelled',
  );
  expect(() => numbering.startSweeper({ intervalMs: 1 })).toThrow('intervalMs');
  const failing = createNumbering({
    database: { connect: () => Promise.reject(new Error('no')) },
    observer: log.observer,
    random: () => 0,
    requestTimeoutMs: 50,
  });
  failing.startSweeper({ intervalMs: 1000 });
  await until(() => log.count('sweepFailed') > 0);
  await failing.close();
});

test.each([
  ['a no-break space', 'A\u00a0{ORG}-{DISCIPLINE}-{YEAR}-{SEQ:4}', 'INVALID_FORMAT'],
  ['an inherited property name', '{__proto__}-{ORG}-{DISCIPLINE}-{YEAR}-{SEQ:4}', 'UNKNOWN_TOKEN'],
  ['another inherited property name', '{constructor}-{ORG}-{DISCIPLINE}-{YEAR}-{SEQ:4}', 'UNKNOWN_TOKEN'],
  ['a megabyte', `{${'X'.repeat(1_000_000)}}`, 'INVALID_FORMAT'],
])('%s in a template is refused with a short message', async (_, template, code) => {
  const error: unknown = await office.numbering
    .saveFormat({ space: 'P1', series: 'RFA', template, actor: 'a' })
    .catch((reason: unknown) => reason);
  expect(error).toMatchObject({ code });
  expect((error as Error).message.length).toBeLessThan(600);
});

test.each(['__proto__', 'constructor', 'toString'])(
  'a request with a dimension %s is refused',
  async (name) => {
    const dimensions = JSON.parse(`{"ORG":"PAT","DISCIPLINE":"STR","${name}":"X"}`);
    await expect(office.numbering.issue({ ...rfa, dimensions })).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
    });
  },
);
