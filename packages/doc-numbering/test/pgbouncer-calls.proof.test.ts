import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { findGap, type PgBouncer, race, startPgBouncer, valuesOf } from '@solegate/testkit';
import { assertGapless, type Office, openOffice, rfa, withSeries } from './number-office.js';

/** Behind a pooler in transaction mode, each transaction may run in a different session. */
describe.each([
  ['named statements', true],
  ['statements without names', false],
] as const)('through PgBouncer, with %s', (_, namedStatements) => {
  let pooler: PgBouncer;
  let office: Office;

  beforeAll(async () => {
    office = await openOffice({
      namedStatements,
      poolMax: 20,
      beforeDrop: () => pooler.stop(),
      through: async (url) => {
        pooler = await startPgBouncer(url);
        return pooler.url;
      },
    });
    await withSeries(office.numbering);
  });

  afterAll(async () => {
    await office[Symbol.asyncDispose]();
  });

  const to = (org: string) => ({ ...rfa, dimensions: { ORG: org, DISCIPLINE: 'STR' } });

  test('several processes issue from one and from many counters without gaps', async () => {
    const numberings = [office.numbering, await office.another(), await office.another()];
    const pick = (index: number) => numberings[index % 3] ?? office.numbering;
    const hot = valuesOf(await race(150, (index) => pick(index).issue(to('HOT'))));
    expect(findGap(hot.map(({ sequence }) => sequence))).toBeUndefined();
    expect(valuesOf(await race(150, (index) => pick(index).issue(to(`S${index % 25}`))))).toHaveLength(150);
    await assertGapless(office.database.pool);
  });

  test('a key gives one number', async () => {
    const asked = valuesOf(await race(30, () => office.numbering.issue({ ...to('KEY'), key: 'one' })));
    expect(new Set(asked.map(({ sequence }) => sequence))).toEqual(new Set([1]));
  });

  test('documents and numbers are stored in one commit, and a refused one does not affect the others', async () => {
    await office.database.pool.query(
      'CREATE TABLE letters (number text PRIMARY KEY, title text CHECK (title <> $$bad$$))',
    );
    const fresh = await office.another();
    const letters = fresh.registerWriter<string>('letters', async (session, items) => {
      await session.query({
        name: 'insert-letters',
        text: 'INSERT INTO letters SELECT * FROM unnest($1::text[], $2::text[])',
        values: [items.map(({ issued }) => issued.number), items.map(({ document }) => document)],
      });
    });
    const outcomes = await race(20, (index) =>
      letters.issue(to('LET'), index === 7 ? 'bad' : `letter ${index}`),
    );
    expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(1);
    const { rows } = await office.database.pool.query('SELECT count(*)::int AS count FROM letters');
    expect(rows[0].count).toBe(19);
    await assertGapless(office.database.pool);
  });

  test('reservations can be confirmed and cancelled', async () => {
    const [kept, dropped] = [
      await office.numbering.reserve(to('RES')),
      await office.numbering.reserve(to('RES')),
    ];
    expect(await office.numbering.confirm({ token: kept.token, actor: 'a' })).toMatchObject({
      status: 'issued',
    });
    const cancelled = await office.numbering.cancel({ token: dropped.token, reason: 'no', actor: 'a' });
    expect(cancelled).toMatchObject({ status: 'cancelled' });
  });

  test('a process can void and replace numbers on connections that lack its prepared statements', async () => {
    const org = (index: number) => to(`V${index}`);
    const numbers = valuesOf(await race(12, (index) => office.numbering.issue(org(index))));
    const fresh = await office.another();
    const replaced = await race(12, (index) =>
      fresh.voidAndReplace({
        space: rfa.space,
        number: numbers[index]?.number ?? '',
        reason: 'test',
        actor: 'admin',
        replacement: org(index),
      }),
    );
    expect(valuesOf(replaced).map(({ replacement }) => replacement?.sequence)).toEqual(numbers.map(() => 2));
  });

  test('issueIn leaves no state on the connection that the next client gets', async () => {
    const fresh = await office.another();
    for (let time = 1; time <= 10; time += 1) {
      const client = await office.pool.connect();
      try {
        await client.query('BEGIN');
        const request = { ...to('IN'), key: `in-${time}` };
        expect(await fresh.issueIn(client, request)).toMatchObject({ sequence: time });
        const { rows } = await client.query('SHOW lock_timeout');
        expect(rows[0].lock_timeout).toBe('0');
        await client.query('COMMIT');
      } finally {
        await client.query('ROLLBACK');
        client.release();
      }
    }
  });

  test('a locked row delays only its own counter', async () => {
    await office.numbering.issue(to('HELD'));
    const holder = await office.database.pool.connect();
    await holder.query('BEGIN');
    await holder.query(`SELECT FROM document_number_counters WHERE dimensions LIKE '%"HELD"%' FOR UPDATE`);
    const drawing = office.numbering.issue(to('HELD'));
    valuesOf(await race(50, (index) => office.numbering.issue(to(`F${index % 10}`))));
    await holder.query('ROLLBACK');
    holder.release();
    expect(await drawing).toMatchObject({ sequence: 2 });
  });

  test('reconcile finds nothing wrong', async () => {
    expect(await office.numbering.reconcile()).toEqual([]);
  });
});
